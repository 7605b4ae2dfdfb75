export const TABLES = ['summaries', 'conversations'] as const
export type Table = (typeof TABLES)[number]

/** The records of one transaction. What is read can be anything: another version of this console may have written it. */
export interface Records {
  get(table: Table, id: string): Promise<unknown>
  all(table: Table): Promise<readonly unknown[]>
  ids(table: Table): Promise<readonly string[]>
  /** A failed write fails the transaction as a whole. */
  put(table: Table, id: string, value: unknown): void
  remove(table: Table, id: string): void
}

/** Where records are stored. */
export interface Shelf {
  /**
   * Runs `work` as a whole or not at all, and never while another `work` that writes is running, in other tabs either. `work` may
   * only wait for records. Rejects with what went wrong: a full disk, or a shelf that is closed.
   */
  run<T>(mode: 'readonly' | 'readwrite', work: (records: Records) => Promise<T>): Promise<T>
  close(): void
}
