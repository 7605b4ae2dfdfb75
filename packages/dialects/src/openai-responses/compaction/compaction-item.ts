import type { Inexpressible } from '../../canon/codec.ts'
import { asObject, type JsonObject } from '../../json-value.ts'

/** The item that stands for the earlier part of a conversation, and the last item of a request for one. */
const COMPACTION = 'compaction'
export const COMPACTION_TRIGGER = 'compaction_trigger'
/** An older name of the first. */
const COMPACTION_SUMMARY = 'compaction_summary'

/** How a summary begins that was sealed here; what follows is the gateway's own. */
export const SEALED_HERE = 'sluice.compaction.1.'

export function isCompaction(type: unknown): boolean {
  return type === COMPACTION || type === COMPACTION_SUMMARY
}

export function compactionItem(id: string, sealed: string): JsonObject {
  return { id, type: COMPACTION, encrypted_content: sealed }
}

/** Follows a summary's field when nobody here can open it. */
const BY_ANOTHER =
  'was encrypted by another provider and can only be read there: continue with its model, or send the conversation instead of the compaction'

/** The first summary in a request that only the provider that sealed it can read. Without it, the model would answer out of nothing. */
export function foreignSummary({ input }: JsonObject): Inexpressible | undefined {
  if (!Array.isArray(input)) return undefined
  const index = input.findIndex((item) => isCompaction(asObject(item)?.['type']))
  return index === -1 ? undefined : { field: `input[${index}].encrypted_content`, rule: BY_ANOTHER }
}
