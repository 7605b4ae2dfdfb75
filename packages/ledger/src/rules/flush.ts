import type { Operation } from '../operation.ts'

/**
 * Whether the commit of a batch has to be flushed to disk before it is answered. Holds alone need not be when no one acts on them
 * before a later commit: the log of the database keeps its order, so the next flushed commit makes them durable too.
 */
export function mustFlush(batch: readonly (Operation | { readonly op: 'recover' })[]): boolean {
  return batch.some((operation) => operation.op !== 'hold' || operation.durable)
}
