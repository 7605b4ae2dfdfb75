import type { Outcome } from '@sluice/ledger/operation'

export function outcomeName(outcome: Outcome): string {
  return outcome.outcome === 'refused' ? outcome.reason : outcome.outcome
}
