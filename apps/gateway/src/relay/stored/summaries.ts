import type { Refusal } from '@sluice/contract/errors'
import { SEALED_HERE } from '@sluice/dialects/openai-responses/compaction/compaction-item'
import { summaryText } from '@sluice/dialects/openai-responses/compaction/summary-request'
import type { Vault } from '@sluice/store/vault'
import type { ParsedCall } from '../calls/parsed-call.ts'
import type { Recalled } from './recall.ts'

/**
 * Summaries of conversations, which clients keep in encrypted form and send back. They are not stored here, so every replica can
 * decrypt them. The user is part of the encrypted data: another user's summary is treated like a forged one (class S31).
 */
export interface Summaries {
  seal(userId: number, summary: string): string
  /** Undefined if it was not encrypted for this user. */
  open(userId: number, sealed: string): string | undefined
}

export function createSummaries(vault: Pick<Vault, 'seal' | 'open'>): Summaries {
  return {
    seal: (userId, summary) => SEALED_HERE + vault.seal('compaction', `${userId}:${summary}`),
    open: (userId, sealed) => {
      const opened = vault.open('compaction', sealed.slice(SEALED_HERE.length))
      const owner = `${userId}:`
      return opened.ok && opened.text.startsWith(owner) ? opened.text.slice(owner.length) : undefined
    },
  }
}

/** The summaries of a request as messages that every provider can read. */
export function openSummaries(
  summaries: Summaries,
  userId: number,
  { compaction }: Pick<ParsedCall, 'compaction'>,
): readonly Recalled[] | Refusal {
  const opened: Recalled[] = []
  for (const reference of compaction?.sealed ?? []) {
    const summary = summaries.open(userId, reference.id)
    const { field } = reference
    if (summary === undefined) return { code: 'invalid_body', params: { field, rule: NOT_OURS }, field }
    const content = [{ type: 'input_text', text: summaryText(summary) }]
    const bytes = Buffer.from(JSON.stringify({ type: 'message', role: 'user', content }))
    opened.push({ reference, items: [{ id: '', bytes }] })
  }
  return opened
}

const NOT_OURS = 'cannot be decrypted: it must be exactly the value that this gateway returned to the same user'
