import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import type { AnswerFormat, CanonRequest, ReasoningWish, Sampling } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { camelCase, camelObject } from './camel-case.ts'
import { toJsonSchema } from './json-schema.ts'

const KNOWN = new Set([
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'stopSequences',
  'candidateCount',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
])
const THINKING_KNOWN = new Set(['includeThoughts', 'thinkingBudget', 'thinkingLevel'])
const PATH = 'generationConfig'

type Generation = Pick<CanonRequest, 'sampling' | 'format' | 'reasoning' | 'maxTokens' | 'modalities'>

/** `generationConfig`; fields without a counterpart go to `extra` by path. */
export function decodeGeneration(value: unknown, reader: FieldReader, extra: Record<string, unknown>): Generation {
  const config = camelCase(reader.object(value, PATH) ?? {})
  for (const [name, own] of Object.entries(othersThan(config, KNOWN))) extra[`${PATH}.${name}`] = own
  const modalities = words(config['responseModalities'], `${PATH}.responseModalities`, reader)
  return {
    sampling: decodeSampling(config, reader),
    format: decodeFormat(config, reader, extra),
    reasoning: decodeThinking(config['thinkingConfig'], reader, extra),
    maxTokens: reader.whole(config['maxOutputTokens'], `${PATH}.maxOutputTokens`),
    modalities: modalities?.map((word) => word.toLowerCase()),
  }
}

function decodeSampling(config: JsonObject, reader: FieldReader): Sampling {
  const number = (name: string) => reader.number(config[name], `${PATH}.${name}`)
  const whole = (name: string) => reader.whole(config[name], `${PATH}.${name}`)
  return {
    temperature: number('temperature'),
    topP: number('topP'),
    topK: number('topK'),
    stop: words(config['stopSequences'], `${PATH}.stopSequences`, reader),
    n: whole('candidateCount'),
    seed: whole('seed'),
    presencePenalty: number('presencePenalty'),
    frequencyPenalty: number('frequencyPenalty'),
    logprobs: reader.flag(config['responseLogprobs'], `${PATH}.responseLogprobs`),
    topLogprobs: whole('logprobs'),
  }
}

function words(value: unknown, path: string, reader: FieldReader): readonly string[] | undefined {
  const list = reader.list(value, path)
  return list.length === 0 ? undefined : list.map((word, i) => reader.needText(word, `${path}[${i}]`))
}

function decodeFormat(
  config: JsonObject,
  reader: FieldReader,
  extra: Record<string, unknown>,
): AnswerFormat | undefined {
  const type = reader.text(config['responseMimeType'], `${PATH}.responseMimeType`)
  const openApi = reader.object(config['responseSchema'], `${PATH}.responseSchema`)
  const schema =
    reader.object(config['responseJsonSchema'], `${PATH}.responseJsonSchema`) ?? (openApi && toJsonSchema(openApi))
  switch (type) {
    case 'application/json':
      return schema === undefined ? { type: 'json' } : { type: 'schema', schema }
    case undefined:
    case '':
    case 'text/plain':
      if (schema !== undefined)
        reader.refuse(`${PATH}.responseMimeType`, 'must be application/json when a schema is given')
      return type === 'text/plain' ? { type: 'text' } : undefined
    default:
      // Enumerations and other types are Gemini's own.
      extra[`${PATH}.responseMimeType`] = type
      if (schema !== undefined) extra[`${PATH}.responseJsonSchema`] = schema
      return undefined
  }
}

function decodeThinking(
  value: unknown,
  reader: FieldReader,
  extra: Record<string, unknown>,
): ReasoningWish | undefined {
  const path = `${PATH}.thinkingConfig`
  const config = camelObject(reader.object(value, path))
  if (config === undefined) return undefined
  for (const [name, own] of Object.entries(othersThan(config, THINKING_KNOWN))) extra[`${path}.${name}`] = own
  const shown = reader.flag(config['includeThoughts'], `${path}.includeThoughts`)
  const level = reader.text(config['thinkingLevel'], `${path}.thinkingLevel`)?.toLowerCase()
  const isLeftOpen = level === undefined || level === 'thinking_level_unspecified' || level === ''
  const effort = reader.wish(level, `${path}.thinkingLevel`, ['minimal', 'low', 'medium', 'high'])
  if (effort === undefined && !isLeftOpen) extra[`${path}.thinkingLevel`] = config['thinkingLevel']
  const budget = reader.whole(config['thinkingBudget'], `${path}.thinkingBudget`)
  if (budget !== undefined && budget < -1) reader.refuse(`${path}.thinkingBudget`, 'must be -1 or more')
  const wish: ReasoningWish = {
    ...(effort && { effort }),
    ...(budget === 0 ? { off: true } : budget === -1 ? { adaptive: true } : budget === undefined ? {} : { budget }),
    ...(shown === true ? { summary: 'auto' } : {}),
  }
  return Object.keys(wish).length === 0 ? undefined : wish
}
