import type { Operation } from '../operation.ts'

/**
 * Whether the commit of a batch has to be flushed to disk before it is answered. Holds alone need not be when no one acts on them
 * before a later commit: the log of the database keeps its order, so the next flushed commit makes them durable too. Settlements need
 * not be when they are durable as records.
 */
export function mustFlush(batch: readonly (Operation | { readonly op: 'recover' })[]): boolean {
  return batch.some((operation) => {
    if (operation.op === 'hold') return operation.durable
    return operation.op !== 'settle' || operation.recorded === undefined
  })
}
