import type { Refusal } from '@sluice/contract/errors'
import type { BodyOutput } from '@sluice/contract/route'
import type { createChannel, updateChannel } from '@sluice/contract/routes/channels'
import type { ChannelRow, ChannelSettings, SealedKeys } from '@sluice/store/queries/channels/channels'
import { splitList } from '@sluice/store/snapshots/lists'
import type { ChannelKinds, Config } from '../channel-kinds.ts'
import { invalidField } from '../issue-text.ts'
import { configChanges, parseConfig, publicConfig } from './channel-config.ts'
import type { ChannelDeps } from './channel-ports.ts'

const DEFAULT_GROUP = 'default'

export type ChannelBody = BodyOutput<typeof createChannel>
export type ChannelPatch = BodyOutput<typeof updateChannel>
/** What is stored of a channel besides its keys. */
export type Settings = Omit<ChannelSettings, keyof SealedKeys>

/** The config of a body, with the credentials that can become its key. */
export function configOf(kinds: ChannelKinds, body: ChannelBody): Config {
  return kinds.withoutBlanks(parseConfig(body.config ?? ''))
}

/** A complete channel in the form it is stored in. */
export function settingsOf(kinds: ChannelKinds, body: ChannelBody): Settings {
  return {
    name: body.name,
    type: body.type,
    baseUrl: (body.base_url ?? '').replace(/(?<!\/)\/+$/, ''),
    other: kinds.storedOther(body.type, body.other ?? ''),
    models: splitList(body.models).join(','),
    modelMapping: orNull(body.model_mapping),
    modelConfigs: orNull(body.model_configs),
    systemPrompt: orNull(body.system_prompt),
    groups: splitList(body.group).join(',') || DEFAULT_GROUP,
    priority: body.priority,
    weight: body.weight,
    ratelimit: body.ratelimit,
    testingModel: orNull(body.testing_model),
    inferenceProfileArnMap: orNull(body.inference_profile_arn_map),
    config: publicConfig(kinds, configOf(kinds, body)),
  }
}

/** Fields as a request names them, without the members of `config`. */
type Changed = (field: string) => boolean

/**
 * The first rule that a changed field breaks. What was stored before a rule existed does not stop other changes. `key` is
 * undefined when it cannot be opened.
 */
export function settingsProblem(
  { kinds, isHostAllowed, callerKeyOrigins }: Pick<ChannelDeps, 'kinds' | 'isHostAllowed' | 'callerKeyOrigins'>,
  settings: Settings,
  { config, key, changed }: { readonly config: Config; readonly key: string | undefined; readonly changed: Changed },
): Refusal | undefined {
  const found = kinds
    .problems({ ...settings, config, key })
    .find(({ field }) => changed(field.split('.')[0] ?? '') || field === 'type')
  if (found !== undefined) return invalidField(found.field, found.rule)
  if (changed('base_url') && settings.baseUrl !== '' && !isHostAllowed(hostOf(settings.baseUrl))) {
    return invalidField('base_url', 'leads to an address that channels may not use')
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

/** Which fields an update changes. A change of type changes every rule. */
export function changesOf(stored: ChannelRow, settings: Settings, config: Config, isKeyNew: boolean): Changed {
  const changed = new Set<string>()
  const note = (field: string, isNew: boolean): void => void (isNew && changed.add(field))
  note('base_url', stored.baseUrl !== settings.baseUrl)
  note('other', stored.other !== settings.other)
  note('model_mapping', stored.modelMapping !== settings.modelMapping)
  note('model_configs', stored.modelConfigs !== settings.modelConfigs)
  note('inference_profile_arn_map', stored.inferenceProfileArnMap !== settings.inferenceProfileArnMap)
  const isConfigNew = Object.keys(configChanges(config, stored.config)).length > 0
  // What a config must hold depends on key and address too.
  note('config', isConfigNew || stored.config !== settings.config || isKeyNew || changed.has('base_url'))
  return (field) => stored.type !== settings.type || changed.has(field)
}

/** The parts of a stored channel that a patch can leave unchanged. */
export type StoredSettings = Settings

/** The stored channel with what a patch names: an absent field keeps its value, null clears it. */
export function patchedChannel(stored: StoredSettings, patch: Omit<ChannelPatch, 'id'>): ChannelBody {
  const models = patch.models ?? stored.models
  const testingModel = patch.testing_model === undefined ? stored.testingModel : patch.testing_model
  // A testing model that the new list no longer offers falls back to the cheapest, unless this same update sets it.
  const dropped = patch.testing_model === undefined && !splitList(models).includes(testingModel ?? '')
  const kept = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)
  return {
    name: patch.name ?? stored.name,
    type: patch.type ?? stored.type,
    key: patch.key ?? '',
    keys_in_one: patch.keys_in_one ?? false,
    base_url: kept(patch.base_url, stored.baseUrl),
    other: kept(patch.other, stored.other),
    models,
    model_mapping: kept(patch.model_mapping, stored.modelMapping),
    model_configs: kept(patch.model_configs, stored.modelConfigs),
    system_prompt: kept(patch.system_prompt, stored.systemPrompt),
    group: patch.group ?? stored.groups,
    priority: patch.priority ?? stored.priority,
    weight: patch.weight ?? stored.weight,
    ratelimit: patch.ratelimit ?? stored.ratelimit,
    testing_model: dropped ? null : testingModel,
    inference_profile_arn_map: kept(patch.inference_profile_arn_map, stored.inferenceProfileArnMap),
    config: kept(patch.config, stored.config),
  }
}

function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text
}

/** The host of a checked address; an IPv6 one without its brackets. The parser makes odd spellings of IPv4 plain. */
function hostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, '$1')
}
