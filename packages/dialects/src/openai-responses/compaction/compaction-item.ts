import type { Inexpressible } from '../../canon/codec.ts'
import { asObject, type JsonObject } from '../../json-value.ts'

/** The item that represents the earlier part of a conversation, and the last item of a request for such an item. */
const COMPACTION = 'compaction'
export const COMPACTION_TRIGGER = 'compaction_trigger'
/** An older name for `compaction`. */
const COMPACTION_SUMMARY = 'compaction_summary'

/** The prefix of a summary that was encrypted here; the rest is the gateway's own format. */
export const SEALED_HERE = 'sluice.compaction.1.'

export function isCompaction(type: unknown): boolean {
  return type === COMPACTION || type === COMPACTION_SUMMARY
}

export function compactionItem(id: string, sealed: string): JsonObject {
  return { id, type: COMPACTION, encrypted_content: sealed }
}

/** Follows a summary's field if it cannot be decrypted here. */
const BY_ANOTHER =
  'was encrypted by another provider and can only be read there: continue with its model, or send the conversation instead of the compaction'

/** The first summary in a request that was encrypted by a provider. Without its content, the model would lack the conversation. */
export function foreignSummary({ input }: JsonObject): Inexpressible | undefined {
  if (!Array.isArray(input)) return undefined
  const index = input.findIndex((item) => isCompaction(asObject(item)?.['type']))
  return index === -1 ? undefined : { field: `input[${index}].encrypted_content`, rule: BY_ANOTHER }
}
