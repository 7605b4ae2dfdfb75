import type { Outcome } from '@sluice/ledger/operation'

/** The outcome by name, or the reason of a refusal. */
export function outcomeName(outcome: Outcome): string {
  return outcome.outcome === 'refused' ? outcome.reason : outcome.outcome
}
