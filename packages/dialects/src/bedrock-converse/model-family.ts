/** The model's vendor, which determines the model-specific fields; undefined if unknown. */
export type ModelFamily = 'anthropic' | 'nova' | 'openai' | 'cohere' | 'mistral' | 'other' | undefined

const FAMILIES: readonly (readonly [RegExp, ModelFamily])[] = [
  [/anthropic|claude/i, 'anthropic'],
  [/amazon[.]nova|\bnova-/i, 'nova'],
  [/openai|gpt-oss/i, 'openai'],
  [/cohere|command-r/i, 'cohere'],
  [/mistral|mixtral|pixtral|magistral/i, 'mistral'],
  // The ARN of a profile with a custom name does not reveal the family.
  [/^arn:[^/]*[/](?!.*[.])/i, undefined],
]

/** `model` is a model id, an inference profile or an ARN. */
export function familyOf(model: string): ModelFamily {
  const found = FAMILIES.find(([pattern]) => pattern.test(model))
  return found === undefined ? 'other' : found[1]
}

/** Other models refuse a request with a cache point. */
export function takesCachePoints(family: ModelFamily): boolean {
  return family === 'anthropic' || family === 'nova' || family === undefined
}
