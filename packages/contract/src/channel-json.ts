import * as v from 'valibot'

const ratio = v.optional(v.pipe(v.number(), v.minValue(0)))

/** A config needs at least one of these; `modelConfig` below checks some of them, the gateway the others. */
const SETTINGS = [
  'ratio',
  'completion_ratio',
  'max_tokens',
  'cached_input_ratio',
  'cache_write_5m_ratio',
  'cache_write_1h_ratio',
  'reasoning_ratio',
  'tiers',
  'time_windows',
  'audio',
  'image',
  'video',
  'embedding',
  'per_call',
] as const

/** Per-model settings of a channel: price ratios (1 = 0.002 currency units per 1,000 tokens), a token cap, other prices. */
const modelConfig = v.pipe(
  v.looseObject({
    ratio,
    completion_ratio: ratio,
    max_tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
  v.check(
    (config) => SETTINGS.some((name) => config[name] !== undefined),
    'Model config needs at least one of ratio, completion_ratio, max_tokens',
  ),
)

const MAX_JSON_TEXT = 200_000

/** What is wrong with a channel's JSON text, as data for the console to translate. `jsonProblemText` puts it in words. */
export type JsonProblem =
  | { readonly kind: 'format' | 'configs_not_object' | 'empty_name' }
  | { readonly kind: 'config_not_object' | 'config_empty'; readonly model: string }
  | { readonly kind: 'config_field'; readonly model: string; readonly field: string }
  | { readonly kind: 'value_not_text'; readonly name: string }

function jsonProblemText(problem: JsonProblem): string {
  switch (problem.kind) {
    case 'format':
      return 'Invalid JSON format'
    case 'configs_not_object':
      return 'Model configs must be a JSON object'
    case 'empty_name':
      return 'Model name cannot be empty'
    case 'config_not_object':
      return `The config of model "${problem.model}" must be a JSON object`
    case 'config_empty':
      return `Model "${problem.model}" needs at least one of ratio, completion_ratio, max_tokens`
    case 'config_field':
      return `Invalid ${problem.field} for model "${problem.model}"`
    case 'value_not_text':
      return `The value of "${problem.name}" must be text`
  }
}

/** Undefined when `text` is empty or a JSON object of model configs. */
export function findModelConfigsProblem(text: string): JsonProblem | undefined {
  if (text.trim() === '') return undefined
  const parsed = parseJson(text)
  if (parsed === undefined) return { kind: 'format' }
  if (!isObject(parsed)) return { kind: 'configs_not_object' }
  for (const [model, config] of Object.entries(parsed)) {
    if (model.trim() === '') return { kind: 'empty_name' }
    if (!isObject(config)) return { kind: 'config_not_object', model }
    const checked = v.safeParse(modelConfig, config, { abortEarly: true })
    if (checked.success) continue
    const field = v.getDotPath(checked.issues[0])
    return field === null ? { kind: 'config_empty', model } : { kind: 'config_field', model, field }
  }
  return undefined
}

/** Undefined when `text` is empty or a JSON object whose values are texts. */
export function findTextMapProblem(text: string): JsonProblem | undefined {
  if (text.trim() === '') return undefined
  const parsed = parseJson(text)
  if (!isObject(parsed)) return { kind: 'format' }
  const wrong = Object.entries(parsed).find(([, value]) => typeof value !== 'string')
  return wrong === undefined ? undefined : { kind: 'value_not_text', name: wrong[0] }
}

/** Undefined when `text` is empty or a JSON object. */
export function findObjectProblem(text: string): JsonProblem | undefined {
  return text.trim() === '' || isObject(parseJson(text)) ? undefined : { kind: 'format' }
}

export type FindProblem = (text: string) => JsonProblem | undefined

export function brokenRule(find: FindProblem, text: string): string | undefined {
  const problem = find(text)
  return problem && jsonProblemText(problem)
}

/** A text field that must satisfy `find`; the error message is the violated rule. */
/* @__NO_SIDE_EFFECTS__ */
export function jsonText(find: FindProblem) {
  return v.pipe(
    v.string(),
    v.maxLength(MAX_JSON_TEXT, `is limited to ${MAX_JSON_TEXT} characters`),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? brokenRule(find, dataset.value) : undefined
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
