import { type Answer, composeAnswer } from './answer.ts'
import { readChatRequest } from './chat-request.ts'
import { breaksOff, endsEarly, errorAnswer, faultBeforeAnswer, inBytes } from './failures.ts'
import { traitsOf } from './models.ts'
import { type Exchange, JSON_HEAD, type Script, SSE_HEAD, type Step } from './script.ts'
import type { Traits } from './traits.ts'

export const RESPONSES_PATH = '/v1/responses'

type Response = Readonly<Record<string, unknown>>

export function responsesScript(text: string, exchange: Exchange): Script {
  const asked = JSON.parse(text) as ResponsesBody
  const request = readChatRequest(asChat(asked))
  if ('problem' in request) return { ...errorAnswer(400, request.problem, request.param), delayMs: 0 }
  const traits = traitsOf(exchange.as ?? request.model)
  const { delayMs } = traits
  const fault = faultBeforeAnswer(traits, exchange)
  if (fault !== undefined) return { ...fault, delayMs }
  const customs = new Set(
    toolsOf(asked).flatMap(({ type, name }) => (type === 'custom' && name !== undefined ? [name] : [])),
  )
  const answer = { ...composeAnswer(request, traits), customs }
  const { number, created } = exchange
  const envelope = { id: `resp_emu${number}`, object: 'response', created_at: created, model: request.model }
  if (!request.stream) {
    const body = JSON.stringify(completed(answer, envelope))
    return { status: 200, headers: JSON_HEAD, delayMs, steps: breaksOff(body, traits) }
  }
  const failed = { ...begun(envelope), status: 'failed', error: { code: 'server_error', message: 'It broke.' } }
  const steps = endsEarly(events(answer, traits, envelope), traits, {
    error: event('response.failed', { response: failed }),
    malformed: { send: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta",\n\n' },
    after: 6,
  })
  return { status: 200, headers: SSE_HEAD, delayMs, steps: traits.bytewise ? inBytes(steps, traits) : steps }
}

interface ResponsesBody {
  readonly input?: string | readonly (object & { readonly type?: string; readonly tools?: readonly Tool[] })[]
  readonly max_output_tokens?: number
  readonly tools?: readonly Tool[]
}

interface Tool {
  readonly type?: string | undefined
  readonly name?: string
  readonly tools?: readonly Tool[]
}

/** Tools of `tools`, and those that an input item adds; a function in a namespace has two names. */
function toolsOf({ tools = [], input = [] }: ResponsesBody): readonly Tool[] {
  const added =
    typeof input === 'string'
      ? []
      : input.flatMap((item) => (item.type === 'additional_tools' ? (item.tools ?? []) : []))
  return [...tools, ...added].flatMap(({ tools: grouped, ...tool }) =>
    grouped === undefined ? [tool] : grouped.map(({ type, name }) => ({ type, name: `${tool.name}.${name}` })),
  )
}

function asChat(request: ResponsesBody): string {
  const { input, max_output_tokens: cap, ...body } = request
  const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const tools = toolsOf(request).map((tool) => ({ function: tool }))
  return JSON.stringify({ ...body, messages, max_tokens: cap, tools })
}

const begun = (envelope: Response): Response => ({
  ...envelope,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
})

/** With the names of the tools that take free text. */
type ResponsesAnswer = Answer & { readonly customs: ReadonlySet<string> }

function completed(answer: ResponsesAnswer, envelope: Response): Response {
  const isCut = answer.finish === 'length'
  return {
    ...begun(envelope),
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: itemsOf(answer).map(({ item }) => item),
    usage: usageOf(answer.usage),
  }
}

interface Item {
  readonly id: string
  readonly item: object
  /** The item before any part of it is sent, its delta event name, and the deltas. */
  readonly opening: object
  readonly delta: string
  readonly pieces: readonly string[]
}

function itemsOf({ reasoning, content, toolCall, customs }: ResponsesAnswer): readonly Item[] {
  return [
    ...(reasoning.length === 0 ? [] : [thoughtOf(reasoning)]),
    ...(content.length === 0 ? [] : [messageOf(content)]),
    ...(toolCall === undefined ? [] : [customs.has(toolCall.name) ? customCallOf(toolCall) : callOf(toolCall)]),
  ]
}

function thoughtOf(pieces: readonly string[]): Item {
  const item = { id: 'rs_emu', type: 'reasoning', summary: [{ type: 'summary_text', text: pieces.join('') }] }
  return { id: item.id, item, opening: { ...item, summary: [] }, delta: 'reasoning_summary_text', pieces }
}

function messageOf(pieces: readonly string[]): Item {
  const text = { type: 'output_text', text: pieces.join(''), annotations: [], logprobs: [] }
  const item = { id: 'msg_emu', type: 'message', status: 'completed', role: 'assistant', content: [text] }
  return { id: item.id, item, opening: { ...item, status: 'in_progress', content: [] }, delta: 'output_text', pieces }
}

function namesOf({ name }: NonNullable<Answer['toolCall']>): object {
  const [inner = name, namespace] = name.split('.').toReversed()
  return { name: inner, ...(namespace === undefined ? {} : { namespace }) }
}

function callOf(toolCall: NonNullable<Answer['toolCall']>): Item {
  const { id: callId, pieces } = toolCall
  const call = { id: 'fc_emu', type: 'function_call', call_id: callId, ...namesOf(toolCall) }
  const item = { ...call, status: 'completed', arguments: pieces.join('') }
  const opening = { ...call, status: 'in_progress', arguments: '' }
  return { id: call.id, item, opening, delta: 'function_call_arguments', pieces }
}

/** The only argument is the tool's text. */
function customCallOf(toolCall: NonNullable<Answer['toolCall']>): Item {
  const { input = '' } = JSON.parse(toolCall.pieces.join('')) as { readonly input?: string }
  const call = { id: 'ctc_emu', type: 'custom_tool_call', call_id: toolCall.id, ...namesOf(toolCall) }
  const item = { ...call, status: 'completed', input }
  const opening = { ...call, status: 'in_progress', input: '' }
  return { id: call.id, item, opening, delta: 'custom_tool_call_input', pieces: [input] }
}

function* events(answer: ResponsesAnswer, { paceMs }: Traits, envelope: Response): Generator<Step> {
  yield event('response.created', { response: begun(envelope) })
  for (const [at, { id, item, opening, delta, pieces }] of itemsOf(answer).entries()) {
    const place = { item_id: id, output_index: at }
    yield event('response.output_item.added', { output_index: at, item: opening })
    const index = delta === 'output_text' ? { content_index: 0 } : {}
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
    if (delta === 'output_text') yield event('response.content_part.added', { ...place, ...index, part })
    const summary = delta === 'reasoning_summary_text' ? { summary_index: 0 } : {}
    for (const piece of pieces) {
      if (paceMs > 0) yield { waitMs: paceMs }
      yield event(`response.${delta}.delta`, { ...place, ...index, ...summary, delta: piece })
    }
    yield event('response.output_item.done', { output_index: at, item })
  }
  const response = completed(answer, envelope)
  yield event(`response.${String(response['status'])}`, { response })
}

function event(type: string, more: object): Step {
  return { send: `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n` }
}

function usageOf(usage: Answer['usage']): object | null {
  if (usage === undefined) return null
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: usage.prompt_tokens_details,
    output_tokens: usage.completion_tokens,
    output_tokens_details: usage.completion_tokens_details,
    total_tokens: usage.total_tokens,
  }
}
