import type { Refusal } from '@sluice/contract/errors'
import type { BudgetRefusal, HoldAnswer } from '@sluice/ledger/ledger'

/** The reason why a call with a token got no answer, in the words sent to its client. */
export interface TokenRefusal {
  readonly tokenId: number
  /** Code of the error catalogue. */
  readonly code: string
  readonly message: string
}

export interface DatedRefusal extends TokenRefusal {
  /** Unix milliseconds. */
  readonly at: number
}

/** The latest refusal of each token in this process, for the token's owner. */
export interface LatestRefusals {
  note(refusal: TokenRefusal): void
  of(tokenId: number): DatedRefusal | undefined
}

const TOKENS_MAX = 1_000
const MESSAGE_MAX = 500

/** @param now unix milliseconds */
export function createLatestRefusals(now: () => number): LatestRefusals {
  const latest = new Map<number, DatedRefusal>()
  return {
    note: ({ tokenId, code, message }) => {
      // Keeps the map in the order of the last refusals.
      latest.delete(tokenId)
      latest.set(tokenId, { tokenId, code, message: message.slice(0, MESSAGE_MAX), at: now() })
      for (const oldest of latest.keys()) {
        if (latest.size <= TOKENS_MAX) return
        latest.delete(oldest)
      }
    },
    of: (tokenId) => latest.get(tokenId),
  }
}

/** Undefined if the hold was granted. A second hold under the same id is a bug in the caller, whose ids are always new. */
export function holdRefusal(answer: HoldAnswer): Refusal | undefined {
  if (typeof answer === 'object') return budgetRefusal(answer)
  switch (answer) {
    case 'held':
      return undefined
    case 'user_quota':
      return { code: 'insufficient_user_quota' }
    case 'token_quota':
      return { code: 'pre_consume_token_quota_failed' }
    case 'unavailable':
      return { code: 'ledger_unavailable', retryAfter: 1 }
    case 'stale':
      throw new Error('the request id already has a hold')
  }
}

const PERIOD_NAME = { day: 'daily', week: 'weekly', month: 'monthly' } as const

/** Names the budget's owner, its period, and its next reset. */
function budgetRefusal({ reason, over: { period, resetsMs } }: BudgetRefusal): Refusal {
  return {
    code: reason === 'user_budget' ? 'user_budget_exhausted' : 'token_budget_exhausted',
    params: { period: PERIOD_NAME[period], resets: new Date(resetsMs).toISOString().replace('.000Z', 'Z') },
  }
}
