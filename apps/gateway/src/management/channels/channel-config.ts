import type { JsonObject } from '@sluice/providers/channel-fields/json-object'
import type { ChannelKinds } from '../channel-kinds.ts'

/** Text that is not a JSON object (in rows from elsewhere) reads as empty. */
export function parseConfig(text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/** The text to store and to show: without credentials, empty if nothing is left. */
export function publicConfig(
  { secretConfigFields }: Pick<ChannelKinds, 'secretConfigFields'>,
  config: JsonObject,
): string {
  const shown = Object.entries(config).filter(([name]) => !secretConfigFields.includes(name))
  return shown.length === 0 ? '' : JSON.stringify(Object.fromEntries(shown))
}

/** The members of a config that the stored one lacks or has with another value. */
export function configChanges(config: JsonObject, stored: string): JsonObject {
  const before = parseConfig(stored)
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
  )
}
