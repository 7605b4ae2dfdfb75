import { errorAnswer, faultBeforeAnswer } from './failures.ts'
import { traitsOf } from './models.ts'
import { type Exchange, JSON_HEAD, type Script, SSE_HEAD, type Step } from './script.ts'
import type { Traits } from './traits.ts'

/** OpenAI's calls besides chat. Models behave as their names say, as far as the call allows. */
export const OTHER_CALLS: ReadonlySet<string> = new Set([
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/images/variations',
  '/v1/rerank',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/audio/translations',
])

type Body = Readonly<Record<string, unknown>>
type Answer = Pick<Script, 'headers' | 'steps'>

export const BYTES = Buffer.from('not really a picture, nor a sound')
/** Tokens per picture, seconds per transcribed sound, and the transcript. */
export const PICTURE_TOKENS = 272
export const SECONDS = 2
export const TRANSCRIPT = 'The gate opens at six.'

export function otherScript(path: string, text: string, exchange: Exchange): Script {
  const body = readBody(text)
  const model = body['model']
  if (typeof model !== 'string')
    return { ...errorAnswer(400, 'you must provide a model parameter', 'model'), delayMs: 0 }
  const traits = traitsOf(exchange.as ?? model)
  const fault = faultBeforeAnswer(traits, exchange)
  if (fault !== undefined) return { ...fault, delayMs: traits.delayMs }
  const envelope = { model, created: exchange.created }
  return { status: 200, delayMs: traits.delayMs, ...answerOf(path, body, traits, envelope) }
}

function answerOf(path: string, body: Body, traits: Traits, envelope: Body): Answer {
  switch (path) {
    case '/v1/completions':
      return completion(body, traits, envelope)
    case '/v1/embeddings':
      return json({ ...envelope, object: 'list', data: vectors(body), ...usage(traits, counted(body['input'])) })
    case '/v1/moderations':
      return json({ ...envelope, id: 'modr-emu', results: [{ flagged: false, categories: {}, category_scores: {} }] })
    case '/v1/images/generations':
      return pictures('image_generation', body, traits)
    case '/v1/images/edits':
    case '/v1/images/variations':
      return pictures('image_edit', body, traits)
    case '/v1/rerank':
      return ranking(body, traits)
    case '/v1/audio/speech':
      return speech(body, traits)
    default:
      return transcript(body, traits)
  }
}

function completion(body: Body, traits: Traits, envelope: Body): Answer {
  const words = Array.from({ length: traits.tokens }, (_, i) => (i === 0 ? 'water' : ' water'))
  const head = { ...envelope, id: 'cmpl-emu', object: 'text_completion' }
  const choice = (text: string, finish: string | null) => ({ text, index: 0, logprobs: null, finish_reason: finish })
  const counts = usage(traits, { prompt_tokens: wordsOf(body['prompt']), completion_tokens: words.length })
  if (body['stream'] !== true) return json({ ...head, choices: [choice(words.join(''), 'stop')], ...counts })
  const options = body['stream_options'] as Body | undefined
  return events([
    ...words.map((text) => ({ ...head, choices: [choice(text, null)] })),
    { ...head, choices: [choice('', 'stop')] },
    ...(options?.['include_usage'] === true && traits.reportsUsage ? [{ ...head, choices: [], ...counts }] : []),
    '[DONE]',
  ])
}

/** Floats, or base64 of little-endian floats on request. */
function vectors(body: Body): readonly object[] {
  const inputs = Array.isArray(body['input']) ? body['input'] : [body['input']]
  return inputs.map((_, index) => {
    const vector = [index, 0.5, -0.25]
    const isBase64 = body['encoding_format'] === 'base64'
    const embedding = isBase64 ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
    return { object: 'embedding', index, embedding }
  })
}

/** An edit also reads a picture; a form contains nothing but text. */
function pictures(event: string, body: Body, traits: Traits): Answer {
  const n = Number(body['n'] ?? 1)
  const picture = { b64_json: BYTES.toString('base64') }
  const read = wordsOf(body['prompt'])
  const seen = event === 'image_edit' ? PICTURE_TOKENS : 0
  const counts = usage(traits, {
    input_tokens: read + seen,
    input_tokens_details: { text_tokens: read, image_tokens: seen },
    output_tokens: n * PICTURE_TOKENS,
  })
  if (String(body['stream']) !== 'true')
    return json({ created: 1, data: Array.from({ length: n }, () => picture), ...counts })
  return events([
    { type: `${event}.partial_image`, partial_image_index: 0, ...picture },
    { type: `${event}.completed`, ...picture, ...counts },
  ])
}

/** In the order of the documents; counts tokens, as Jina does. */
function ranking(body: Body, traits: Traits): Answer {
  const documents = Array.isArray(body['documents']) ? body['documents'] : []
  const results = documents.map((_, index) => ({ index, relevance_score: 1 / (index + 2) }))
  return json({ model: body['model'], results, ...usage(traits, { total_tokens: wordsOf(documents) }) })
}

function speech(body: Body, traits: Traits): Answer {
  if (body['stream_format'] !== 'sse') return { headers: { 'content-type': 'audio/mpeg' }, steps: [{ send: BYTES }] }
  const counts = usage(traits, { input_tokens: wordsOf(body['input']), output_tokens: 101 })
  return events([
    { type: 'speech.audio.delta', audio: BYTES.toString('base64') },
    { type: 'speech.audio.done', ...counts },
  ])
}

function transcript(body: Body, traits: Traits): Answer {
  const format = body['response_format'] ?? 'json'
  if (format === 'text' || format === 'srt' || format === 'vtt') {
    return { headers: { 'content-type': 'text/plain; charset=utf-8' }, steps: [{ send: `${TRANSCRIPT}\n` }] }
  }
  const tokens = { input_tokens: 20, input_token_details: { text_tokens: 0, audio_tokens: 20 }, output_tokens: 6 }
  if (body['stream'] === 'true') {
    return events([
      { type: 'transcript.text.delta', delta: TRANSCRIPT },
      { type: 'transcript.text.done', text: TRANSCRIPT, ...usage(traits, { type: 'tokens', ...tokens }) },
    ])
  }
  return json({ text: TRANSCRIPT, ...usage(traits, { type: 'duration', seconds: SECONDS }) })
}

function json(value: object): Answer {
  return { headers: JSON_HEAD, steps: [{ send: JSON.stringify(value) }] }
}

function events(payloads: readonly (object | string)[]): Answer {
  const steps = payloads.map((payload): Step => {
    return { send: `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n` }
  })
  return { headers: SSE_HEAD, steps }
}

function usage({ reportsUsage }: Traits, counts: object): { readonly usage?: object } {
  return reportsUsage ? { usage: counts } : {}
}

const counted = (input: unknown) => ({ prompt_tokens: wordsOf(input), total_tokens: wordsOf(input) })

/** Not a real tokenizer: counts words, at least one. */
function wordsOf(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  return Math.max(1, text.split(/\s+/).filter(Boolean).length)
}

function readBody(text: string): Body {
  if (text.startsWith('--')) {
    const fields = text.matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g)
    return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
  }
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Body) : {}
  } catch {
    return {}
  }
}
