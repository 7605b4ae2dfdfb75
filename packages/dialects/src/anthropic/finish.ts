import type { FinishEvent, FinishReason } from '../canon/events.ts'

const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'content-filter',
}

const WORDS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
}

export function decodeFinish(reason: unknown, sequence: unknown): FinishEvent {
  const raw = typeof reason === 'string' ? reason : ''
  return {
    type: 'finish',
    reason: reasonOf(raw) ?? 'stop',
    raw,
    ...(typeof sequence === 'string' ? { stopSequence: sequence } : {}),
  }
}

/** This dialect's own word is kept. */
export function encodeFinish(finish: FinishEvent | undefined): {
  readonly stop_reason: string | null
  readonly stop_sequence: string | null
  readonly stop_details: null
  readonly container: null
} {
  if (finish === undefined) return { stop_reason: null, stop_sequence: null, ...NOT_HERE }
  const { reason, raw, stopSequence = null } = finish
  const word = reason === 'stop' && stopSequence !== null ? 'stop_sequence' : WORDS[reason]
  return { stop_reason: reasonOf(raw) === reason ? raw : word, stop_sequence: stopSequence, ...NOT_HERE }
}

/** Members that only Anthropic itself can fill. Strict clients require them. */
const NOT_HERE = { stop_details: null, container: null } as const

function reasonOf(word: string): FinishReason | undefined {
  return Object.hasOwn(REASONS, word) ? REASONS[word] : undefined
}
