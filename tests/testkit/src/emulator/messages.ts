import { type Answer, composeAnswer } from './answer.ts'
import { readChatRequest } from './chat-request.ts'
import {
  breaksOff,
  endsEarly,
  errorAnswer,
  type ErrorBody,
  errorInside,
  faultBeforeAnswer,
  inBytes,
  type Outcome,
} from './failures.ts'
import { traitsOf } from './models.ts'
import { type Exchange, JSON_HEAD, type Script, SSE_HEAD, type Step } from './script.ts'
import type { Traits } from './traits.ts'

export const MESSAGES_PATH = '/v1/messages'

const STOPS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** A truncated event, followed by the regular end. */
const TORN_THEN_END =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":\n\n' +
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":16}}\n\n' +
  'event: message_stop\ndata: {"type":"message_stop"}\n\n'

const errorBody: ErrorBody = (status, { message }) => ({
  type: 'error',
  error: { type: ERROR_TYPES[status] ?? 'api_error', message },
  request_id: 'req_emulator',
})

export function messagesScript(text: string, exchange: Exchange): Script {
  const request = readChatRequest(asChat(text))
  if ('problem' in request) return { ...errorAnswer(400, request.problem, null, errorBody), delayMs: 0 }
  const traits = traitsOf(exchange.as ?? request.model)
  const { delayMs } = traits
  const fault = faultBeforeAnswer(traits, exchange, errorBody)
  if (fault !== undefined) return { ...fault, delayMs }
  const answer = composeAnswer(request, traits)
  const envelope = { id: `msg_emu${exchange.number}`, type: 'message', role: 'assistant', model: request.model }
  if (!request.stream) return { ...whole(answer, traits, envelope), delayMs }
  const steps = endsEarly(events(answer, traits, envelope), traits, {
    error: event('error', errorInside(errorBody)),
    malformed: { send: TORN_THEN_END },
    after: 5,
  })
  return { status: 200, headers: SSE_HEAD, delayMs, steps: traits.bytewise ? inBytes(steps, traits) : steps }
}

function asChat(text: string): string {
  const { tools, ...body } = JSON.parse(text) as { readonly tools?: readonly object[] }
  return JSON.stringify({ ...body, tools: tools?.map((tool) => ({ function: tool })) })
}

function whole(answer: Answer, traits: Traits, envelope: object): Outcome {
  const { reasoning, content, toolCall, finish, usage } = answer
  const blocks = [
    ...(reasoning.length === 0
      ? []
      : [{ type: 'thinking', thinking: reasoning.join(''), signature: 'c2lnbmVkIGJ5IHRoZSBlbXVsYXRvcg==' }]),
    ...(content.length === 0 ? [] : [{ type: 'text', text: content.join('') }]),
    ...(toolCall === undefined ? [] : [{ ...useOf(toolCall), input: JSON.parse(toolCall.pieces.join('')) as object }]),
  ]
  const counts = { input_tokens: 0, output_tokens: 0, ...countsOf(usage) }
  const body = { ...envelope, content: blocks, stop_reason: STOPS[finish], stop_sequence: null, usage: counts }
  return { status: 200, headers: JSON_HEAD, steps: breaksOff(JSON.stringify(body), traits) }
}

function* events(answer: Answer, { paceMs }: Traits, envelope: object): Generator<Step> {
  const { reasoning, content, toolCall, finish, usage } = answer
  let index = -1
  const block = function* (start: object, deltas: readonly object[]): Generator<Step> {
    index += 1
    yield event('content_block_start', { index, content_block: start })
    for (const delta of deltas) {
      if (paceMs > 0) yield { waitMs: paceMs }
      yield event('content_block_delta', { index, delta })
    }
    yield event('content_block_stop', { index })
  }
  const counts = countsOf(usage)
  const opening = { ...counts, output_tokens: 1 }
  const message = { ...envelope, content: [], stop_reason: null, stop_sequence: null, usage: opening }
  yield event('message_start', { message })
  if (reasoning.length > 0) {
    const thoughts = reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }))
    const signature = { type: 'signature_delta', signature: 'c2lnbmVkIGJ5IHRoZSBlbXVsYXRvcg==' }
    yield* block({ type: 'thinking', thinking: '', signature: '' }, [...thoughts, signature])
  }
  if (content.length > 0) {
    const said = content.map((text) => ({ type: 'text_delta', text }))
    yield* block({ type: 'text', text: '' }, said)
  }
  if (toolCall !== undefined) {
    const args = toolCall.pieces.map((json) => ({ type: 'input_json_delta', partial_json: json }))
    yield* block({ ...useOf(toolCall), input: {} }, args)
  }
  yield event('message_delta', { delta: { stop_reason: STOPS[finish], stop_sequence: null }, usage: counts })
  yield event('message_stop', {})
}

function event(type: string, more: object): Step {
  return { send: `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n` }
}

const useOf = ({ id, name }: NonNullable<Answer['toolCall']>) => ({ type: 'tool_use', id, name })

/** Cached tokens are not included in the other counts. */
function countsOf(usage: Answer['usage']): object {
  if (usage === undefined) return {}
  const cached = usage.prompt_tokens_details.cached_tokens
  return {
    input_tokens: usage.prompt_tokens - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: usage.completion_tokens,
  }
}
