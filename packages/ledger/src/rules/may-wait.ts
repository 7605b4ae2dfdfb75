import type { HoldOperation, Operation } from '../operation.ts'

/**
 * True for a batch of holds that nobody acts on before a later commit is durable. Its answer needs no durable commit: the log
 * of a database keeps its order, so the next durable commit makes these holds durable too. An empty batch is such a commit.
 */
export function mayWait(
  batch: readonly (Operation | { readonly op: 'recover' })[],
): batch is readonly (HoldOperation & { readonly durable: false })[] {
  return batch.length > 0 && batch.every((operation) => operation.op === 'hold' && !operation.durable)
}
