import { type Answer, composeAnswer } from './answer.ts'
import type { ChatRequest } from './chat-request.ts'
import { type Traits, traitsOf } from './models.ts'

/** A response as a list of steps, so that what goes over the wire can be read and tested without a socket. */
export interface Script {
  /** Milliseconds before the head. */
  readonly delayMs: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly steps: Iterable<Step>
}

export type Step =
  | { readonly send: string | Uint8Array }
  | { readonly waitMs: number }
  /** Resets the connection; as first step, before the head. */
  | 'cut'
  /** Leaves the connection open and silent. */
  | 'hang'

/** Facts of one exchange that the answer shows. */
export interface Exchange {
  /** Counts from 1. */
  readonly number: number
  /** Unix seconds. */
  readonly created: number
}

export const JSON_HEAD = { 'content-type': 'application/json' }
export const SSE_HEAD = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
/** Tokens that still arrive before a fault in the middle. */
const BEFORE_FAULT = 3

/** What the model named in the request sends. */
export function scriptFor(request: ChatRequest, exchange: Exchange): Script {
  const traits = traitsOf(request.model)
  const script = scriptOf(request, traits, exchange)
  const steps = traits.bytewise ? inBytes(script.steps) : script.steps
  return { ...script, delayMs: traits.delayMs, steps }
}

/** What a model that fails does before anything of an answer; undefined for all others. */
export function faultBeforeAnswer(traits: Traits, exchange: Exchange): Omit<Script, 'delayMs'> | undefined {
  if (traits.errorStatus > 0 && exchange.number % traits.errorEvery === 0) return errorAnswer(traits.errorStatus)
  if (traits.fault === 'cut-before') return { status: 200, headers: {}, steps: ['cut'] }
  if (traits.fault === 'html') {
    const page = '<!doctype html><title>Welcome</title><h1>It works</h1>'
    return { status: 200, headers: { 'content-type': 'text/html' }, steps: [{ send: page }] }
  }
  if (traits.fault === 'error-in-200') {
    return { status: 200, headers: JSON_HEAD, steps: [{ send: JSON.stringify(errorBody(500)) }] }
  }
  return undefined
}

function scriptOf(request: ChatRequest, traits: Traits, exchange: Exchange): Omit<Script, 'delayMs'> {
  const fault = faultBeforeAnswer(traits, exchange)
  if (fault !== undefined) return fault
  const answer = composeAnswer(request, traits)
  const id = `chatcmpl-emu${exchange.number}`
  const envelope = { id, created: exchange.created, model: request.model, system_fingerprint: 'fp_emulator' }
  return request.stream
    ? { status: 200, headers: SSE_HEAD, steps: streamed(request, traits, answer, envelope) }
    : { status: 200, headers: JSON_HEAD, steps: plain(traits, answer, envelope) }
}

type Envelope = Readonly<Record<string, unknown>>

/** Each token is one frame; usage comes in a frame of its own after the finish, as OpenAI sends it. */
function* streamed(request: ChatRequest, traits: Traits, answer: Answer, envelope: Envelope): Generator<Step> {
  const chunk = (choices: unknown[], more: object = {}) => ({
    ...envelope,
    object: 'chat.completion.chunk',
    choices,
    ...(request.includeUsage && answer.usage !== undefined ? { usage: null } : {}),
    ...more,
  })
  const delta = (content: object) => frame(chunk([{ index: 0, delta: content, logprobs: null, finish_reason: null }]))
  yield delta({ role: 'assistant', content: answer.toolCall === undefined ? '' : null })
  let sent = 0
  for (const piece of deltasOf(answer, traits.reasoningAs)) {
    if (sent === BEFORE_FAULT) {
      const fault = faultInStream(traits)
      if (fault !== undefined) return yield* fault
    }
    if (sent === 1 && traits.silenceMs > 0) yield { waitMs: traits.silenceMs }
    if (sent > 0 && traits.paceMs > 0) yield { waitMs: traits.paceMs }
    yield delta(piece)
    sent++
  }
  yield frame(chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: answer.finish }]))
  if (request.includeUsage && answer.usage !== undefined) yield frame(chunk([], { usage: answer.usage }))
  yield { send: 'data: [DONE]\n\n' }
}

function* deltasOf(answer: Answer, form: Traits['reasoningAs']): Generator<object> {
  const parts = form === 'parts'
  for (const text of answer.reasoning) {
    yield parts ? { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] } : { [form]: text }
  }
  for (const text of answer.content) yield { content: parts ? [{ type: 'text', text }] : text }
  if (answer.toolCall === undefined) return
  const { id, name, pieces } = answer.toolCall
  yield { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] }
  for (const text of pieces) yield { tool_calls: [{ index: 0, function: { arguments: text } }] }
}

/** Undefined when the stream goes on. */
function faultInStream(traits: Traits): Step[] | undefined {
  switch (traits.fault) {
    case 'cut-mid':
      return ['cut']
    case 'end-mid':
      return []
    case 'stall':
      return ['hang']
    case 'malformed':
      return [{ send: 'data: {"id":"chatcmpl-emu","choices":[{"delta":\n\n' }, { send: 'data: [DONE]\n\n' }]
    case 'error-in-stream':
      return [frame(errorBody(500)), { send: 'data: [DONE]\n\n' }]
    default:
      return undefined
  }
}

function* plain(traits: Traits, answer: Answer, envelope: Envelope): Generator<Step> {
  const { toolCall } = answer
  const message = {
    role: 'assistant',
    content: toolCall === undefined ? answer.content.join('') : null,
    ...(answer.reasoning.length > 0 ? { reasoning_content: answer.reasoning.join('') } : {}),
    ...(toolCall === undefined
      ? {}
      : {
          tool_calls: [
            {
              id: toolCall.id,
              type: 'function',
              function: { name: toolCall.name, arguments: toolCall.pieces.join('') },
            },
          ],
        }),
    refusal: null,
  }
  const body = JSON.stringify({
    ...envelope,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finish }],
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
  })
  const waitMs = traits.silenceMs + traits.paceMs * answer.content.length
  if (waitMs > 0) yield { waitMs }
  switch (traits.fault) {
    case 'malformed':
      return yield { send: body.slice(0, -10) }
    case 'cut-mid':
      yield { send: body.slice(0, body.length >> 1) }
      return yield 'cut'
    case 'stall':
      yield { send: body.slice(0, body.length >> 1) }
      return yield 'hang'
    default:
      yield { send: body }
  }
}

function frame(payload: object): Step {
  return { send: `data: ${JSON.stringify(payload)}\n\n` }
}

const ERROR_TYPES: Readonly<Record<number, readonly [type: string, code: string | null, message: string]>> = {
  400: ['invalid_request_error', 'invalid_value', 'The emulator refuses this request.'],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided: sk-emu****.'],
  404: ['invalid_request_error', 'model_not_found', 'The model does not exist or you do not have access to it.'],
  429: ['rate_limit_exceeded', 'rate_limit_exceeded', 'Rate limit reached for requests.'],
}

function errorBody(status: number, problem?: string, param: string | null = null): object {
  const [type, code, message] = ERROR_TYPES[status] ?? ['server_error', null, 'The emulator had an error.']
  return { error: { message: problem ?? message, type, param, code } }
}

/** A refusal in OpenAI's shape. */
export function errorAnswer(status: number, problem?: string, param?: string | null): Omit<Script, 'delayMs'> {
  const retry: Readonly<Record<string, string>> = status === 429 || status === 503 ? { 'retry-after': '2' } : {}
  const send = JSON.stringify(errorBody(status, problem, param))
  return { status, headers: { ...JSON_HEAD, ...retry }, steps: [{ send }] }
}

/** The same in any dialect: a stream that a fault of the model ends, with `error` for those that say so. */
export function* endsEarly(steps: Iterable<Step>, traits: Traits, error: Step): Generator<Step> {
  const faults: Readonly<Partial<Record<Traits['fault'], readonly Step[]>>> = {
    'cut-mid': ['cut'],
    'end-mid': [],
    stall: ['hang'],
    malformed: [{ send: '\u0000{"' }],
    'error-in-stream': [error],
  }
  const fault = faults[traits.fault]
  let sent = 0
  for (const step of steps) {
    if (sent === BEFORE_FAULT + 1 && fault !== undefined) return yield* fault
    if (sent === 2 && traits.silenceMs > 0) yield { waitMs: traits.silenceMs }
    yield step
    if (typeof step !== 'string' && 'send' in step) sent++
  }
}

/** Cuts everything into single bytes, also inside of UTF-8 characters and of line ends. */
export function* inBytes(steps: Iterable<Step>): Generator<Step> {
  for (const step of steps) {
    if (typeof step === 'string' || !('send' in step)) {
      yield step
      continue
    }
    for (const byte of Buffer.from(step.send)) {
      yield { send: Uint8Array.of(byte) }
      yield { waitMs: 0 }
    }
  }
}
