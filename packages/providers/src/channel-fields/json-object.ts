export type JsonObject = Readonly<Record<string, unknown>>

/** The object in a JSON text; undefined for everything else. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that is a text, trimmed; empty when it is absent or something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
