import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { Loss } from '@sluice/dialects/canon/losses'
import { isTranslatedReasoning } from '@sluice/dialects/openai-responses/output-items'
import type { Reference } from '@sluice/dialects/references'
import { readRecalled, PREVIOUS } from '../calls/responses.ts'
import type { Authorised } from '../stages/authorised.ts'
import type { CachedItem, ResponseCache } from './cached-responses.ts'
import { recalledBody } from './recalled-body.ts'

export interface Recalled {
  readonly reference: Reference
  /** In order; empty for missing items that can be omitted. */
  readonly items: readonly CachedItem[]
}

/** The items behind this user's reference; undefined if not cached here. */
export async function recall(
  cachedResponses: ResponseCache,
  userId: number,
  reference: Reference,
): Promise<Recalled | undefined> {
  const { id, field } = reference
  if (field === PREVIOUS) {
    const found = await cachedResponses.find(userId, id)
    if (found?.input === undefined) return undefined
    return { reference, items: [{ id: '', bytes: found.input }, ...found.output] }
  }
  const item = await cachedResponses.findItem(userId, id)
  return item && { reference, items: [item] }
}

/**
 * The request with its references replaced by the recalled items, as if its client had sent it in full: it can be translated for
 * every provider, and its full size is held and counted. With a `pinned` provider, which stores the other items, reasoning that was
 * translated here is omitted, because that provider has not signed it.
 */
export function withRecalled(
  authorised: Authorised,
  recalled: readonly Recalled[],
  pinned: boolean,
): Authorised | Refusal {
  let isShort = false
  const items = new Map<string, readonly Uint8Array[]>()
  for (const { reference, items: found } of recalled) {
    const translated = pinned ? found.filter(({ id }) => !isTranslatedReasoning(id)) : found
    isShort ||= translated.length === 0 || translated.length < found.length
    const pieces = translated.map(({ bytes }) => bytes)
    items.set(reference.field, pieces)
  }
  return reread(authorised, recalledBody(authorised.body, items), isShort ? [REASONING] : [])
}

const REASONING: Loss = { what: 'input[].reasoning', became: 'dropped' }

function reread(authorised: Authorised, chunks: readonly Uint8Array[], lost: readonly Loss[]): Authorised | Refusal {
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  const refusal = authorised.accepted.claimBody(size)
  if (refusal !== undefined) return refusal
  const body = Buffer.concat(chunks, size)
  const parsed = (authorised.kind.reread ?? readRecalled)(body, lost)
  return isBodyRefusal(parsed) ? parsed : { ...authorised, body, parsed }
}
