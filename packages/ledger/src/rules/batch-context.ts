/** Who applies a batch, and how often. */
export interface BatchContext {
  readonly replica: string
  /** True when some of the batch may have been committed before. */
  readonly again: boolean
  /** mq: a user's balance that falls below it leaves an event; undefined when nobody wants to hear of it. */
  readonly remindBelow: bigint | undefined
}
