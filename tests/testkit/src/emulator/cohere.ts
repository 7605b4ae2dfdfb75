import { type Answer, composeAnswer } from './answer.ts'
import { readChatRequest } from './chat-request.ts'
import { endsEarly, faultBeforeAnswer, inBytes } from './failures.ts'
import { traitsOf } from './models.ts'
import { type Exchange, JSON_HEAD, type Script, SSE_HEAD, type Step } from './script.ts'
import type { Traits } from './traits.ts'

export const COHERE_PATH = '/v2/chat'

const REASONS = { stop: 'COMPLETE', length: 'MAX_TOKENS', tool_calls: 'TOOL_CALL' } as const

export function cohereScript(text: string, exchange: Exchange): Script {
  const request = readChatRequest(text)
  if ('problem' in request) {
    const send = JSON.stringify({ id: 'emulator', message: request.problem })
    return { status: 400, headers: JSON_HEAD, delayMs: 0, steps: [{ send }] }
  }
  const traits = traitsOf(exchange.as ?? request.model)
  const { delayMs } = traits
  const fault = faultBeforeAnswer(traits, exchange)
  if (fault !== undefined) return { ...fault, delayMs }
  const answer = composeAnswer(request, traits)
  const id = `emu-${exchange.number}`
  if (!request.stream)
    return { status: 200, headers: JSON_HEAD, delayMs, steps: [{ send: JSON.stringify(whole(answer, id)) }] }
  const broken = event('message-end', { delta: { finish_reason: 'ERROR', error: 'It broke.' } })
  const steps = endsEarly(events(answer, traits, id), traits, { error: broken })
  return { status: 200, headers: SSE_HEAD, delayMs, steps: traits.bytewise ? inBytes(steps, traits) : steps }
}

function whole({ reasoning, content, toolCall, finish, usage }: Answer, id: string): object {
  const thought = reasoning.length === 0 ? [] : [{ type: 'thinking', thinking: reasoning.join('') }]
  const said = content.length === 0 ? [] : [{ type: 'text', text: content.join('') }]
  const calls =
    toolCall === undefined
      ? {}
      : { tool_plan: 'I will look.', tool_calls: [callOf(toolCall, toolCall.pieces.join(''))] }
  const message = { role: 'assistant', content: [...thought, ...said], ...calls }
  return { id, finish_reason: REASONS[finish], message, ...usageOf(usage) }
}

function* events(
  { reasoning, content, toolCall, finish, usage }: Answer,
  { paceMs }: Traits,
  id: string,
): Generator<Step> {
  const said = (type: string, index: number, message: object) => event(type, { index, delta: { message } })
  const block = function* (index: number, key: 'text' | 'thinking', texts: readonly string[]): Generator<Step> {
    yield said('content-start', index, { content: { type: key, [key]: '' } })
    for (const text of texts) {
      if (paceMs > 0) yield { waitMs: paceMs }
      yield said('content-delta', index, { content: { [key]: text } })
    }
    yield event('content-end', { index })
  }
  yield event('message-start', { id, delta: { message: { role: 'assistant', content: [] } } })
  if (reasoning.length > 0) yield* block(0, 'thinking', reasoning)
  if (content.length > 0) yield* block(Math.min(1, reasoning.length), 'text', content)
  if (toolCall !== undefined) {
    yield event('tool-plan-delta', { delta: { message: { tool_plan: 'I will look.' } } })
    yield said('tool-call-start', 0, { tool_calls: callOf(toolCall, '') })
    for (const piece of toolCall.pieces) {
      yield said('tool-call-delta', 0, { tool_calls: { function: { arguments: piece } } })
    }
    yield event('tool-call-end', { index: 0 })
  }
  yield event('message-end', { delta: { finish_reason: REASONS[finish], ...usageOf(usage) } })
}

function event(type: string, more: object): Step {
  return { send: `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n` }
}

const callOf = ({ id, name }: NonNullable<Answer['toolCall']>, args: string) => {
  return { id, type: 'function', function: { name, arguments: args } }
}

/** Billed units, and token counts, which include the unbilled tokens of Cohere's own prompt frame. */
function usageOf(usage: Answer['usage']): object {
  if (usage === undefined) return {}
  const counts = { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens }
  return { usage: { billed_units: counts, tokens: { ...counts, input_tokens: counts.input_tokens + 60 } } }
}
