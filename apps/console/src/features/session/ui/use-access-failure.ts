import type { Failure } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { sessionTexts } from '../texts/session-texts.ts'

/** What the gateway said, or `fallback` when it said nothing. */
export function useAccessFailure(): (failure: Failure, fallback: string) => string {
  const t = useTexts(sessionTexts)
  return ({ kind, message }, fallback) => {
    if (kind === 'timeout') return t.timeout
    if (kind === 'network') return t.network
    return message === '' ? fallback : message
  }
}
