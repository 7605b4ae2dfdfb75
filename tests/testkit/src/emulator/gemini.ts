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
} from './failures.ts'
import { traitsOf } from './models.ts'
import { type Exchange, JSON_HEAD, type Script, SSE_HEAD, type Step } from './script.ts'
import type { Traits } from './traits.ts'

/** Google's `generateContent` and `streamGenerateContent`; streams are always server-sent events, as with `alt=sse`. */
export const GEMINI_PATH = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/

const FINISHES = { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP' } as const
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const errorBody: ErrorBody = (status, { message }) => ({
  error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' },
})

export function geminiScript(path: string, text: string, exchange: Exchange): Script {
  const [, name = '', action] = GEMINI_PATH.exec(path) ?? []
  const model = decodeURIComponent(name)
  const traits = traitsOf(exchange.as ?? model)
  const { delayMs } = traits
  const request = readChatRequest(asChat(model, text))
  if ('problem' in request) return { ...errorAnswer(400, request.problem, null, errorBody), delayMs: 0 }
  const fault = faultBeforeAnswer(traits, exchange, errorBody)
  if (fault !== undefined) return { ...fault, delayMs }
  const answer = composeAnswer(request, traits)
  const envelope = { modelVersion: model, responseId: `emu${exchange.number}` }
  if (action === 'generateContent') {
    const body = JSON.stringify(chunk(partsOf(answer), answer, envelope, true))
    return { status: 200, headers: JSON_HEAD, delayMs, steps: breaksOff(body, traits) }
  }
  const steps = endsEarly(events(answer, traits, envelope), traits, {
    error: frame(errorInside(errorBody)),
    malformed: { send: 'data: {"candidates": [{"content":\n\n' },
    after: 3,
  })
  return { status: 200, headers: SSE_HEAD, delayMs, steps: traits.bytewise ? inBytes(steps, traits) : steps }
}

interface GeminiBody {
  readonly contents?: readonly { readonly role?: string; readonly parts?: readonly object[] }[]
  readonly generationConfig?: { readonly maxOutputTokens?: number }
  readonly tools?: readonly { readonly functionDeclarations?: readonly object[] }[]
}

function asChat(model: string, text: string): string {
  const { contents, generationConfig, tools } = JSON.parse(text) as GeminiBody
  return JSON.stringify({
    model,
    messages: contents?.map(({ role, parts }) => ({ role, content: parts })),
    max_tokens: generationConfig?.maxOutputTokens,
    tools: tools?.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map((tool) => ({ function: tool }))),
  })
}

const thought = (text: string) => ({ text, thought: true })

function partsOf({ reasoning, content, toolCall }: Answer): readonly object[] {
  return [
    ...(reasoning.length === 0 ? [] : [thought(reasoning.join(''))]),
    ...(content.length === 0 ? [] : [{ text: content.join('') }]),
    ...(toolCall === undefined ? [] : [callPart(toolCall)]),
  ]
}

function callPart({ name, pieces }: NonNullable<Answer['toolCall']>): object {
  return { functionCall: { name, args: JSON.parse(pieces.join('')) as object } }
}

/** Tool arguments are sent in one piece, the finish reason with the last part. */
function* events(answer: Answer, { paceMs }: Traits, envelope: object): Generator<Step> {
  const { reasoning, content, toolCall } = answer
  const parts = [
    ...reasoning.map(thought),
    ...content.map((text) => ({ text })),
    ...(toolCall === undefined ? [] : [callPart(toolCall)]),
  ]
  for (const [at, part] of parts.entries()) {
    if (paceMs > 0 && at > 0) yield { waitMs: paceMs }
    yield frame(chunk([part], answer, envelope, at === parts.length - 1))
  }
}

function chunk(parts: readonly object[], { finish, usage }: Answer, envelope: object, isLast: boolean): object {
  const candidate = { content: { parts, role: 'model' }, index: 0 }
  return {
    candidates: [isLast ? { ...candidate, finishReason: FINISHES[finish] } : candidate],
    ...(isLast ? usageOf(usage) : {}),
    ...envelope,
  }
}

function frame(payload: object): Step {
  return { send: `data: ${JSON.stringify(payload)}\r\n\r\n` }
}

function usageOf(usage: Answer['usage']): object {
  if (usage === undefined) return {}
  const { reasoning_tokens: thoughts } = usage.completion_tokens_details
  return {
    usageMetadata: {
      promptTokenCount: usage.prompt_tokens,
      cachedContentTokenCount: usage.prompt_tokens_details.cached_tokens,
      candidatesTokenCount: usage.completion_tokens - thoughts,
      thoughtsTokenCount: thoughts,
      totalTokenCount: usage.total_tokens,
    },
  }
}
