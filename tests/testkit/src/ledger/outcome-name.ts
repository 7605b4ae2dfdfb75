import type { Outcome } from '@sluice/ledger/operation'

/** The outcome's name, or the reason for a refusal. */
export function outcomeName(outcome: Outcome): string {
  return outcome.outcome === 'refused' ? outcome.reason : outcome.outcome
}
