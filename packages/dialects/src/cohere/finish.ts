import type { ErrorEvent, FinishEvent, FinishReason } from '../canon/events.ts'

const REASONS: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'content-filter',
}

/** Finish reasons that are failures, with the status that reports them. */
const FAILURES: Readonly<Record<string, number>> = { ERROR: 502, TIMEOUT: 504, USER_CANCEL: 499 }

/** The end that a `finish_reason` means; `detail` is the text that came with it. */
export function finishOf(reason: unknown, detail: unknown): FinishEvent | ErrorEvent {
  const raw = typeof reason === 'string' ? reason : ''
  if (Object.hasOwn(FAILURES, raw)) {
    const message = typeof detail === 'string' && detail !== '' ? detail : `the provider broke off (${raw})`
    return { type: 'error', error: { message, type: raw, code: FAILURES[raw], param: undefined } }
  }
  return { type: 'finish', reason: Object.hasOwn(REASONS, raw) ? (REASONS[raw] ?? 'stop') : 'stop', raw }
}
