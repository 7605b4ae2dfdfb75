import type { InvariantResult, LedgerCheck } from '@sluice/contract/ledger-check'
import type { Tone } from '~/ui/badge.tsx'

const TONES: Readonly<Record<LedgerCheck['outcome'], Tone>> = {
  running: 'neutral',
  sound: 'good',
  wrong: 'bad',
  failed: 'bad',
  stopped: 'warn',
}

export function toneOf({ outcome }: Pick<LedgerCheck, 'outcome'>): Tone {
  return TONES[outcome]
}

/** The result of the latest completed verification. `checks` are ordered newest first. */
export function isLedgerWrong(checks: readonly Pick<LedgerCheck, 'outcome'>[]): boolean {
  return checks.find(({ outcome }) => outcome === 'sound' || outcome === 'wrong')?.outcome === 'wrong'
}

/** What a verification found, broken promises first, each group in the order of the proof. */
export function wrongFirst(results: readonly InvariantResult[]): readonly InvariantResult[] {
  return results.toSorted((a, b) => Number(a.first_wrong === null) - Number(b.first_wrong === null))
}

/** The text for an invariant in the visitor's language; for one that the console does not know, the gateway's own. */
export function statementOf(
  { id, statement }: Pick<InvariantResult, 'id' | 'statement'>,
  known: Readonly<Record<string, string>>,
): string {
  return known[id] ?? statement
}
