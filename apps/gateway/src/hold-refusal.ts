import type { Refusal } from '@sluice/contract/errors'
import type { HoldAnswer } from '@sluice/ledger/ledger'

/** Why a hold was not given; undefined when it was. A second hold under one id is a bug of the caller, whose ids are new. */
export function holdRefusal(answer: HoldAnswer): Refusal | undefined {
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
