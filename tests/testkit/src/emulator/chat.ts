import { type Answer, composeAnswer } from './answer.ts'
import type { ChatRequest } from './chat-request.ts'
import { BEFORE_FAULT, breaksOff, errorInside, faultBeforeAnswer, inBytes, type Outcome } from './failures.ts'
import { traitsOf } from './models.ts'
import { type Exchange, JSON_HEAD, type Script, SSE_HEAD, type Step } from './script.ts'
import type { Traits } from './traits.ts'

export function chatScript(request: ChatRequest, exchange: Exchange): Script {
  const traits = traitsOf(exchange.as ?? request.model)
  const script = scriptOf(request, traits, exchange)
  const steps = traits.bytewise ? inBytes(script.steps, traits) : script.steps
  return { ...script, delayMs: traits.delayMs, steps }
}

function scriptOf(request: ChatRequest, traits: Traits, exchange: Exchange): Outcome {
  const fault = faultBeforeAnswer(traits, exchange)
  if (fault !== undefined) return fault
  const answer = composeAnswer(request, traits)
  const id = `chatcmpl-emu${exchange.number}`
  const envelope = { id, created: exchange.created, model: request.model, system_fingerprint: 'fp_emulator' }
  return request.stream
    ? { status: 200, headers: SSE_HEAD, steps: streamed(request, traits, answer, envelope, exchange.now) }
    : { status: 200, headers: JSON_HEAD, steps: plain(traits, answer, envelope) }
}

type Envelope = Readonly<Record<string, unknown>>

/** Each token is one frame; usage is sent in a separate frame after the finish, as OpenAI sends it. */
function* streamed(
  request: ChatRequest,
  traits: Traits,
  answer: Answer,
  envelope: Envelope,
  now: () => number,
): Generator<Step> {
  const chunk = (choices: unknown[], more: object = {}) => ({
    ...envelope,
    object: 'chat.completion.chunk',
    choices,
    ...(request.includeUsage && answer.usage !== undefined ? { usage: null } : {}),
    ...more,
  })
  const delta = (content: object) => frame(chunk([{ index: 0, delta: content, logprobs: null, finish_reason: null }]))
  const began = now()
  // Measured streams follow the clock; otherwise one delay that affected all of them would keep them in step from then on.
  const waitFor = (token: number) =>
    traits.tellsTime ? Math.max(1, began + token * traits.paceMs - now()) : traits.paceMs
  yield delta({ role: 'assistant', content: answer.toolCall === undefined ? '' : null })
  let sent = 0
  for (const piece of deltasOf(answer, traits.reasoningAs)) {
    if (sent === BEFORE_FAULT) {
      const fault = faultInStream(traits)
      if (fault !== undefined) return yield* fault
    }
    if (sent === 1 && traits.silenceMs > 0) yield { waitMs: traits.silenceMs }
    if (sent > 0 && traits.paceMs > 0) yield { waitMs: waitFor(sent) }
    yield delta(traits.tellsTime ? { content: ` ${now()}` } : piece)
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
      return [frame(errorInside()), { send: 'data: [DONE]\n\n' }]
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
  yield* breaksOff(body, { ...traits, tokens: answer.content.length })
}

function frame(payload: object): Step {
  return { send: `data: ${JSON.stringify(payload)}\n\n` }
}
