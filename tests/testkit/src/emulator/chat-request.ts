import { type AgentWork, workOf } from './agent-work.ts'

/** The parts of an OpenAI chat request that affect the emulator's answer. */
export interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly maxTokens: number | undefined
  readonly tool: string | undefined
  /** Words of all message texts, plus 3 per message: not a real tokenizer, but deterministic. */
  readonly promptTokens: number
  /** Selects the words of the answer; depends only on the message texts. */
  readonly seed: number
  readonly question: string
  readonly work?: AgentWork | undefined
}

export interface BadRequest {
  readonly problem: string
  readonly param: string | null
}

export function readChatRequest(body: string): ChatRequest | BadRequest {
  const parsed = parseJson(body)
  if (!isRecord(parsed)) return { problem: 'The body must be a JSON object.', param: null }
  const { model, messages, stream, stream_options: options, tools } = parsed
  if (typeof model !== 'string' || model === '')
    return { problem: 'you must provide a model parameter', param: 'model' }
  if (!Array.isArray(messages) || messages.length === 0) {
    return { problem: "'messages' must be a non-empty array.", param: 'messages' }
  }
  const text = messages.map(textOf).join('\n')
  const question = textOf(messages.findLast((message) => isRecord(message) && message['role'] === 'user'))
  const cap = parsed['max_completion_tokens'] ?? parsed['max_tokens']
  return {
    model,
    stream: stream === true,
    includeUsage: isRecord(options) && options['include_usage'] === true,
    maxTokens: typeof cap === 'number' ? cap : undefined,
    tool: toolName(tools),
    promptTokens: text.split(/\s+/).filter(Boolean).length + 3 * messages.length,
    seed: hash(text),
    question,
    work: workOf(messages, question, toolNames(tools)),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(message: unknown): string {
  const content = isRecord(message) ? message['content'] : undefined
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join(' ')
}

function toolNames(tools: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(tools) ? tools.flatMap((tool: unknown) => toolName([tool]) ?? []) : [])
}

function toolName(tools: unknown): string | undefined {
  const first: unknown = Array.isArray(tools) ? tools[0] : undefined
  const description = isRecord(first) ? first['function'] : undefined
  const name = isRecord(description) ? description['name'] : undefined
  return typeof name === 'string' ? name : undefined
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
