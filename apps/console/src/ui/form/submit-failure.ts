import type { Failure } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { uiTexts } from '../texts/ui-texts.ts'
import { useToasts } from '../toast/toasts.ts'

/**
 * Reports why a form could not be saved and returns the text for the form itself. A refusal shows the server's message, or the
 * fallback ('Operation failed' unless the form has its own), and a toast 'Request failed'; anything unforeseen a toast 'Unexpected
 * error'.
 */
export function useSubmitFailure(fallback?: string): (failure: Failure) => string {
  const t = useTexts(uiTexts)
  const toasts = useToasts()
  return (failure) => {
    if (failure.kind === 'aborted') return ''
    // The navigation to sign-in has already begun; the text is for a form that holds the visitor back because something is unsaved.
    if (failure.kind === 'session') return t.sessionEnded
    if (failure.kind === 'refused') {
      const text = failure.message === '' ? (fallback ?? t.operationFailed) : failure.message
      toasts.show({ tone: 'bad', title: t.requestFailed, text })
      return text
    }
    const text = { timeout: t.timeout, network: t.network, reply: t.brokenReply }[failure.kind]
    toasts.show({ tone: 'bad', title: t.unexpectedError, text })
    return text
  }
}
