import { type Exchange, JSON_HEAD, type Script, type Step } from './script.ts'
import type { Traits } from './traits.ts'

export type Outcome = Omit<Script, 'delayMs'>

export type ErrorBody = (status: number, error: EmulatedError) => object

export interface EmulatedError {
  readonly message: string
  readonly type: string
  readonly code: string | null
  readonly param: string | null
}

/** By status, with OpenAI's types and codes, except for 402 (DeepSeek's) and 529 (Anthropic's). */
const ERRORS: Readonly<Record<number, readonly [type: string, code: string | null, message: string]>> = {
  400: ['invalid_request_error', 'invalid_value', 'The emulator refuses this request.'],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided: sk-emu****.'],
  402: ['unknown_error', 'invalid_request_error', 'Insufficient Balance'],
  403: ['request_forbidden', 'unsupported_country_region_territory', 'Country, region, or territory not supported'],
  404: ['invalid_request_error', 'model_not_found', 'The model does not exist or you do not have access to it.'],
  429: ['rate_limit_exceeded', 'rate_limit_exceeded', 'Rate limit reached for requests.'],
  529: ['overloaded_error', null, 'Overloaded'],
}

function emulatedError(status: number, problem?: string, param: string | null = null): EmulatedError {
  const [type, code, message] = ERRORS[status] ?? ['server_error', null, 'The emulator had an error.']
  return { message: problem ?? message, type, param, code }
}

const openAiError: ErrorBody = (_, error) => ({ error: error })

/** The event payload with which a stream fails in the middle. */
export function errorInside(body: ErrorBody = openAiError): object {
  return body(500, emulatedError(500))
}

/** A refusal, phrased by `body`; by default in OpenAI's shape. */
export function errorAnswer(
  status: number,
  problem?: string,
  param?: string | null,
  body: ErrorBody = openAiError,
): Outcome {
  const retry: Readonly<Record<string, string>> = status === 429 || status === 503 ? { 'retry-after': '2' } : {}
  const send = JSON.stringify(body(status, emulatedError(status, problem, param)))
  return { status, headers: { ...JSON_HEAD, ...retry }, steps: [{ send }] }
}

/** A failing model's outcome before any part of an answer; undefined for all other models. */
export function faultBeforeAnswer(
  traits: Traits,
  exchange: Exchange,
  body: ErrorBody = openAiError,
): Outcome | undefined {
  if (traits.errorStatus > 0 && exchange.number % traits.errorEvery === 0) return failingStatus(traits, exchange, body)
  switch (traits.fault) {
    case 'cut-before':
      return { status: 200, headers: {}, steps: ['cut'] }
    case 'stall-before':
      return { status: 200, headers: {}, steps: ['hang'] }
    case 'stall-head':
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, steps: ['head', 'hang'] }
    case 'html': {
      const page = '<!doctype html><title>Welcome</title><h1>It works</h1>'
      return { status: 200, headers: { 'content-type': 'text/html' }, steps: [{ send: page }] }
    }
    case 'error-in-200':
      return { status: 200, headers: JSON_HEAD, steps: [{ send: JSON.stringify(errorInside(body)) }] }
    default:
      return undefined
  }
}

function failingStatus(traits: Traits, exchange: Exchange, body: ErrorBody): Outcome {
  const { errorStatus: status, errorCode } = traits
  const { headers } = errorAnswer(status)
  const usual = emulatedError(status)
  const error = errorCode === undefined ? usual : { ...usual, type: errorCode, code: errorCode }
  return {
    status,
    headers: traits.retryAfter === 'usual' ? headers : { ...JSON_HEAD, ...retryHeaders(traits, exchange) },
    steps: [{ send: JSON.stringify(body(status, error)) }],
  }
}

function retryHeaders({ retryAfter, retryIn }: Traits, { created }: Exchange): Readonly<Record<string, string>> {
  switch (retryAfter) {
    case 'seconds':
      return { 'retry-after': String(retryIn) }
    case 'date':
      return { 'retry-after': new Date((created + retryIn) * 1_000).toUTCString() }
    case 'ms':
      return { 'retry-after-ms': String(retryIn) }
    default:
      return {}
  }
}

export interface Breaks {
  readonly error: Step
  /** An unreadable event; by default bytes that are not a frame. */
  readonly malformed?: Step
  /** Number of sends before the fault: those that open the stream, and about three tokens. */
  readonly after?: number
}

/** Tokens before a fault in the middle. */
export const BEFORE_FAULT = 3

/** Applies the model's fault to a stream, in any dialect except chat. */
export function* endsEarly(
  steps: Iterable<Step>,
  traits: Traits,
  { error, malformed = { send: '\u0000{"' }, after = BEFORE_FAULT + 1 }: Breaks,
): Generator<Step> {
  const faults: Readonly<Partial<Record<Traits['fault'], readonly Step[]>>> = {
    'cut-mid': ['cut'],
    'end-mid': [],
    stall: ['hang'],
    malformed: [malformed],
    'error-in-stream': [error],
  }
  const fault = faults[traits.fault]
  let sent = 0
  for (const step of steps) {
    if (sent === after && fault !== undefined) return yield* fault
    if (sent === 2 && traits.silenceMs > 0) yield { waitMs: traits.silenceMs }
    yield step
    if (typeof step !== 'string' && 'send' in step) sent++
  }
}

/** Applies the model's fault to a whole answer: half of it, or something unreadable. */
export function* breaksOff(body: string, traits: Traits): Generator<Step> {
  const waitMs = traits.silenceMs + traits.paceMs * traits.tokens
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

/** Cuts everything into single bytes, even within UTF-8 characters and line ends. */
export function* inBytes(steps: Iterable<Step>, { byteMs }: Pick<Traits, 'byteMs'>): Generator<Step> {
  for (const step of steps) {
    if (typeof step === 'string' || !('send' in step)) {
      yield step
      continue
    }
    for (const byte of Buffer.from(step.send)) {
      yield { send: Uint8Array.of(byte) }
      yield { waitMs: byteMs }
    }
  }
}
