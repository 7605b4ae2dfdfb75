/** Who applies a batch, and how often. */
export interface BatchContext {
  readonly replica: string
  /** True when some of the batch may have been committed before. */
  readonly again: boolean
}
