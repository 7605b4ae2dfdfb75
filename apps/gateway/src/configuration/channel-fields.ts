import { SECRET_CONFIG_FIELDS } from '@sluice/contract/channel-kinds'
import type { FieldChange } from '@sluice/contract/configuration/plan'
import type { PlannedChannel } from './channel-rules.ts'
import { sha256 } from './current-state.ts'
import { canonicalJson } from './document/option-values.ts'

type Settings = PlannedChannel['settings']

/** Fields of a channel in a file, with their canonical text and what a new channel has. */
const FIELDS = {
  name: { of: ({ name }) => name, initial: '' },
  type: { of: ({ type }) => String(type), initial: '' },
  base_url: { of: ({ baseUrl }) => baseUrl, initial: '' },
  other: { of: ({ other }) => other, initial: '' },
  models: { of: ({ models }) => models, initial: '' },
  model_mapping: { of: ({ modelMapping }) => json(modelMapping), initial: '' },
  model_configs: { of: ({ modelConfigs }) => json(modelConfigs), initial: '' },
  system_prompt: { of: ({ systemPrompt }) => systemPrompt ?? '', initial: '' },
  groups: { of: ({ groups }) => groups, initial: 'default' },
  priority: { of: ({ priority }) => String(priority), initial: '0' },
  weight: { of: ({ weight }) => String(weight), initial: '0' },
  ratelimit: { of: ({ ratelimit }) => String(ratelimit), initial: '0' },
  testing_model: { of: ({ testingModel }) => testingModel ?? '', initial: '' },
  inference_profile_arn_map: { of: ({ inferenceProfileArnMap }) => json(inferenceProfileArnMap), initial: '' },
  config: { of: ({ config }) => json(publicText(config)), initial: '' },
} as const satisfies Readonly<Record<string, { readonly of: (settings: Settings) => string; readonly initial: string }>>

type FieldName = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as FieldName[]

/** A channel without its keys, as canonical texts by field. */
export type ChannelFields = Readonly<Record<FieldName, string>>

export function channelFields(settings: Settings): ChannelFields {
  return Object.fromEntries(NAMES.map((name) => [name, FIELDS[name].of(settings)])) as Record<FieldName, string>
}

/** True for a field that is as in a new channel. */
export function isInitial(name: FieldName, text: string): boolean {
  return FIELDS[name].initial === text
}

/** Fields that differ; `before` is undefined for a new channel, `after` for one that is removed. */
export function changedFields(before: ChannelFields | undefined, after: ChannelFields | undefined): FieldChange[] {
  return NAMES.flatMap((field) => {
    const [old, next] = [before?.[field], after?.[field]]
    if (old === next) return []
    const isNothing =
      before === undefined ? isInitial(field, next ?? '') : after === undefined && isInitial(field, old ?? '')
    return isNothing ? [] : [{ field, before: old ?? null, after: next ?? null }]
  })
}

/**
 * The stored settings with what differs in meaning from `next`: JSON that says the same keeps its text, so that nothing is written
 * where nothing changes.
 */
export function settingsToStore(stored: Settings, next: Settings): Settings {
  const keep = <Name extends keyof Settings>(name: Name, field: FieldName): Partial<Settings> =>
    FIELDS[field].of(stored) === FIELDS[field].of(next) ? { [name]: stored[name] } : {}
  return {
    ...next,
    ...keep('modelMapping', 'model_mapping'),
    ...keep('modelConfigs', 'model_configs'),
    ...keep('systemPrompt', 'system_prompt'),
    ...keep('testingModel', 'testing_model'),
    ...keep('inferenceProfileArnMap', 'inference_profile_arn_map'),
    ...keep('config', 'config'),
  }
}

/** Of a channel as a file leaves it: settings, the names of its keys, and whether it is on where the file says so. */
export function channelDigest(
  settings: Settings,
  fingerprints: readonly string[] | undefined,
  status: 'enabled' | 'disabled' | undefined,
): string {
  return sha256(JSON.stringify([channelFields(settings), fingerprints ?? null, status ?? null]))
}

/** Rows that came from elsewhere might hold credentials. */
function publicText(config: string): string {
  const parsed = parsedObject(config)
  if (parsed === undefined || !SECRET_CONFIG_FIELDS.some((name) => Object.hasOwn(parsed, name))) return config
  const shown = Object.entries(parsed).filter(([name]) => !SECRET_CONFIG_FIELDS.some((field) => field === name))
  return JSON.stringify(Object.fromEntries(shown))
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

function json(text: string | null): string {
  if (text === null || text.trim() === '') return ''
  const canonical = canonicalJson(text)
  return canonical === '{}' ? '' : canonical
}
