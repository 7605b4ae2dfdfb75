import { describe, expect, it } from 'vitest'
import { itemise } from '../itemise.ts'
import { type ChargeMovement, proveCharge } from './prove-charge.ts'

const RATES = { input: 10n ** 9n, cachedInput: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 2n * 10n ** 9n }

/** A movement whose row counts this many input tokens, one quota point each. */
function moved(kind: string, amount: bigint, input?: number): ChargeMovement {
  const tokens = { input: input ?? 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 }
  const price = { rates: RATES, groupRatio: 1_000_000n }
  return { kind, amount, calculation: input === undefined ? undefined : itemise(tokens, price) }
}

describe('the movements of a request', () => {
  it('are proved as they happen: charge, correction, refunds', () => {
    expect(proveCharge([moved('consume', 5_000n, 5)])).toEqual({ net: 5_000n })
    expect(proveCharge([moved('consume', 5_000n, 5), moved('adjust', 2_000n, 7)])).toEqual({ net: 7_000n })
    expect(proveCharge([moved('consume', 5_000n, 5), moved('refund', 1_000n, 4)])).toEqual({ net: 4_000n })
    const refunds = [moved('admin-refund', 3_000n), moved('admin-refund', 2_000n)]
    expect(proveCharge([moved('consume', 5_000n, 5), ...refunds])).toEqual({ net: 0n })
  })

  it('can be corrected after a refund: the correction applies to the charge alone', () => {
    const late = [moved('consume', 5_000n, 5), moved('admin-refund', 1_000n), moved('adjust', 2_000n, 7)]
    expect(proveCharge(late)).toEqual({ net: 6_000n })
  })

  it.each([
    [
      'an amount that the counts do not give',
      [moved('consume', 4_999n, 5)],
      { at: 0, fault: 'amount', expected: 5_000n },
    ],
    [
      'a correction by the wrong step',
      [moved('consume', 5_000n, 5), moved('adjust', 1n, 7)],
      { at: 1, fault: 'amount', expected: 2_000n },
    ],
    ['a charge without a price', [moved('consume', 5_000n)], { at: 0, fault: 'unpriced' }],
    ['a correction without a charge', [moved('adjust', 5_000n, 5)], { at: 0, fault: 'no_charge' }],
    ['a refund without a charge', [moved('admin-refund', 1n)], { at: 0, fault: 'no_charge' }],
    ['a second charge', [moved('consume', 5_000n, 5), moved('consume', 5_000n, 5)], { at: 1, fault: 'charged_twice' }],
    [
      'a second correction',
      [moved('consume', 5_000n, 5), moved('adjust', 1_000n, 6), moved('refund', 1_000n, 5)],
      { at: 2, fault: 'corrected_twice' },
    ],
    [
      'more refunded than charged',
      [moved('consume', 5_000n, 5), moved('admin-refund', 3_000n), moved('admin-refund', 2_001n)],
      { at: 2, fault: 'over_refunded', expected: 2_000n },
    ],
    [
      'a movement of an unknown kind',
      [moved('consume', 5_000n, 5), moved('gift', 1n)],
      { at: 1, fault: 'unknown_kind' },
    ],
  ] as const)('are wrong with %s', (_, movements, wrong) => {
    expect(proveCharge(movements).wrong).toEqual(wrong)
  })

  it('are wrong when a unit without a price was counted', () => {
    const tokens = { input: 5, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, units: { image: 1 } }
    const calculation = itemise(tokens, { rates: RATES, groupRatio: 1_000_000n })
    expect(proveCharge([{ kind: 'consume', amount: 5_000n, calculation }]).wrong).toEqual({ at: 0, fault: 'unpriced' })
  })
})
