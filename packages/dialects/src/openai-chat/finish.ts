import type { FinishReason } from '../canon/events.ts'

/** Finish words of vendors that speak this dialect. */
const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end: 'stop',
  end_turn: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  sensitive: 'content-filter',
}

const BROKEN: ReadonlySet<string> = new Set(['error', 'abort', 'network_error', 'insufficient_system_resource'])

export function isBroken(raw: string): boolean {
  return BROKEN.has(raw)
}

/** An unknown word is a normal end. */
export function decodeFinish(raw: string, calledTools: boolean): FinishReason {
  const reason = Object.hasOwn(REASONS, raw) ? (REASONS[raw] ?? 'stop') : 'stop'
  // Several vendors end a turn with calls like any other turn.
  return reason === 'stop' && calledTools ? 'tool-calls' : reason
}

/** The older form of tools has its own word. */
export function encodeFinish(reason: FinishReason, isOlder: boolean): string {
  switch (reason) {
    case 'tool-calls':
      return isOlder ? 'function_call' : 'tool_calls'
    case 'content-filter':
      return 'content_filter'
    default:
      return reason
  }
}
