import { type Failure, isWorthTelling } from '~/lib/http/call.ts'
import { useToasts } from './toasts.ts'

/** Reports what could not be done, and the gateway's reason if it gave one; shows nothing for aborted calls. */
export function useTellFailure(): (title: string, failure: Failure) => void {
  const toasts = useToasts()
  return (title, failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }
}
