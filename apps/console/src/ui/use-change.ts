import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { CallFailed, type Failure, isWorthTelling, successOf } from '../lib/http/call.ts'
import { type Toast, useToasts } from './toast/toasts.ts'

interface ChangeOptions<Input, Done> {
  readonly send: (input: Input) => Promise<Done | Failure>
  readonly failed: string | ((failure: Failure, input: Input) => string)
  /** Title of the toast on success, or the whole toast; omitted where the page itself shows enough. */
  readonly done?:
    | string
    | ((
        success: Done,
        input: Input,
      ) => (Pick<Toast, 'title' | 'text' | 'action'> & Partial<Pick<Toast, 'tone'>>) | undefined)
  readonly onDone?: (success: Done, input: Input) => void
  /** Prefixes of the query keys to refetch, even after a refusal, which often means that somebody else was faster. */
  readonly stale?: readonly QueryKey[]
  /** Shows the change before the gateway has confirmed it. Returns a function that reverts it. */
  readonly ahead?: (input: Input) => Promise<() => void>
}

interface Change<Input> {
  /** Resolves when the outcome is shown and stale data has been refetched; never rejects. */
  readonly run: (input: Input) => Promise<void>
  /** True from the call until stale data has been refetched. */
  readonly busy: boolean
  readonly input: Input | undefined
}

/** Sends a change to the gateway, reports its outcome, refetches stale data, and reverts what was shown ahead. */
export function useChange<Done extends { readonly ok: true }, Input = void>(
  options: ChangeOptions<Input, Done>,
): Change<Input> {
  const cache = useQueryClient()
  const toasts = useToasts()
  const tell = useTellFailure()
  const { send, failed, done, onDone, stale, ahead } = options
  const { mutateAsync, isPending, variables } = useMutation<Done, Error, Input, (() => void) | undefined>({
    mutationFn: async (input) => successOf(await send(input)),
    onMutate: (input) => ahead?.(input),
    onError: (error, input, revert) => {
      revert?.()
      if (error instanceof CallFailed)
        tell(typeof failed === 'string' ? failed : failed(error.failure, input), error.failure)
    },
    onSuccess: (success, input) => {
      const toast = typeof done === 'function' ? done(success, input) : done !== undefined ? { title: done } : undefined
      if (toast !== undefined) toasts.show({ tone: 'good', ...toast })
      onDone?.(success, input)
    },
    onSettled: () => Promise.all((stale ?? []).map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
  return {
    // A failure has been reported by then; any other error is a bug and propagates.
    run: async (input) => {
      await mutateAsync(input).catch((error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
      })
    },
    busy: isPending,
    input: variables,
  }
}

/** Gives the gateway's reason if there is one; shows nothing for aborted calls. */
export function useTellFailure(): (title: string, failure: Failure) => void {
  const toasts = useToasts()
  return (title, failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }
}
