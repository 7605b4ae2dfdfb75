import type { Refusal } from '@sluice/contract/errors'
import type { ChannelSettings } from '@sluice/contract/fields/channel'
import type { SealedKeys } from '@sluice/store/queries/channels/channels'
import type { WholeChannel } from './current-state.ts'
import type { ChannelForm } from './document/check-document.ts'

export interface PlannedChannel {
  readonly settings: ChannelSettings
  readonly keys: readonly string[]
}

/** The rules of the channel form, which the management API owns. */
export interface ChannelRules {
  /** Plans a channel from its complete form. Without a key, the stored keys stay, with new parts where the config names some. */
  readonly plan: (
    form: ChannelForm,
    stored: { readonly channel: WholeChannel; readonly hasKey: boolean } | undefined,
  ) => PlannedChannel | Refusal
  /** Undefined when they cannot be decrypted. */
  readonly keysOf: (stored: WholeChannel) => readonly string[] | undefined
  readonly sealKeys: (keys: readonly string[], before: WholeChannel | undefined) => SealedKeys
  readonly fingerprint: (key: string) => string
  /** The name of a type, or its number if it has none. */
  readonly typeName: (type: number) => string
}
