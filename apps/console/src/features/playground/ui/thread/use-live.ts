import { useSyncExternalStore } from 'react'
import type { LiveReply } from '~/features/playground/engine/playground.ts'
import type { Store } from '~/lib/store/store.ts'

export type LiveStore = Pick<Store<LiveReply>, 'get' | 'subscribe'>

/** One simple fact about an arriving reply; re-renders only when that fact changes. */
export function useLive<T extends string | number | boolean>(live: LiveStore, factOf: (reply: LiveReply) => T): T {
  return useSyncExternalStore(live.subscribe, () => factOf(live.get()))
}
