import * as v from 'valibot'

/** Per-model settings of a channel: price ratios (1 = 0.002 currency units per 1,000 tokens) and a token cap. */
export const modelConfig = v.pipe(
  v.object({
    ratio: v.optional(v.pipe(v.number(), v.minValue(0))),
    completion_ratio: v.optional(v.pipe(v.number(), v.minValue(0))),
    max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
  v.check(
    (config) => config.ratio !== undefined || config.completion_ratio !== undefined || config.max_tokens !== undefined,
    'Model config needs at least one of ratio, completion_ratio, max_tokens',
  ),
)
export type ModelConfig = v.InferOutput<typeof modelConfig>

const MAX_JSON_TEXT = 200_000

/** What is wrong with the text of `model_configs`; undefined when it is a JSON object of model configs, or empty. */
export function modelConfigsProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const parsed = parseJson(text)
  if (parsed === undefined) return 'Invalid JSON format'
  if (!isObject(parsed)) return 'Model configs must be a JSON object'
  for (const [model, config] of Object.entries(parsed)) {
    if (model.trim() === '') return 'Model name cannot be empty'
    if (!isObject(config)) return `The config of model "${model}" must be a JSON object`
    const checked = v.safeParse(modelConfig, config, { abortEarly: true })
    if (checked.success) continue
    const field = v.getDotPath(checked.issues[0])
    return field === null
      ? `Model "${model}" needs at least one of ratio, completion_ratio, max_tokens`
      : `Invalid ${field} for model "${model}"`
  }
  return undefined
}

/** What is wrong with the text of a JSON object from names to texts; undefined when it is one, or empty. */
export function textMapProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const parsed = parseJson(text)
  if (!isObject(parsed)) return 'Invalid JSON format'
  const wrong = Object.entries(parsed).find(([, value]) => typeof value !== 'string')
  return wrong === undefined ? undefined : `The value of "${wrong[0]}" must be a text`
}

/** What is wrong with the text of a JSON object; undefined when it is one, or empty. */
export function objectProblem(text: string): string | undefined {
  return text.trim() === '' || isObject(parseJson(text)) ? undefined : 'Invalid JSON format'
}

/** A text field that must hold what `problem` accepts; its message is the rule that was broken. */
export function jsonText(problem: (text: string) => string | undefined) {
  return v.pipe(
    v.string(),
    v.maxLength(MAX_JSON_TEXT, `is limited to ${MAX_JSON_TEXT} characters`),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? problem(dataset.value) : undefined
      if (message !== undefined) addIssue({ message })
    }),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
