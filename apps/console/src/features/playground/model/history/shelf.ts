export const TABLES = ['summaries', 'conversations'] as const
export type Table = (typeof TABLES)[number]

/** The records of one piece of work. What is read may be anything: another version of this console may have written it. */
export interface Records {
  get(table: Table, id: string): Promise<unknown>
  all(table: Table): Promise<readonly unknown[]>
  ids(table: Table): Promise<readonly string[]>
  /** A failure to write fails the work as a whole. */
  put(table: Table, id: string, value: unknown): void
  remove(table: Table, id: string): void
}

/** Where records lie. */
export interface Shelf {
  /**
   * Does `work` as a whole or not at all, and never while a work that writes runs elsewhere, other tabs included. `work` may wait
   * for records only. Rejects with what went wrong: a full disk, or a shelf that is closed.
   */
  run<T>(mode: 'readonly' | 'readwrite', work: (records: Records) => Promise<T>): Promise<T>
  close(): void
}
