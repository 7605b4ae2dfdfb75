import { SECRET_CONFIG_FIELDS } from '@sluice/contract/channel-kinds'
import type { FieldChange } from '@sluice/contract/configuration/plan'
import { CHANNEL_SETTINGS, type ChannelSettings, settingsOfBody } from '@sluice/contract/fields/channel'
import { sha256 } from './current-state.ts'
import { canonicalJson } from './document/option-values.ts'

/** A channel without its keys: canonical texts by the file's field names. */
export type ChannelFields = ReadonlyMap<string, string>

export function channelFields(settings: ChannelSettings): ChannelFields {
  const values: ChannelSettings = { ...settings, config: publicText(settings.config) }
  return new Map(
    CHANNEL_SETTINGS.map(({ declaredAs, property, kind }) => {
      const text = String(values[property] ?? '')
      return [declaredAs, kind === 'json' ? json(text) : text]
    }),
  )
}

const INITIAL = channelFields(settingsOfBody({}))

export function isInitial(field: string, text: string): boolean {
  return INITIAL.get(field) === text
}

/** The differing fields; `before` is undefined for a new channel, `after` for a removed one. */
export function changedFields(before: ChannelFields | undefined, after: ChannelFields | undefined): FieldChange[] {
  return CHANNEL_SETTINGS.flatMap(({ declaredAs: field }) => {
    const [old, next] = [before?.get(field), after?.get(field)]
    if (old === next) return []
    const isNothing =
      before === undefined ? isInitial(field, next ?? '') : after === undefined && isInitial(field, old ?? '')
    return isNothing ? [] : [{ field, before: old ?? null, after: next ?? null }]
  })
}

/** The stored settings with the changes of `next`. JSON with the same meaning keeps its stored text and is not written. */
export function settingsToStore(stored: ChannelSettings, next: ChannelSettings): ChannelSettings {
  const [before, after] = [channelFields(stored), channelFields(next)]
  const same = CHANNEL_SETTINGS.filter(({ declaredAs }) => before.get(declaredAs) === after.get(declaredAs))
  const kept = same.map(({ property }) => [property, stored[property]] as const)
  return { ...next, ...(Object.fromEntries(kept) as Partial<ChannelSettings>) }
}

/** Digest of a channel as a file leaves it: its settings, the names of its keys, and whether it is on if the file says so. */
export function channelDigest(
  settings: ChannelSettings,
  fingerprints: readonly string[] | undefined,
  status: 'enabled' | 'disabled' | undefined,
): string {
  return sha256(JSON.stringify([Object.fromEntries(channelFields(settings)), fingerprints ?? null, status ?? null]))
}

/** Rows from elsewhere might contain credentials. */
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

function json(text: string): string {
  if (text.trim() === '') return ''
  const canonical = canonicalJson(text)
  return canonical === '{}' ? '' : canonical
}
