export type JsonObject = Readonly<Record<string, unknown>>

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

/** Trimmed; empty for an absent value or another type. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
