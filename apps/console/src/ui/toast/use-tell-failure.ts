import { type Failure, isWorthTelling } from '../../lib/http/call.ts'
import { useToasts } from './toasts.ts'

/** Tells what could not be done, and the gateway's reason if it gave one; says nothing where nobody waits for it. */
export function useTellFailure(): (title: string, failure: Failure) => void {
  const toasts = useToasts()
  return (title, failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }
}
