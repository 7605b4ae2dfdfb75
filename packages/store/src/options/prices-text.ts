/** A text of this length fits into a management API request, whatever characters it has. */
const LENGTH_MAX = 500_000
const MODELS_MAX = 2_000
const NAME = /^\S(.{0,253}\S)?$/

/**
 * What is wrong with the outer form of a price text, a JSON object from model to anything; undefined if nothing is, or it is blank.
 */
export function pricesTextProblem(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return `is limited to ${LENGTH_MAX} characters`
  if (text.trim() === '') return undefined
  const parsed = parseObject(text)
  if (parsed === undefined) return 'must be a JSON object that maps a model to its prices'
  const models = Object.keys(parsed)
  if (models.length > MODELS_MAX) return `may list at most ${MODELS_MAX} models, but lists ${models.length}`
  const odd = models.find((model) => !NAME.test(model))
  return odd === undefined
    ? undefined
    : `names the model "${odd.slice(0, 100)}": a name has 1 to 255 characters and no leading or trailing space`
}

function parseObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
