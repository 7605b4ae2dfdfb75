import type { ChannelKinds, Config } from '../channel-kinds.ts'

/** Reads a `config` text. Text that is not a JSON object (in rows from elsewhere) reads as empty. */
export function parseConfig(text: string): Config {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/** The text to store and to show: without credentials, empty when nothing is left. */
export function publicConfig({ secretConfigFields }: Pick<ChannelKinds, 'secretConfigFields'>, config: Config): string {
  const shown = Object.entries(config).filter(([name]) => !secretConfigFields.includes(name))
  return shown.length === 0 ? '' : JSON.stringify(Object.fromEntries(shown))
}

/** The members of a config that are missing from the stored one or differ from it. */
export function configChanges(config: Config, stored: string): Config {
  const before = parseConfig(stored)
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
  )
}
