import type { Refusal } from '@sluice/contract/errors'
import {
  CHANNEL_SETTINGS,
  type ChannelSettings,
  replyOfSettings,
  settingsOfBody,
} from '@sluice/contract/fields/channel'
import { splitList } from '@sluice/contract/fields/comma-list'
import type { BodyOutput } from '@sluice/contract/route'
import type { createChannel, updateChannel } from '@sluice/contract/routes/channels'
import type { JsonObject } from '@sluice/providers/channel-fields/json-object'
import type { ChannelKinds } from '../channel-kinds.ts'
import { invalidField } from '../issue-text.ts'
import { configChanges, parseConfig, publicConfig } from './channel-config.ts'
import type { ChannelDeps } from './channel-ports.ts'

export type ChannelBody = BodyOutput<typeof createChannel>
export type ChannelPatch = BodyOutput<typeof updateChannel>

/** The config in a body, with the credentials that make up its key. */
export function configOf(kinds: ChannelKinds, body: ChannelBody): JsonObject {
  return kinds.withoutBlanks(parseConfig(body.config ?? ''))
}

/** A complete channel in its stored form. */
export function settingsOf(kinds: ChannelKinds, body: ChannelBody): ChannelSettings {
  return {
    ...settingsOfBody(body),
    other: kinds.storedOther(body.type, body.other ?? ''),
    config: publicConfig(kinds, configOf(kinds, body)),
  }
}

/** Whether a request changes a field; members of `config` are not told apart. */
type Changed = (field: string) => boolean

/** The first rule that a changed field breaks; unchanged fields may break newer ones. `key` undefined: it cannot be decrypted. */
export function settingsProblem(
  { kinds, isHostAllowed, callerKeyOrigins }: Pick<ChannelDeps, 'kinds' | 'isHostAllowed' | 'callerKeyOrigins'>,
  settings: ChannelSettings,
  {
    config,
    key,
    changed,
  }: { readonly config: JsonObject; readonly key: string | undefined; readonly changed: Changed },
): Refusal | undefined {
  const found = kinds
    .problems({ ...settings, config, key })
    .find(({ field }) => changed(field.split('.')[0] ?? '') || field === 'type')
  if (found !== undefined) return invalidField(found.field, found.rule)
  if (changed('base_url') && settings.baseUrl !== '' && !isHostAllowed(hostOf(settings.baseUrl))) {
    return invalidField('base_url', 'points to an address that channels may not use')
  }
  const takesCallers = config['credentials'] === 'caller' || config['credentials'] === 'caller_or_own'
  if (takesCallers && (changed('config') || changed('base_url'))) {
    const rule = kinds.callerHostProblem(settings.type, settings.baseUrl, callerKeyOrigins)
    if (rule !== undefined) return invalidField('config.credentials', `must be own at this address: ${rule}`)
  }
  if (settings.testingModel !== null && !splitList(settings.models).includes(settings.testingModel)) {
    return invalidField('testing_model', 'must be one of the models of the channel')
  }
  return undefined
}

/** The fields that an update changes. With a new type, every field counts as changed. */
export function changesOf(
  stored: ChannelSettings,
  settings: ChannelSettings,
  config: JsonObject,
  isKeyNew: boolean,
): Changed {
  const [before, after] = [replyOfSettings(stored), replyOfSettings(settings)]
  const changed = new Set<string>(CHANNEL_SETTINGS.flatMap(({ name }) => (before[name] === after[name] ? [] : [name])))
  const isConfigNew = Object.keys(configChanges(config, stored.config)).length > 0
  // The required members of a config also depend on key and address.
  if (isConfigNew || isKeyNew || changed.has('base_url')) changed.add('config')
  return (field) => changed.has('type') || changed.has(field)
}

/** The stored channel with a patch applied: an absent field keeps its value, null clears it. */
export function patchedChannel(stored: ChannelSettings, patch: Omit<ChannelPatch, 'id'>): ChannelBody {
  const kept = replyOfSettings(stored)
  const named = Object.entries(patch).filter(([, value]) => value !== undefined)
  const patched = { key: '', keys_in_one: false, ...kept, ...(Object.fromEntries(named) as Partial<ChannelBody>) }
  // A testing model that the new list no longer offers falls back to the cheapest, unless this update sets it.
  const dropped = patch.testing_model === undefined && !splitList(patched.models).includes(kept.testing_model ?? '')
  return dropped ? { ...patched, testing_model: null } : patched
}

/** The host of a checked address; IPv6 without brackets. The parser normalises unusual spellings of IPv4. */
function hostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1')
}
