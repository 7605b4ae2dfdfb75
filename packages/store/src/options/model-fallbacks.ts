/** From a model to the models that are called instead when it is not available, in order. */
export type ModelFallbacks = ReadonlyMap<string, readonly string[]>

const MODELS_MAX = 1_000
/** The most fallbacks per model; a single request may try all of them. */
const FALLBACKS_MAX = 5
const NAME = /^\S(.{0,253}\S)?$/

/** Reads `{"model": ["next", …]}`. A model must not be in its own list. Fallbacks are not followed, so cycles do no harm. */
export function parseModelFallbacks(
  parsed: unknown,
): { readonly value: ModelFallbacks } | { readonly problem: string } {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { problem: 'must be a JSON object that maps a model to a list of models' }
  }
  const entries = Object.entries(parsed)
  if (entries.length > MODELS_MAX) return { problem: `may list at most ${MODELS_MAX} models` }
  const value = new Map<string, readonly string[]>()
  for (const [model, list] of entries) {
    const isList = Array.isArray(list) && list.length > 0 && list.length <= FALLBACKS_MAX
    if (
      !NAME.test(model) ||
      !isList ||
      !list.every((name): name is string => typeof name === 'string' && NAME.test(name))
    ) {
      return { problem: `needs a list of 1 to ${FALLBACKS_MAX} model names for "${model.slice(0, 100)}"` }
    }
    if (list.includes(model) || new Set(list).size < list.length) {
      return { problem: `names a model twice for "${model}"` }
    }
    value.set(model, list)
  }
  return { value }
}

export function modelFallbacksText(fallbacks: ModelFallbacks): string {
  return JSON.stringify(Object.fromEntries(fallbacks))
}
