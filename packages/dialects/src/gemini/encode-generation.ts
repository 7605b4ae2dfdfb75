import type { Target } from '../canon/codec.ts'
import { hasFixedSampling } from '../canon/efforts.ts'
import type { Losses } from '../canon/losses.ts'
import type { AnswerFormat, CanonRequest } from '../canon/request.ts'
import { isRequested } from '../canon/requested-sampling.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeThinking } from './encode-thinking.ts'
import { isThirdGeneration } from './model-version.ts'

const STOP_LIMIT = 5

/** `generationConfig`; empty if the client set nothing. */
export function encodeGeneration(request: CanonRequest, target: Target, losses: Losses): JsonObject {
  const { maxTokens, modalities, reasoning, extra } = request
  const thinking = encodeThinking(reasoning, target, extra.dialect === 'gemini', losses)
  const limit = target.takes.maxOutput
  if (maxTokens !== undefined && limit !== undefined && maxTokens > limit) losses.changed('max_tokens')
  return {
    ...encodeSampling(request, target, losses),
    ...given('maxOutputTokens', maxTokens === undefined ? undefined : Math.min(maxTokens, limit ?? maxTokens)),
    ...given(
      'responseModalities',
      modalities?.map((modality) => modality.toUpperCase()),
    ),
    ...encodeFormat(formatBesideTools(request, target, losses), losses),
    ...given('thinkingConfig', thinking),
  }
}

function encodeSampling({ sampling, reasoning }: CanonRequest, { takes }: Target, losses: Losses): JsonObject {
  const { temperature, topP, topK, stop, n, seed, presencePenalty, frequencyPenalty } = sampling
  const isLocked = hasFixedSampling(reasoning, takes)
  const take = <Value>(what: string, value: Value | undefined, isTaken: boolean, isIdle = false): Value | undefined => {
    if (value !== undefined && !isTaken && !isIdle) losses.dropped(what)
    return isTaken ? value : undefined
  }
  if (stop !== undefined && stop.length > STOP_LIMIT) losses.changed('stop')
  // Answer events describe a single choice without probabilities, so requesting more would only cost more.
  if (n !== undefined && n > 1) losses.changed('n')
  if (sampling.logprobs === true) losses.dropped('logprobs')
  if (isRequested('topLogprobs', sampling.topLogprobs)) losses.dropped('top_logprobs')
  if (isRequested('logitBias', sampling.logitBias)) losses.dropped('logit_bias')
  return {
    ...given('temperature', take('temperature', temperature, !isLocked)),
    ...given('topP', take('top_p', topP, !isLocked)),
    ...given('topK', take('top_k', topK, !isLocked && takes.topK !== false)),
    ...given('stopSequences', take('stop', stop?.slice(0, STOP_LIMIT), takes.stop !== false)),
    ...given('candidateCount', n === 1 ? n : undefined),
    ...given('seed', seed),
    ...given(
      'presencePenalty',
      take('presence_penalty', presencePenalty, takes.penalties !== false, presencePenalty === 0),
    ),
    ...given(
      'frequencyPenalty',
      take('frequency_penalty', frequencyPenalty, takes.penalties !== false, frequencyPenalty === 0),
    ),
  }
}

/** Models before the third generation refuse a format together with functions. */
function formatBesideTools({ format, tools, extra }: CanonRequest, { model }: Target, losses: Losses) {
  const isRefused = tools.length > 0 && !isThirdGeneration(model) && extra.dialect !== 'gemini'
  if (!isRefused || format === undefined || format.type === 'text') return format
  losses.dropped('response_format')
  return undefined
}

/** Gemini has no name for a schema, and always follows it strictly. */
function encodeFormat(format: AnswerFormat | undefined, losses: Losses): JsonObject {
  switch (format?.type) {
    case undefined:
      return {}
    case 'text':
      return { responseMimeType: 'text/plain' }
    case 'json':
      return { responseMimeType: 'application/json' }
    case 'schema':
      if (format.description !== undefined) losses.dropped('response_format.json_schema.description')
      return { responseMimeType: 'application/json', responseJsonSchema: format.schema }
  }
}

function given(name: string, value: unknown): JsonObject {
  return value === undefined ? {} : { [name]: value }
}
