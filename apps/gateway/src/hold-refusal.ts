import type { Refusal } from '@sluice/contract/errors'
import type { BudgetRefusal, HoldAnswer } from '@sluice/ledger/ledger'

/** Why a hold was not given; undefined when it was. A second hold under one id is a bug in the caller, whose ids are new. */
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

/** Names whose budget it is, its period, and when it resets. */
function budgetRefusal({ reason, over: { period, resetsMs } }: BudgetRefusal): Refusal {
  return {
    code: reason === 'user_budget' ? 'user_budget_exhausted' : 'token_budget_exhausted',
    params: { period: PERIOD_NAME[period], resets: new Date(resetsMs).toISOString().replace('.000Z', 'Z') },
  }
}
