import { type Failure, isWorthTelling } from '../../../lib/http/call.ts'
import { useToasts } from '../../../ui/toast/toasts.ts'

/** Tells why something could not be done: what failed, and the gateway's reason if it gave one. */
export function useToldFailure(): (title: string, failure: Failure) => void {
  const toasts = useToasts()
  return (title, failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }
}
