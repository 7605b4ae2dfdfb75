import { useQueryClient } from '@tanstack/react-query'
import type { Failure } from '../../lib/http/call.ts'
import { useToasts } from '../toast/toasts.ts'
import { useSubmitFailure } from './submit-failure.ts'

/**
 * Answers for the form of a page: why a call could not save, or, once everything cached of its area was asked for anew and a
 * toast has said so, an empty text. `next` then leads on.
 */
export function useSaved(area: string) {
  const cache = useQueryClient()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  return async <S extends { readonly ok: true }>(
    reply: S | Failure,
    toast: { readonly title: string; readonly text?: string },
    next?: (saved: S) => Promise<void>,
  ): Promise<string> => {
    if (!reply.ok) return failed(reply)
    await cache.invalidateQueries({ queryKey: [area] })
    toasts.show({ tone: 'good', ...toast })
    await next?.(reply)
    return ''
  }
}
