export type ModelMapping = ReadonlyMap<string, string>

/** Reads a channel's `model_mapping` text; null or blank is an empty mapping. */
export function parseModelMapping(text: string | null): ModelMapping | { readonly problem: string } {
  if (text === null || text.trim() === '') return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'Invalid JSON format' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'Model mapping must be a JSON object' }
  }
  const mapping = new Map<string, string>()
  for (const [from, to] of Object.entries(value as Record<string, unknown>)) {
    if (from.trim() === '') return { problem: 'Model name cannot be empty' }
    if (typeof to !== 'string' || to.trim() === '') {
      return { problem: `Invalid mapping for model "${from}": must be a model name` }
    }
    mapping.set(from, to)
  }
  return mapping
}

/** Applied once, by exact name, without chains. */
export function mapModel(mapping: ModelMapping, model: string): string {
  return mapping.get(model) ?? model
}
