import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import type { Loss } from '@sluice/dialects/canon/losses'
import { isToldReasoning } from '@sluice/dialects/openai-responses/output-items'
import type { Reference } from '@sluice/dialects/references'
import { readRecalled } from '../calls/responses.ts'
import type { Authorised } from '../identify.ts'
import { PREVIOUS, recalledBody } from './recalled-body.ts'
import type { RememberedItem, RememberedResponses } from './remembered-responses.ts'

/** A reference with what it stands for. */
export interface Recalled {
  readonly reference: Reference
  /** In order; none for what is gone and can be left out. */
  readonly items: readonly RememberedItem[]
}

/** What this user's reference stands for; undefined when it is not remembered here. */
export function recall(memory: RememberedResponses, userId: number, reference: Reference): Recalled | undefined {
  const { id, field } = reference
  if (field === PREVIOUS) {
    const found = memory.find(userId, id)
    if (found?.input === undefined) return undefined
    return { reference, items: [{ id: '', bytes: found.input }, ...found.output] }
  }
  const item = memory.findItem(userId, id)
  return item && { reference, items: [item] }
}

/**
 * The request with what was recalled in its place, as if its client had sent it whole: every provider can be told it, and it is
 * held for and counted at its full size. With a `pinned` provider, which keeps the rest, reasoning that was told here is left
 * out: that provider has not sealed it.
 */
export function withRecalled(
  authorised: Authorised,
  recalled: readonly Recalled[],
  pinned: boolean,
): Authorised | Refusal {
  let isShort = false
  const items = new Map<string, readonly Uint8Array[]>()
  for (const { reference, items: found } of recalled) {
    const told = pinned ? found.filter(({ id }) => !isToldReasoning(id)) : found
    isShort ||= told.length === 0 || told.length < found.length
    const pieces = told.map(({ bytes }) => bytes)
    items.set(reference.field, pieces)
  }
  return reread(authorised, recalledBody(authorised.body, items), isShort ? [REASONING] : [])
}

const REASONING: Loss = { what: 'input[].reasoning', became: 'dropped' }

function reread(authorised: Authorised, chunks: readonly Uint8Array[], lost: readonly Loss[]): Authorised | Refusal {
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  const refusal = authorised.accepted.bookBody(size)
  if (refusal !== undefined) return refusal
  const body = Buffer.concat(chunks, size)
  const asked = readRecalled(body, lost)
  return isBodyRefusal(asked) ? asked : { ...authorised, body, asked }
}
