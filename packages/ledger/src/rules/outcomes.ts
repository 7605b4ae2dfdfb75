import type { Outcome, OverBudget } from '../operation.ts'

export const DONE: Outcome = { outcome: 'done' }
export const STALE: Outcome = { outcome: 'stale' }
export const OUT_OF_RANGE: Outcome = { outcome: 'out_of_range' }
export const USER_QUOTA: Outcome = { outcome: 'refused', reason: 'user_quota' }
export const TOKEN_QUOTA: Outcome = { outcome: 'refused', reason: 'token_quota' }

export function refusedFor(reason: 'user_budget' | 'token_budget', over: OverBudget): Outcome {
  return { outcome: 'refused', reason, over }
}

export function invalid(rule: string): Outcome {
  return { outcome: 'invalid', rule }
}
