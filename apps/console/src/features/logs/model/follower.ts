import type { Failure } from '~/lib/http/call.ts'
import { createStore, type Store } from '~/lib/store.ts'

export interface FollowState<Row extends TailRow> {
  /** `undefined` until the first rows have arrived. */
  readonly tail: LiveTail<Row> | undefined
  readonly paused: boolean
  readonly failed: boolean
}

interface FollowOptions<Row extends TailRow> {
  /** Rows not older than `since` (unix seconds; everything when absent), newest first. */
  readonly fetchPage: (
    since: number | undefined,
    p: number,
    signal: AbortSignal,
  ) => Promise<{ readonly ok: true; readonly data: readonly Row[] } | Failure>
  readonly isVisible: () => boolean
}

export interface Follower<Row extends TailRow> extends Pick<Store<FollowState<Row>>, 'get' | 'subscribe'> {
  /** Polls immediately and then every five seconds, until the returned function is called. */
  start(): () => void
  /** Polls at once if a poll is due; called when the page becomes visible. */
  wake(): void
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

  /** The first request takes only the first page; later ones go on to further pages until one is not full. */
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

/** The oldest rows are dropped first, so that memory use stays bounded. */
export const LIVE_ROWS_MAX = 5_000
export const LIVE_EVERY_MS = 5_000
/** Rows per request, and requests in a row before the rest of a burst is skipped. */
export const LIVE_PAGE_SIZE = 100 as const
const LIVE_PAGES_MAX = 10

export interface TailRow {
  readonly id: number
  /** Unix seconds. */
  readonly created_at: number
}

/** A followed list; all rows newest first. */
interface LiveTail<Row extends TailRow> {
  readonly rows: readonly Row[]
  readonly waiting: readonly Row[]
  /** How many of `rows` arrived after following began; the divider is below them. */
  readonly fresh: number
}

export function startTail<Row extends TailRow>(rows: readonly Row[]): LiveTail<Row> {
  return { rows: rows.slice(0, LIVE_ROWS_MAX), waiting: [], fresh: 0 }
}

/** Adds rows in chronological order and skips known ones. While `paused`, new rows are held back. */
export function withFetched<Row extends TailRow>(
  tail: LiveTail<Row>,
  fetched: readonly Row[],
  paused: boolean,
): LiveTail<Row> {
  const known = new Set([...tail.rows, ...tail.waiting].map(({ id }) => id))
  const added = fetched.filter(({ id }) => !known.has(id))
  if (added.length === 0 && (paused || tail.waiting.length === 0)) return tail
  const waiting = [...added, ...tail.waiting].toSorted(byTime).slice(0, LIVE_ROWS_MAX)
  return paused ? { ...tail, waiting } : flushed({ ...tail, waiting })
}

export function flushed<Row extends TailRow>({ rows, waiting, fresh }: LiveTail<Row>): LiveTail<Row> {
  return {
    rows: [...waiting, ...rows].slice(0, LIVE_ROWS_MAX),
    waiting: [],
    fresh: Math.min(LIVE_ROWS_MAX, fresh + waiting.length),
  }
}

/** Unix second from which to request newer rows: that of the newest known row, because that second may get more rows. */
export function newestSecond({ rows, waiting }: LiveTail<TailRow>, otherwise: number): number {
  return (waiting[0] ?? rows[0])?.created_at ?? otherwise
}

function byTime(a: TailRow, b: TailRow): number {
  return b.created_at - a.created_at || b.id - a.id
}
