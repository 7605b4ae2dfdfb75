import { useQueryClient } from '@tanstack/react-query'
import type { Failure } from '~/lib/http/call.ts'
import { useToasts } from '../toast/toasts.ts'
import { useSubmitFailure } from './submit-failure.ts'

/**
 * Returns the result for the form of a page: why a call could not save, or an empty text, after everything cached of its area was
 * refetched and a toast was shown. `next` then navigates on.
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
