import { awsEvent, awsException } from '../aws-message.ts'
import { type Answer, composeAnswer } from './answer.ts'
import { readChatRequest } from './chat-request.ts'
import { endsEarly, faultBeforeAnswer, inBytes } from './failures.ts'
import { traitsOf } from './models.ts'
import { type Exchange, JSON_HEAD, type Script, type Step } from './script.ts'
import type { Traits } from './traits.ts'

/** Bedrock's Converse: `/model/{id}/converse` and `/model/{id}/converse-stream`. */
export const CONVERSE_PATH = /^\/model\/([^/]+)\/converse(-stream)?$/
/** Signature of every thought; others are refused, as at Bedrock. */
const SIGNATURE = 'c2lnbmVkIGJ5IHRoZSBlbXVsYXRvcg=='

const STREAM_HEAD = { 'content-type': 'application/vnd.amazon.eventstream' }
const STOPS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const

export function converseScript(path: string, text: string, exchange: Exchange): Script {
  const [, id = '', streamed] = CONVERSE_PATH.exec(path) ?? []
  const model = decodeURIComponent(id)
  const traits = traitsOf(exchange.as ?? model)
  const request = readChatRequest(asChat(model, text))
  if ('problem' in request) return refused(request.problem)
  if (/"signature":"(?!c2lnbmVkIGJ5IHRoZSBlbXVsYXRvcg==")/.test(text))
    return refused('Invalid signature in thinking block')
  const fault = faultBeforeAnswer(traits, exchange)
  if (fault !== undefined) return { ...fault, delayMs: traits.delayMs }
  const answer = composeAnswer(request, traits)
  if (streamed === undefined) return { ...whole(answer), delayMs: traits.delayMs }
  const steps = endsEarly(events(answer, traits), traits, {
    error: { send: awsException('internalServerException', 'It broke.') },
  })
  return {
    status: 200,
    headers: STREAM_HEAD,
    delayMs: traits.delayMs,
    steps: traits.bytewise ? inBytes(steps, traits) : steps,
  }
}

function asChat(model: string, text: string): string {
  const { messages, inferenceConfig, toolConfig } = JSON.parse(text) as ConverseBody
  const tools = toolConfig?.tools.flatMap(({ toolSpec }) => (toolSpec === undefined ? [] : [{ function: toolSpec }]))
  return JSON.stringify({ model, messages, max_tokens: inferenceConfig?.maxTokens, tools })
}

interface ConverseBody {
  readonly messages?: readonly object[]
  readonly inferenceConfig?: { readonly maxTokens?: number }
  readonly toolConfig?: { readonly tools: readonly { readonly toolSpec?: object }[] }
}

function refused(message: string): Script {
  return { status: 400, headers: JSON_HEAD, delayMs: 0, steps: [{ send: JSON.stringify({ message }) }] }
}

function whole(answer: Answer): Omit<Script, 'delayMs'> {
  const { reasoning, content, toolCall, finish } = answer
  const thought = { reasoningText: { text: reasoning.join(''), signature: SIGNATURE } }
  const blocks = [
    ...(reasoning.length === 0 ? [] : [{ reasoningContent: thought }]),
    ...(content.length === 0 ? [] : [{ text: content.join('') }]),
    ...(toolCall === undefined
      ? []
      : [{ toolUse: { ...useOf(toolCall), input: JSON.parse(toolCall.pieces.join('')) } }]),
  ]
  const message = { role: 'assistant', content: blocks }
  const body = { output: { message }, stopReason: STOPS[finish], ...usageOf(answer), metrics: { latencyMs: 1 } }
  return { status: 200, headers: JSON_HEAD, steps: [{ send: JSON.stringify(body) }] }
}

function* events({ reasoning, content, toolCall, finish, ...rest }: Answer, { paceMs }: Traits): Generator<Step> {
  let block = -1
  const event = (type: string, more: object): Step => ({ send: awsEvent(type, { ...more, p: 'abcdefgh' }) })
  const delta = (more: object) => event('contentBlockDelta', { contentBlockIndex: block, delta: more })
  const pieces = function* (texts: readonly string[], tell: (text: string) => object): Generator<Step> {
    block += 1
    for (const text of texts) {
      if (paceMs > 0) yield { waitMs: paceMs }
      yield delta(tell(text))
    }
  }
  const stop = () => event('contentBlockStop', { contentBlockIndex: block })
  yield event('messageStart', { role: 'assistant' })
  if (reasoning.length > 0) {
    yield* pieces(reasoning, (text) => ({ reasoningContent: { text } }))
    yield delta({ reasoningContent: { signature: SIGNATURE } })
    yield stop()
  }
  if (content.length > 0) {
    yield* pieces(content, (text) => ({ text }))
    yield stop()
  }
  if (toolCall !== undefined) {
    const start = { toolUse: useOf(toolCall) }
    yield event('contentBlockStart', { contentBlockIndex: block + 1, start })
    yield* pieces(toolCall.pieces, (input) => ({ toolUse: { input } }))
    yield stop()
  }
  yield event('messageStop', { stopReason: STOPS[finish] })
  yield event('metadata', { ...usageOf(rest), metrics: { latencyMs: 1 } })
}

const useOf = ({ id, name }: NonNullable<Answer['toolCall']>) => ({ toolUseId: id, name })

/** Cached tokens are not included in the other counts. */
function usageOf({ usage }: Pick<Answer, 'usage'>): object {
  if (usage === undefined) return {}
  const { prompt_tokens: prompt, completion_tokens: outputTokens, prompt_tokens_details: details } = usage
  const cached = details.cached_tokens
  return { usage: { inputTokens: prompt - cached, cacheReadInputTokens: cached, outputTokens } }
}
