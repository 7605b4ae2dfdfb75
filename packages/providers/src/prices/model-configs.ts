import { type Decimal, decimalOfNumber } from './decimal.ts'

/** What an administrator set for one model of a channel. Ratio 1 = 1 quota per input token = 2 USD per million. */
export interface ModelConfig {
  readonly ratio?: Decimal
  /** Output price as a multiple of the input price. */
  readonly completionRatio?: Decimal
  /** Cap on output tokens; 0 is "not set". */
  readonly maxTokens?: number
}
export type ModelConfigs = ReadonlyMap<string, ModelConfig>

/** Dearest ratio that is believed: two million USD per million tokens. */
const RATIO_LIMIT = 1_000_000
const TOKENS_LIMIT = 2 ** 31 - 1

/**
 * Reads a channel's `model_configs` text; null or blank is empty. Other members than the three are left alone: they
 * belong to features of the family that do not set a price here. Parse once per channel, not per request.
 */
export function parseModelConfigs(text: string | null): ModelConfigs | { readonly problem: string } {
  if (text === null || text.trim() === '') return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'Invalid JSON format' }
  }
  if (!isObject(value)) return { problem: 'Model configs must be a JSON object' }
  const configs = new Map<string, ModelConfig>()
  for (const [model, entry] of Object.entries(value)) {
    const config = parseConfig(model, entry)
    if ('problem' in config) return config
    configs.set(model, config)
  }
  return configs
}

function parseConfig(model: string, entry: unknown): ModelConfig | { readonly problem: string } {
  if (model.trim() === '') return { problem: 'Model name cannot be empty' }
  if (!isObject(entry)) return { problem: `Invalid config for model "${model}": must be a JSON object` }
  const { ratio, completion_ratio: completionRatio, max_tokens: maxTokens } = entry
  if (ratio === undefined && completionRatio === undefined && maxTokens === undefined) {
    return { problem: `Model "${model}" needs at least one of ratio, completion_ratio, max_tokens` }
  }
  const price = readRatio(ratio)
  if (price === 'invalid') return invalid('ratio', model, `must be a number from 0 to ${RATIO_LIMIT}`)
  const multiple = readRatio(completionRatio)
  if (multiple === 'invalid') return invalid('completion_ratio', model, `must be a number from 0 to ${RATIO_LIMIT}`)
  if (maxTokens !== undefined && !isTokenCount(maxTokens)) {
    return invalid('max_tokens', model, `must be a whole number from 0 to ${TOKENS_LIMIT}`)
  }
  return {
    ...(price === undefined ? {} : { ratio: price }),
    ...(multiple === undefined ? {} : { completionRatio: multiple }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  }
}

function invalid(field: string, model: string, rule: string): { readonly problem: string } {
  return { problem: `Invalid ${field} for model "${model}": ${rule}` }
}

function readRatio(value: unknown): Decimal | undefined | 'invalid' {
  if (value === undefined) return undefined
  return typeof value === 'number' && value <= RATIO_LIMIT ? (decimalOfNumber(value) ?? 'invalid') : 'invalid'
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= TOKENS_LIMIT
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
