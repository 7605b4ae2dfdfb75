import type { Failure } from '~/lib/http/call.ts'
import { createStore, type Store } from '~/lib/store/store.ts'
import {
  flushed,
  LIVE_EVERY_MS,
  LIVE_PAGE_SIZE,
  LIVE_PAGES_MAX,
  type LiveTail,
  newestSecond,
  startTail,
  type TailRow,
  withFetched,
} from './live-tail.ts'

export interface FollowState<Row extends TailRow> {
  /** `undefined` until the first rows have arrived. */
  readonly tail: LiveTail<Row> | undefined
  readonly paused: boolean
  /** Whether the last request failed; the next one might succeed. */
  readonly failed: boolean
}

interface FollowOptions<Row extends TailRow> {
  /** A page of the rows not older than `since` (unix seconds; everything when absent), newest first. */
  readonly fetchPage: (
    since: number | undefined,
    p: number,
    signal: AbortSignal,
  ) => Promise<{ readonly ok: true; readonly data: readonly Row[] } | Failure>
  readonly isVisible: () => boolean
}

export interface Follower<Row extends TailRow> extends Pick<Store<FollowState<Row>>, 'get' | 'subscribe'> {
  /** Polls now and then every five seconds, until the returned function is called. */
  start(): () => void
  /** Polls at once if it is due: to be called when the page becomes visible. */
  wake(): void
  /** While paused, new rows wait. */
  pause(paused: boolean): void
}

/** Follows a list by polling for newer rows, never with two requests at once and never while the page is hidden. */
export function createFollower<Row extends TailRow>({ fetchPage, isVisible }: FollowOptions<Row>): Follower<Row> {
  const store = createStore<FollowState<Row>>({ tail: undefined, paused: false, failed: false })
  const change = (part: Partial<FollowState<Row>>) => store.set({ ...store.get(), ...part })
  let wake = () => undefined as void

  const ask = async (signal: AbortSignal): Promise<void> => {
    const before = store.get().tail
    const since = before === undefined ? undefined : newestSecond(before, 0) || undefined
    const fetched = await newer(since, signal)
    if (signal.aborted) return
    if (fetched === undefined) return change({ failed: true })
    const { tail, paused } = store.get()
    change({ failed: false, tail: tail === undefined ? startTail(fetched) : withFetched(tail, fetched, paused) })
  }

  /** The first fetch takes only the first page; later ones turn pages until one is not full. */
  const newer = async (since: number | undefined, signal: AbortSignal): Promise<readonly Row[] | undefined> => {
    const rows: Row[] = []
    for (let p = 0; p < (since === undefined ? 1 : LIVE_PAGES_MAX); p += 1) {
      // oxlint-disable-next-line no-await-in-loop -- a page follows the one before
      const page = await fetchPage(since, p, signal)
      if (!page.ok) return undefined
      rows.push(...page.data)
      if (page.data.length < LIVE_PAGE_SIZE) break
    }
    return rows
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    start() {
      const abort = new AbortController()
      let timer: ReturnType<typeof setTimeout> | undefined
      let asking = false
      const turn = async () => {
        if (asking || abort.signal.aborted) return
        asking = true
        clearTimeout(timer)
        if (isVisible()) await ask(abort.signal)
        asking = false
        if (!abort.signal.aborted) timer = setTimeout(() => void turn(), LIVE_EVERY_MS)
      }
      wake = () => void turn()
      void turn()
      return () => {
        abort.abort()
        clearTimeout(timer)
      }
    },
    wake: () => wake(),
    pause(paused) {
      const { tail, paused: before } = store.get()
      if (paused === before) return
      change({ paused, tail: tail === undefined || paused ? tail : flushed(tail) })
    },
  }
}
