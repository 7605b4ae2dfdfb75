import type { FieldReader } from '../canon/field-reader.ts'
import type { Sampling } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'

/** The larger cap, because providers differ in which of the two they obey; providers that accept 0 treat it as no cap. */
export function decodeCap(read: FieldReader, body: JsonObject): number | undefined {
  const caps = (['max_tokens', 'max_completion_tokens'] as const).map((name) => read.whole(body[name], name))
  const given = caps.filter((cap) => cap !== undefined)
  return given.length === 0 || given.includes(0) ? undefined : Math.max(...given)
}

export function decodeSampling(read: FieldReader, body: JsonObject): Sampling {
  return {
    temperature: read.number(body['temperature'], 'temperature'),
    topP: read.number(body['top_p'], 'top_p'),
    topK: read.number(body['top_k'], 'top_k'),
    stop: decodeStop(read, body['stop']),
    n: read.whole(body['n'], 'n'),
    seed: read.whole(body['seed'], 'seed') ?? read.whole(body['random_seed'], 'random_seed'),
    presencePenalty: read.number(body['presence_penalty'], 'presence_penalty'),
    frequencyPenalty: read.number(body['frequency_penalty'], 'frequency_penalty'),
    logprobs: read.flag(body['logprobs'], 'logprobs'),
    topLogprobs: read.whole(body['top_logprobs'], 'top_logprobs'),
    logitBias: read.object(body['logit_bias'], 'logit_bias'),
  }
}

function decodeStop(read: FieldReader, stop: unknown): readonly string[] | undefined {
  if (stop === undefined || stop === null) return undefined
  if (typeof stop === 'string') return [stop]
  if (!Array.isArray(stop)) return read.refuse('stop', 'must be a string or a list of strings')
  return stop.map((word, index) => read.needText(word, `stop[${index}]`))
}
