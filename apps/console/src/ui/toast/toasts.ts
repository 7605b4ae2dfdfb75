import { createContext, useContext } from 'react'
import { createStore, type Store } from '~/lib/store.ts'

/** Default duration of a toast, in milliseconds; a toast with an action stays longer. */
export const TOAST_MS = 3_000
const OFFER_MS = 8_000
/** More toasts would cover the page, so the oldest is removed. */
const MOST_TOASTS = 4

export interface Toast {
  readonly id: number
  readonly tone: 'good' | 'bad' | 'info'
  readonly title: string
  readonly text?: string
  /** Milliseconds until removal; the countdown pauses while the pointer or the focus is on the toast. */
  readonly duration: number
  readonly action?: { readonly label: string; readonly run: () => void }
}

export interface Toasts extends Pick<Store<readonly Toast[]>, 'get' | 'subscribe'> {
  show(toast: Omit<Toast, 'id' | 'duration'> & { readonly duration?: number }): void
  dismiss(id: number): void
}

export function createToasts(): Toasts {
  const store = createStore<readonly Toast[]>([])
  let lastId = 0
  return {
    get: store.get,
    subscribe: store.subscribe,
    show(toast) {
      lastId += 1
      store.set(
        [...store.get(), { duration: toast.action === undefined ? TOAST_MS : OFFER_MS, ...toast, id: lastId }].slice(
          -MOST_TOASTS,
        ),
      )
    },
    dismiss: (id) => store.set(store.get().filter((toast) => toast.id !== id)),
  }
}

export const ToastContext = createContext<Toasts | undefined>(undefined)

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext)
  if (toasts === undefined) throw new Error('useToasts needs a ToastContext above it')
  return toasts
}
