import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { CallFailed, type Failure, isWorthTelling, successOf } from '../lib/http/call.ts'
import { type Toast, useToasts } from './toast/toasts.ts'

interface ChangeOptions<Input, Done> {
  /** Makes the call. */
  readonly send: (input: Input) => Promise<Done | Failure>
  /** Title of the toast when it failed. */
  readonly failed: string | ((failure: Failure, input: Input) => string)
  /** Title of the toast on success, or the whole toast; left out where the page itself shows enough. */
  readonly done?:
    | string
    | ((
        success: Done,
        input: Input,
      ) => (Pick<Toast, 'title' | 'text' | 'action'> & Partial<Pick<Toast, 'tone'>>) | undefined)
  readonly onDone?: (success: Done, input: Input) => void
  /** Beginnings of the query keys to refetch, even after a refusal: it often means that somebody else was faster. */
  readonly stale?: readonly QueryKey[]
  /** Shows the change before the gateway has confirmed it, and returns what reverts it. */
  readonly ahead?: (input: Input) => Promise<() => void>
}

interface Change<Input> {
  /** Resolves when the outcome is shown and what is stale has been refetched; never rejects. */
  readonly run: (input: Input) => Promise<void>
  /** True from the call until what is stale has been refetched. */
  readonly busy: boolean
  /** The input of the latest run. */
  readonly input: Input | undefined
}

/** A change at the gateway: sends it, reports its outcome, refetches what it made stale, and reverts what was shown ahead of it. */
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

/** Reports what could not be done, and the gateway's reason if it gave one; shows nothing for aborted calls. */
export function useTellFailure(): (title: string, failure: Failure) => void {
  const toasts = useToasts()
  return (title, failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }
}
