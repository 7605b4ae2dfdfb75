export interface BatchContext {
  readonly replica: string
  /** True when some of the batch may have been committed before. */
  readonly again: boolean
  /** mq. An event is recorded when a user's balance falls below it; undefined: never. */
  readonly remindBelow: bigint | undefined
}
