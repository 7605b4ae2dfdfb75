import { mq, mqFromQuota, quotaText, wholeCharge, wholeQuota } from '@sluice/ledger/units'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quotaChange, type QuotaNow, type SaidQuota } from './quota-change.ts'

const amount = fc.bigInt({ min: 0n, max: 2_000_000n })
/** A balance as it was read, and the charges since. */
const history = fc.record({
  left: fc.bigInt({ min: -5_000n, max: 2_000_000n }),
  used: amount,
  charged: amount,
  edit: fc.option(fc.integer({ min: 0, max: 3_000 }), { nil: undefined }),
  gift: fc.bigInt({ min: 0n, max: 500_000n }),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

const NOTHING: SaidQuota = { quota: undefined, seen: undefined, exact: undefined, used: undefined }

/** The quota that a sender has seen, as reported by the console, by a body read here, and by a family program's body. */
const tellings: readonly ((at: QuotaNow) => Partial<SaidQuota>)[] = [
  ({ left }) => ({ seen: wholeQuota(mq(left)) }),
  ({ left, used }) => ({ exact: quotaText(mq(left)), used: wholeCharge(mq(used)) }),
  ({ used }) => ({ used: wholeCharge(mq(used)) }),
]

function after(said: SaidQuota, now: QuotaNow): bigint {
  const change = quotaChange(said, now)
  if (change === undefined) return now.left
  return change.mode === 'set' ? change.amount : now.left + change.amount
}

const later = ({ left, used, charged }: History): QuotaNow => ({ left: left - charged, used: used + charged })

describe('an update that names a quota', () => {
  it('changes nothing when it repeats what its sender was shown, whatever was charged since', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...tellings), (one, telling) => {
        const quota = wholeQuota(mq(one.left))
        expect(quotaChange({ ...NOTHING, quota, ...telling(one) }, later(one))).toBeUndefined()
      }),
    )
  })

  it('changes nothing either when quota was given meanwhile, where its sender says what was seen', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...tellings.slice(0, 2)), (one, telling) => {
        const now = { left: later(one).left + one.gift, used: later(one).used }
        const quota = wholeQuota(mq(one.left))
        expect(quotaChange({ ...NOTHING, quota, ...telling(one) }, now)).toBeUndefined()
      }),
    )
  })

  it('gives exactly what it adds to what was seen, and takes no more than down to what it says', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...tellings), (one, telling) => {
        if (one.edit === undefined) return
        const [now, shown] = [later(one), wholeQuota(mq(one.left))]
        const result = after({ ...NOTHING, quota: one.edit, ...telling(one) }, now)
        if (one.edit > shown) {
          // Displayed amounts are rounded by less than a point.
          expect(result - now.left).toBeLessThanOrEqual(mqFromQuota(one.edit - shown) + 999n)
          expect(result - now.left).toBeGreaterThanOrEqual(mqFromQuota(one.edit - shown) - 1_000n)
        } else {
          expect(result).toBeLessThanOrEqual(now.left)
          const floor = mqFromQuota(one.edit)
          expect(result).toBeGreaterThanOrEqual(now.left < floor ? now.left : floor)
        }
      }),
    )
  })

  it('sets it to the point when nothing was charged since, and when it says nothing of what was seen', () => {
    fc.assert(
      fc.property(
        history,
        fc.constantFrom(...tellings, () => ({})),
        (one, telling) => {
          // Sums of rounded numbers show the seen quota to within a point.
          if (one.edit === undefined || Math.abs(one.edit - wholeQuota(mq(one.left))) <= 1) return
          expect(after({ ...NOTHING, quota: one.edit, ...telling(one) }, one)).toBe(mqFromQuota(one.edit))
        },
      ),
    )
  })
})
