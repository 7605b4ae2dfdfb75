/** Rows kept while following; the oldest are dropped first, so that memory use stays bounded. */
export const LIVE_ROWS_MAX = 5_000
/** Time between two requests for newer rows, in milliseconds. */
export const LIVE_EVERY_MS = 5_000
/** Rows per request, and requests in a row before the rest of a burst is skipped. */
export const LIVE_PAGE_SIZE = 100 as const
export const LIVE_PAGES_MAX = 10

export interface TailRow {
  readonly id: number
  /** Unix seconds. */
  readonly created_at: number
}

/** A list that is being followed; all rows newest first. */
export interface LiveTail<Row extends TailRow> {
  readonly rows: readonly Row[]
  /** Newer ones that are held back until the reader returns to the top. */
  readonly waiting: readonly Row[]
  /** How many of `rows` arrived after following began: the divider is below them. */
  readonly fresh: number
}

export function startTail<Row extends TailRow>(rows: readonly Row[]): LiveTail<Row> {
  return { rows: rows.slice(0, LIVE_ROWS_MAX), waiting: [], fresh: 0 }
}

/** Adds fetched rows, each once, in chronological order. While `paused` the new ones are held back. */
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

/** Moves the rows that were held back into the list. */
export function flushed<Row extends TailRow>({ rows, waiting, fresh }: LiveTail<Row>): LiveTail<Row> {
  return {
    rows: [...waiting, ...rows].slice(0, LIVE_ROWS_MAX),
    waiting: [],
    fresh: Math.min(LIVE_ROWS_MAX, fresh + waiting.length),
  }
}

/** Unix second from which to request newer rows: that of the newest known row, because more rows of that second may follow. */
export function newestSecond({ rows, waiting }: LiveTail<TailRow>, otherwise: number): number {
  return (waiting[0] ?? rows[0])?.created_at ?? otherwise
}

function byTime(a: TailRow, b: TailRow): number {
  return b.created_at - a.created_at || b.id - a.id
}
