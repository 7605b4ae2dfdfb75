import type { AgentWork } from './agent-work.ts'
import type { ChatRequest } from './chat-request.ts'
import type { Traits } from './traits.ts'

/** An answer in pieces, one per token, from which both streamed and plain bodies are built. */
export interface Answer {
  readonly reasoning: readonly string[]
  readonly content: readonly string[]
  readonly toolCall: { readonly id: string; readonly name: string; readonly pieces: readonly string[] } | undefined
  readonly finish: 'stop' | 'length' | 'tool_calls'
  readonly usage: Usage | undefined
}

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
}

const WORDS = (
  'water finds the lowest gate and every drop that passes leaves its mark upon the gauge so the keeper reads what came ' +
  'and what went by day by night 水 流 пароль ünïcödé 🚰 and the sum of all the marks is the water in the basin'
).split(' ')

/** 24 characters per piece, so that 17 kB are about 700 pieces, as from real models. */
const ECHO_PIECES = /[^]{1,24}/gu

/** Deterministic across machines and runs. */
export function composeAnswer(request: ChatRequest, traits: Traits): Answer {
  if (traits.callsTool && request.tool !== undefined) return composeToolCall(request, traits, request.tool)
  if (traits.worksAsAgent && request.work !== undefined) return composeWork(request, traits, request.work)
  const cap = request.maxTokens ?? Infinity
  const reasoning = words(request.seed, Math.min(traits.reasoningTokens, cap))
  const echoed = traits.echoes ? piecesOf(request.question) : undefined
  const wanted = echoed?.length ?? traits.tokens
  const count = Math.min(wanted, Math.max(0, cap - reasoning.length))
  const content = echoed?.slice(0, count) ?? words(request.seed + 7, count)
  if (traits.hugeFrameBytes > 0) content[content.length >> 1] = 'x'.repeat(traits.hugeFrameBytes)
  const complete = count === wanted
  return {
    reasoning,
    content,
    toolCall: undefined,
    finish: complete ? 'stop' : 'length',
    usage: countUsage(request, traits, content.length, reasoning.length),
  }
}

function composeToolCall(request: ChatRequest, traits: Traits, name: string): Answer {
  const pieces = ['{"city', '":"Pa', 'ris","', 'days":', '3}']
  return {
    reasoning: [],
    content: [],
    toolCall: { id: `call_emu${request.seed.toString(16)}`, name, pieces },
    finish: 'tool_calls',
    usage: countUsage(request, traits, pieces.length, 0),
  }
}

function composeWork(request: ChatRequest, traits: Traits, { says, call }: AgentWork): Answer {
  const reasoning = words(request.seed, traits.reasoningTokens)
  const content = piecesOf(says)
  const pieces = piecesOf(call?.args ?? '')
  const usage = countUsage(request, traits, content.length + pieces.length, reasoning.length)
  if (call === undefined) return { reasoning, content, toolCall: undefined, finish: 'stop', usage }
  const toolCall = { id: `call_emu${request.seed.toString(16)}`, name: call.tool, pieces }
  return { reasoning, content, toolCall, finish: 'tool_calls', usage }
}

/** Does not split surrogate pairs. */
function piecesOf(text: string): string[] {
  return text.match(ECHO_PIECES) ?? []
}

/** Shared by all answers, so that a thousand long ones allocate only their lists. */
const LATER_WORDS = WORDS.map((word) => ` ${word}`)

function words(seed: number, count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    return (at === 0 ? WORDS : LATER_WORDS)[(seed + at) % WORDS.length] ?? ''
  })
}

function countUsage(request: ChatRequest, traits: Traits, content: number, reasoning: number): Usage | undefined {
  if (!traits.reportsUsage) return undefined
  const thought = reasoning + traits.hiddenTokens
  return {
    prompt_tokens: request.promptTokens,
    completion_tokens: content + thought,
    total_tokens: request.promptTokens + content + thought,
    prompt_tokens_details: { cached_tokens: Math.floor(request.promptTokens * traits.cachedShare) },
    completion_tokens_details: { reasoning_tokens: thought },
  }
}
