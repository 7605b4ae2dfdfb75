import { databaseEngines } from '@sluice/testkit/databases'
import {
  availableOf,
  openTestPayer,
  TEST_SECONDS,
  testHold,
  type TestPayer,
  testSettle,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { outcomeName } from '@sluice/testkit/outcome-name'
import { describe, expect, it } from 'vitest'
import { type BudgetPeriod, MS_PER_DAY } from './budget-window.ts'
import type { BudgetsOperation, Operation } from './operation.ts'
import { mqFromQuota } from './units.ts'

/** Thursday, 2025-11-20 noon. */
const NOON = TEST_SECONDS * 1_000
const TOMORROW = NOON + MS_PER_DAY
const NEXT_WEEK = NOON + 7 * MS_PER_DAY
const NEXT_MONTH = Date.UTC(2025, 11, 1)

type Limits = { readonly [Period in BudgetPeriod]?: number }

describe.each(databaseEngines)('budgets on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = (given: { userId?: number; tokenId?: number; limit?: number } = {}) =>
    openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, quota: 100_000, ...given })
  const budgets = (account: number, userId: number, limits: Limits, at = NOON): BudgetsOperation => ({
    op: 'budgets',
    account,
    userId,
    budgets: Object.entries(limits).map(([period, quota]) => ({
      period: period as BudgetPeriod,
      amount: mqFromQuota(quota),
    })),
    at,
  })
  const ofUser = (payer: TestPayer, limits: Limits, at?: number) => budgets(payer.account, payer.userId, limits, at)
  const ofToken = (payer: TestPayer, limits: Limits, at?: number) =>
    budgets(payer.limitAccount, payer.userId, limits, at)
  /** Charges 10 quota per token at that time. */
  const settleAt = (payer: TestPayer, requestId: string, tokens: number, at: number): Operation => {
    const settlement = testSettlement(payer, requestId, tokens)
    return { op: 'settle', settlement: { ...settlement, log: { ...settlement.log, createdAt: at / 1_000 } } }
  }
  const spent = async () =>
    await suite.read(`select period, budget.spent from budget join account on account.id = budget.account
      order by kind, period`)

  it('let a hold pass up to the last point and no further', async () => {
    const payer = await openPayer()
    expect(await suite.apply(ofToken(payer, { day: 100 }), testHold(payer, 'a', 101))).toEqual(['done', 'token_budget'])
    expect(await suite.apply(testHold(payer, 'a', 60), testHold(payer, 'b', 41))).toEqual(['done', 'token_budget'])
    expect(await suite.apply(testHold(payer, 'b', 40), testHold(payer, 'c', 1))).toEqual(['done', 'token_budget'])
  })

  it('count what was charged, not what was held', async () => {
    const payer = await openPayer()
    await suite.apply(ofToken(payer, { day: 100 }), testHold(payer, 'a', 100), testSettle(payer, 'a', 3))
    expect(await suite.apply(testHold(payer, 'b', 71), testHold(payer, 'c', 70))).toEqual(['token_budget', 'done'])
    expect(await spent()).toEqual([{ period: 'day', spent: 30_000n }])
  })

  it('bind unlimited tokens too, and do not affect other users and tokens', async () => {
    const payer = await openPayer()
    const sibling = await openPayer({ tokenId: 2 })
    const stranger = await openPayer({ userId: 2, tokenId: 3 })
    await suite.apply(ofToken(payer, { day: 10 }))
    expect(
      await suite.apply(testHold(payer, 'a', 11), testHold(sibling, 'b', 1_000), testHold(stranger, 'c', 1_000)),
    ).toEqual(['token_budget', 'done', 'done'])
  })

  it('of a user bind all of the user’s tokens together', async () => {
    const payer = await openPayer()
    const sibling = await openPayer({ tokenId: 2 })
    await suite.apply(ofUser(payer, { week: 100 }), testHold(payer, 'a', 60))
    expect(await suite.apply(testHold(sibling, 'b', 41), testHold(sibling, 'c', 40))).toEqual(['user_budget', 'done'])
  })

  it('name their owner, their period and when they reset; of several, the one that resets last', async () => {
    const payer = await openPayer()
    await suite.apply(ofToken(payer, { day: 10, week: 20, month: 30 }))
    const over = async (quota: number) =>
      (await suite.engine.apply([testHold(payer, 'a', quota)], 'r1')).outcomes.map((outcome) =>
        'over' in outcome ? outcome.over : outcome,
      )
    expect(await over(11)).toEqual([{ period: 'day', resetsMs: Date.UTC(2025, 10, 21) }])
    expect(await over(21)).toEqual([{ period: 'week', resetsMs: Date.UTC(2025, 10, 24) }])
    expect(await over(31)).toEqual([{ period: 'month', resetsMs: NEXT_MONTH }])
  })

  it('reset with the next day, week and month', async () => {
    const payer = await openPayer()
    await suite.apply(ofUser(payer, { day: 30, week: 50, month: 100 }))
    await suite.apply(settleAt(payer, 'a', 3, NOON))
    expect(await suite.apply(testHold(payer, 'b', 1, NOON))).toEqual(['user_budget'])
    expect(await suite.apply(testHold(payer, 'b', 21, TOMORROW))).toEqual(['user_budget'])
    expect(await suite.apply(testHold(payer, 'b', 20, TOMORROW), settleAt(payer, 'b', 2, TOMORROW))).toEqual([
      'done',
      'done',
    ])
    expect(await suite.apply(testHold(payer, 'c', 30, NEXT_WEEK), settleAt(payer, 'c', 3, NEXT_WEEK))).toEqual([
      'done',
      'done',
    ])
    expect(await suite.apply(testHold(payer, 'd', 21, NEXT_WEEK + MS_PER_DAY))).toEqual(['user_budget'])
    expect(await suite.apply(testHold(payer, 'd', 30, NEXT_MONTH), settleAt(payer, 'd', 3, NEXT_MONTH))).toEqual([
      'done',
      'done',
    ])
    expect(await spent()).toEqual([
      { period: 'day', spent: 30_000n },
      { period: 'month', spent: 30_000n },
      { period: 'week', spent: 30_000n },
    ])
  })

  it('count a late charge in its own window only', async () => {
    const payer = await openPayer()
    await suite.apply(ofToken(payer, { day: 100 }), testHold(payer, 'late', 50, NOON))
    await suite.apply(settleAt(payer, 'a', 4, TOMORROW), settleAt(payer, 'late', 5, NOON))
    expect(await spent()).toEqual([{ period: 'day', spent: 40_000n }])
    expect(await suite.apply(testHold(payer, 'b', 61, TOMORROW), testHold(payer, 'c', 60, TOMORROW))).toEqual([
      'token_budget',
      'done',
    ])
  })

  it('are as tight for a replica whose clock is behind as the two windows together', async () => {
    const payer = await openPayer()
    await suite.apply(ofToken(payer, { day: 100 }), settleAt(payer, 'a', 5, NOON), settleAt(payer, 'b', 4, TOMORROW))
    expect(await suite.apply(testHold(payer, 'c', 11, NOON), testHold(payer, 'd', 10, NOON))).toEqual([
      'token_budget',
      'done',
    ])
    expect(await suite.apply(testHold(payer, 'e', 51, TOMORROW), testHold(payer, 'f', 50, TOMORROW))).toEqual([
      'token_budget',
      'done',
    ])
  })

  it(
    'bind in the current window after a clock was ahead, and count what was charged meanwhile',
    { tags: 'S45' },
    async () => {
      const payer = await openPayer()
      const ahead = NOON + 400 * MS_PER_DAY
      await suite.apply(ofUser(payer, { day: 100, week: 100, month: 100 }, ahead), ofToken(payer, { day: 100 }, NOON))
      await suite.apply(testHold(payer, 'ahead', 10, ahead), settleAt(payer, 'ahead', 1, ahead))
      // The clock is right again: charges made meanwhile count today, whatever their date.
      expect(await suite.apply(testHold(payer, 'a', 91), testHold(payer, 'b', 90))).toEqual(['user_budget', 'done'])
      expect(await suite.apply(testSettle(payer, 'b', 9), testHold(payer, 'c', 1))).toEqual(['done', 'user_budget'])
      expect(await spent()).toEqual(['day', 'day', 'month', 'week'].map((period) => ({ period, spent: 100_000n })))
      expect(await suite.apply(testHold(payer, 'd', 100, NEXT_MONTH + 7 * MS_PER_DAY))).toEqual(['user_budget'])
      expect(await suite.apply(testHold(payer, 'e', 90, NEXT_MONTH + 7 * MS_PER_DAY))).toEqual(['done'])
    },
  )

  it(
    'do not report what they leave when a charge is older than their window: the next hold reads the rows',
    { tags: 'S45' },
    async () => {
      const payer = await openPayer()
      await suite.apply(ofUser(payer, { day: 1_000 }), settleAt(payer, 'ahead', 1, TOMORROW))
      const { balances } = await suite.engine.apply([settleAt(payer, 'now', 1, NOON)], 'r1')
      expect(balances.find(({ account }) => account === payer.account)?.budgetLeft).toBe(0n)
    },
  )

  it('apply the correction of a charge to the window of that charge', async () => {
    const payer = await openPayer()
    await suite.apply(ofToken(payer, { day: 100 }), settleAt(payer, 'a', 3, NOON), settleAt(payer, 'b', 3, NOON))
    await suite.apply(settleAt(payer, 'a', 5, TOMORROW), settleAt(payer, 'b', 1, TOMORROW))
    expect(await spent()).toEqual([{ period: 'day', spent: 60_000n }])
  })

  it('refuse to extend a hold beyond them and leave it unchanged', async () => {
    const payer = await openPayer()
    await suite.apply(ofUser(payer, { month: 100 }), testHold(payer, 'a', 60))
    const extend = (quota: number): Operation => ({
      op: 'extend',
      requestId: 'a',
      amount: mqFromQuota(quota),
      at: NOON,
    })
    expect(await suite.apply(extend(101), extend(100), testHold(payer, 'b', 1))).toEqual([
      'user_budget',
      'done',
      'user_budget',
    ])
  })

  it('charge what was delivered even if it is more than they allow, and allow no more holds until they reset', async () => {
    const payer = await openPayer()
    await suite.apply(ofToken(payer, { day: 100 }), testHold(payer, 'a', 100))
    expect(await suite.apply(testSettle(payer, 'a', 12))).toEqual(['done'])
    expect(await suite.apply(testHold(payer, 'b', 0), testHold(payer, 'b', 0, TOMORROW))).toEqual([
      'token_budget',
      'done',
    ])
  })

  it('that are set in the middle of a window count it from the beginning, with what the same batch charges', async () => {
    const payer = await openPayer()
    const sibling = await openPayer({ tokenId: 2 })
    await suite.apply(settleAt(payer, 'yesterday', 1, NOON - MS_PER_DAY), settleAt(sibling, 'sibling', 2, NOON))
    await suite.apply(settleAt(payer, 'b', 4, NOON))
    await suite.apply(
      settleAt(payer, 'c', 8, NOON),
      ofToken(payer, { day: 1_000, week: 1_000 }),
      ofUser(payer, { day: 1_000, week: 1_000 }),
    )
    expect(await spent()).toEqual([
      { period: 'day', spent: 120_000n },
      { period: 'week', spent: 130_000n },
      { period: 'day', spent: 140_000n },
      { period: 'week', spent: 150_000n },
    ])
  })

  it('keep what they have spent when they are changed, and cannot be emptied by being removed and set again', async () => {
    const payer = await openPayer()
    await suite.apply(ofToken(payer, { day: 100 }), testSettle(payer, 'a', 5))
    expect(await suite.apply(ofToken(payer, { day: 60 }), testHold(payer, 'b', 11))).toEqual(['done', 'token_budget'])
    expect(await suite.apply(ofToken(payer, {}), testHold(payer, 'b', 500))).toEqual(['done', 'done'])
    expect(await suite.apply(ofToken(payer, { day: 60 }), { op: 'void', requestId: 'b' })).toEqual(['done', 'done'])
    expect(await suite.apply(testHold(payer, 'c', 11), testHold(payer, 'c', 10))).toEqual(['token_budget', 'done'])
  })

  it('can all be removed again', async () => {
    const payer = await openPayer()
    await suite.apply(ofToken(payer, { day: 1, month: 1 }), ofToken(payer, {}))
    expect(await suite.apply(testHold(payer, 'a', 500))).toEqual(['done'])
    expect(await suite.read('select id from account where budgeted = 1')).toEqual([])
    expect(await spent()).toEqual([])
  })

  it('change nothing when the same batch is applied again', async () => {
    const payer = await openPayer()
    const batch = [ofToken(payer, { day: 100 }), testHold(payer, 'a', 60), testSettle(payer, 'a', 4)]
    await suite.engine.apply(batch, 'r1')
    await suite.engine.apply(batch, 'r1', { again: true })
    expect(await spent()).toEqual([{ period: 'day', spent: 40_000n }])
  })

  it(
    'let exactly as many parallel holds pass as they cover, in one batch and over two replicas',
    { tags: 'S23' },
    async () => {
      const payer = await openPayer()
      const sibling = await openPayer({ tokenId: 2 })
      const other = await suite.openEngine()
      await other.heartbeat('r2')
      await suite.apply(ofUser(payer, { day: 1_000, week: 100, month: 1_000 }))
      const holds = (prefix: string, by: TestPayer) =>
        Array.from({ length: 25 }, (_, i) => testHold(by, `${prefix}${i}`, 10))
      const answers = await Promise.all([
        suite.engine.apply(holds('a', payer), 'r1'),
        other.apply(holds('b', sibling), 'r2'),
        ...holds('c', sibling).map((hold) => suite.engine.apply([hold], 'r1')),
        ...holds('d', payer).map((hold) => other.apply([hold], 'r2')),
      ])
      const names = answers.flatMap(({ outcomes }) => outcomes.map(outcomeName))
      expect(names.filter((each) => each === 'done')).toHaveLength(10)
      expect(names.filter((each) => each === 'user_budget')).toHaveLength(90)
    },
  )

  it('that another replica has set bind here at once too', async () => {
    const payer = await openPayer()
    const other = await suite.openEngine()
    await other.heartbeat('r2')
    await suite.apply(testHold(payer, 'a', 10))
    await other.apply([ofToken(payer, { day: 50 })], 'r2')
    expect(await suite.apply(testHold(payer, 'b', 41), testHold(payer, 'c', 40))).toEqual(['token_budget', 'done'])
    await other.apply([ofToken(payer, {})], 'r2')
    expect(await suite.apply(testHold(payer, 'b', 41))).toEqual(['done'])
  })

  it('report with each balance what the tightest of them leaves', async () => {
    const payer = await openPayer()
    const { balances } = await suite.engine.apply(
      [ofToken(payer, { day: 100, month: 90 }), testHold(payer, 'a', 40)],
      'r1',
    )
    const left = new Map(balances.map(({ account, budgetLeft }) => [account, budgetLeft]))
    expect(left.get(payer.limitAccount)).toBe(50_000n)
    expect(left.get(payer.account)).toBeUndefined()
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(99_960))
  })

  it('are refused where no correct caller sets them, without holding up the others', async () => {
    const payer = await openPayer()
    const day = { period: 'day', amount: mqFromQuota(1) } as const
    const { outcomes } = await suite.engine.apply(
      [
        { ...ofToken(payer, {}), account: 999_999 },
        { ...ofUser(payer, {}), userId: 2 },
        { ...ofToken(payer, {}), budgets: [day, day] },
        { ...ofToken(payer, {}), budgets: [{ ...day, amount: mqFromQuota(-1) }] },
        ofToken(payer, { day: 5 }),
      ],
      'r1',
    )
    expect(outcomes.map(outcomeName)).toEqual(['invalid', 'invalid', 'invalid', 'invalid', 'done'])
  })
})
