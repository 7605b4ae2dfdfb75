import { describe, expect, it } from 'vitest'
import { mq } from '../units.ts'
import { KnownBalances, MAX_KNOWN } from './known-balances.ts'

describe('known balances', () => {
  const balance = (account: number, available: bigint) => ({ account, available: mq(available), unlimited: false })

  it('are the latest, with the time they were seen', () => {
    const known = new KnownBalances()
    known.remember([balance(1, 10n), balance(2, 20n)], 1_000)
    known.remember([balance(1, 5n)], 2_000)
    expect(known.get(1)).toMatchObject({ ...balance(1, 5n), seen: 2_000 })
    expect(known.get(2)).toMatchObject({ ...balance(2, 20n), seen: 1_000 })
    expect(known.get(3)).toBeUndefined()
  })

  it('say what the tightest budget leaves', () => {
    const known = new KnownBalances()
    known.remember([{ ...balance(1, 10n), budgetLeft: mq(0n) }], 1_000)
    expect(known.get(1)?.budgetLeft).toBe(0n)
  })

  it('are forgotten above the cap, the least recently touched first', () => {
    const known = new KnownBalances()
    for (let account = 1; account <= MAX_KNOWN; account++) known.remember([balance(account, 1n)], account)
    known.remember([balance(1, 1n)], MAX_KNOWN + 1)
    known.remember([balance(MAX_KNOWN + 1, 1n)], MAX_KNOWN + 2)
    expect([known.get(1), known.get(2), known.get(MAX_KNOWN + 1)].map((each) => each !== undefined)).toEqual([
      true,
      false,
      true,
    ])
  })

  it('are kept above the cap while something is in flight, which is then deducted again', () => {
    const known = new KnownBalances()
    known.remember([balance(1, 100n)], 1)
    known.book(1, 50n, 1)
    for (let account = 2; account <= MAX_KNOWN + 2; account++) known.remember([balance(account, 1n)], 2)
    expect([known.get(1), known.get(2)].map((each) => each !== undefined)).toEqual([true, false])
    expect([5n, 6n].map((amount) => known.isComfortable(1, amount, 3, 0))).toEqual([true, false])
    known.book(1, -50n, 3)
    expect(known.isComfortable(1, 10n, 3, 0)).toBe(true)
  })
})
