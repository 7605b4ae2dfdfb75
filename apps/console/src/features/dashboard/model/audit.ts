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

/** Decided by the latest completed verification; `checks` are ordered newest first. */
export function isLedgerWrong(checks: readonly Pick<LedgerCheck, 'outcome'>[]): boolean {
  return checks.find(({ outcome }) => outcome === 'sound' || outcome === 'wrong')?.outcome === 'wrong'
}

/** Broken promises first, each group in the order of the proof. */
export function wrongFirst(results: readonly InvariantResult[]): readonly InvariantResult[] {
  return results.toSorted((a, b) => Number(a.first_wrong === null) - Number(b.first_wrong === null))
}

/** In the visitor's language; the gateway's own text for an invariant that the console does not know. */
export function statementOf(
  { id, statement }: Pick<InvariantResult, 'id' | 'statement'>,
  known: Readonly<Record<string, string>>,
): string {
  return known[id] ?? statement
}
