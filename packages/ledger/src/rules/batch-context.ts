/** Which replica applies a batch, and whether it is applied again. */
export interface BatchContext {
  readonly replica: string
  /** True when some of the batch may have been committed before. */
  readonly again: boolean
  /** mq: a user's balance that falls below it records an event; undefined when no one wants such events. */
  readonly remindBelow: bigint | undefined
}
