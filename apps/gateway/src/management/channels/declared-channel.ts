import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { ChannelSettings } from '@sluice/contract/fields/channel'
import { keysOf, planNew, type StoredChannel } from './channel-changes.ts'
import type { ChannelDeps } from './channel-ports.ts'
import { type ChannelBody, configOf, settingsOf, settingsProblem } from './channel-settings.ts'
import { keysAfter } from './key-changes.ts'

/**
 * A channel from a configuration file: a complete form, whatever was stored before. Without a key in the form, the stored keys
 * stay, with new parts where the config names some.
 */
export function planDeclared(
  deps: Pick<ChannelDeps, 'vault' | 'kinds' | 'isHostAllowed' | 'callerKeyOrigins'>,
  form: ChannelBody,
  stored: { readonly channel: StoredChannel; readonly hasKey: boolean } | undefined,
): { readonly settings: ChannelSettings; readonly keys: readonly string[] } | Refusal {
  const { kinds } = deps
  if (stored === undefined || form.key.trim() !== '') return planNew(deps, { ...form, keys_in_one: true })
  const before = keysOf(deps, stored.channel)
  if (before === undefined) {
    return stored.hasKey ? planNew(deps, { ...form, keys_in_one: true }) : { code: 'channel_key_lost' }
  }
  const change = keysAfter(kinds, { ...stored.channel, keys: before }, form, {})
  if (change !== undefined && isRefusal(change)) return change
  const keys = change?.keys ?? before
  const settings = settingsOf(kinds, form)
  const key = keys.find((each) => !each.includes('|')) ?? keys[0]
  const problem = settingsProblem(deps, settings, { config: configOf(kinds, form), key, changed: () => true })
  return problem ?? { settings, keys }
}
