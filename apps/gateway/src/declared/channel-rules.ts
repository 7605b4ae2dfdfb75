import type { Refusal } from '@sluice/contract/errors'
import type { ChannelSettings } from '@sluice/contract/fields/channel'
import type { SealedKeys } from '@sluice/store/queries/channels/channels'
import type { WholeChannel } from './current-state.ts'
import type { ChannelForm } from './document/check-document.ts'

/** A channel as it is to be stored. */
export interface PlannedChannel {
  readonly settings: ChannelSettings
  readonly keys: readonly string[]
}

/** The rules of the channel form, which the management API owns. */
export interface ChannelRules {
  /**
   * A channel by its whole form, checked by every rule. Without a key in the form, the stored channel's stay, with new parts where
   * the config names some.
   */
  readonly plan: (
    form: ChannelForm,
    stored: { readonly channel: WholeChannel; readonly hasKey: boolean } | undefined,
  ) => PlannedChannel | Refusal
  /** Undefined when they cannot be opened. */
  readonly keysOf: (stored: WholeChannel) => readonly string[] | undefined
  readonly sealKeys: (keys: readonly string[], before: WholeChannel | undefined) => SealedKeys
  readonly fingerprint: (key: string) => string
  /** What a type is called; its number where it has no name. */
  readonly typeName: (type: number) => string
}
