/** A value of a foreign row. An integer that a number cannot hold exactly is a bigint; times come as the source's own text. */
export type ForeignValue = string | number | bigint | boolean | Uint8Array | null

/** A stored value that cannot be used, and why ("is not valid UTF-8"). */
export interface UnreadableText {
  readonly unreadable: string
}

export type ForeignRow = Readonly<Record<string, ForeignValue | UnreadableText>>

export interface ForeignTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** Sums over the rows of one day, user, token name, model and channel. The same group can come in several pages: add them up. */
export interface LogSum {
  /** Days since 1970-01-01 in UTC. */
  readonly day: number
  readonly userId: number
  readonly tokenName: string
  readonly model: string
  readonly channelId: number
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly quota: bigint
}

export interface LogSumPage {
  readonly sums: readonly LogSum[]
  /** Rows in this page's range that no sum includes, because one of the added or grouped columns holds no usable value. */
  readonly unusable: number
}

/**
 * A database of another program, opened for reading only, as it was at one moment. A key is an integer from 1 to 2^53 - 1; rows
 * with any other key, or with the key of an earlier row, are counted by `oddKeys` and may be missing everywhere else. A failure of
 * the source (a damaged page, a lost connection, a time-out) rejects with `ForeignTrouble`; a table or column that the source lacks
 * is a bug in the caller.
 */
export interface ForeignDatabase {
  readonly engine: 'sqlite' | 'postgres' | 'mysql' | 'csv'
  /** The label shown for it, without user and password: "postgres db.example/oneapi", "sqlite one-api.db". */
  readonly label: string
  /** Real tables only, never views, virtual or foreign tables; names as stored; without generated columns. */
  readonly tables: readonly ForeignTable[]
  /**
   * The next rows with `key > after` (undefined: from the start), in the order of the key, at most `limit`. There can be fewer
   * although more follow, because a page is bounded to about 32 MB: only an empty page is the end. A text or blob beyond 16 MB is
   * an `UnreadableText`.
   */
  page(request: {
    readonly table: string
    readonly columns: readonly string[]
    readonly key: string
    readonly after: bigint | number | undefined
    readonly limit: number
  }): Promise<readonly ForeignRow[]>
  count(table: string): Promise<number>
  /** Rows whose key is not an integer from 1 to 2^53 - 1, or repeats the key of a row that is counted as usual. */
  oddKeys(table: string, key: string): Promise<number>
  /** All rows of a small table without an integer key, in no order. More rows than `limit`, or 32 MB, are a `ForeignTrouble`. */
  small(request: {
    readonly table: string
    readonly columns: readonly string[]
    readonly limit: number
  }): Promise<readonly ForeignRow[]>
  /**
   * Sums of the rows with this `type` and `after < id <= until`, in bounded pages. A missing column and a NULL count as 0 or ''.
   * Usable values: `created_at` in seconds from 1970 to 9999, token counts up to 10^9, quota up to ±10^14, ids up to 2^53 - 1, and
   * names of at most 1,000 bytes.
   */
  logSums(request: {
    readonly table: string
    readonly type: number
    readonly after: number
    readonly until: number
  }): AsyncIterable<LogSumPage>
  /** The largest key; 0 for an empty table. */
  maxKey(table: string, key: string): Promise<number>
  /** Makes later reads show the source as it is now. It may help after a `ForeignTrouble`. */
  refresh(): Promise<void>
  /** Ends running calls, and removes the copy of the source on this machine, if any. */
  close(): Promise<void>
}

/** An open source, or why it cannot be opened, in a sentence for the operator without user and password. */
export type OpenedForeign = { readonly database: ForeignDatabase } | { readonly problem: string }

/** The source failed while it was read. The message is a sentence for the operator, without user and password. */
export class ForeignTrouble extends Error {
  override readonly name = 'ForeignTrouble'
}
