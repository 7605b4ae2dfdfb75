import { databaseEngines } from '@sluice/testkit/databases'
import {
  openTestPayer,
  TEST_SECONDS,
  testHold,
  testMove,
  testRefund,
  testSettle,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { describe, expect, it } from 'vitest'
import type { Operation } from './operation.ts'
import { mqFromQuota } from './units.ts'

describe.each(databaseEngines)('what the ledger notifies others of, on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = () => openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000 })
  const apply = (again: boolean, ...batch: readonly Operation[]) =>
    suite.engine.apply(batch, 'r1', { again, remindBelow: mqFromQuota(500) })
  const events = () => suite.read('select kind, account, subject, amount from ledger_event order by id')

  it('is a balance that falls below the threshold: once, and again after it was above', async () => {
    const payer = await openPayer()
    const { account } = payer
    await apply(false, testSettle(payer, 'a', 50))
    expect(await events()).toEqual([])
    await apply(false, testSettle(payer, 'b', 1), testSettle(payer, 'c', 1))
    await apply(false, testSettle(payer, 'd', 1))
    const fall = { kind: 'balance_low', account, subject: '', amount: 480_000n }
    expect(await events()).toEqual([fall])
    await apply(false, testMove({ requestId: 'fund', kind: 'fund', account, amount: mqFromQuota(100) }))
    await apply(false, testSettle(payer, 'e', 10))
    expect(await events()).toEqual([fall, { ...fall, amount: 470_000n }])
  })

  it('is a balance that was below before its first charge, and not one that only grew', async () => {
    const payer = await openPayer()
    const poor = await openTestPayer(suite.engine, 'r1', { userId: 2, tokenId: 2, quota: 100 })
    await apply(false, testMove({ requestId: 'fund', kind: 'fund', account: poor.account, amount: mqFromQuota(100) }))
    expect(await events()).toEqual([])
    await apply(false, testSettle(poor, 'a', 1), testSettle(payer, 'b', 1))
    await apply(false, testSettle(poor, 'c', 1))
    expect(await events()).toMatchObject([{ account: poor.account, amount: 190_000n }])
  })

  it('is not a balance that is above again at the end of the batch, nor what is only held', async () => {
    const payer = await openPayer()
    await apply(false, testHold(payer, 'held', 900))
    await apply(false, testSettle(payer, 'a', 60), testRefund(payer, 'a', 'back'))
    expect(await events()).toEqual([])
  })

  it('is reported once by a batch that is applied again', async () => {
    const payer = await openPayer()
    await apply(false, testSettle(payer, 'a', 60))
    await apply(true, testSettle(payer, 'a', 60))
    expect(await events()).toHaveLength(1)
  })

  it('is a balance that recovery charges below the threshold', async () => {
    const payer = await openPayer()
    await apply(false, testHold(payer, 'a', 700), {
      op: 'renew',
      requestId: 'a',
      progress: testSettlement(payer, 'a', 60),
      at: 1,
    })
    await suite.engine.recover({ deadAfterMs: 60_000, dead: ['r1'], remindBelow: mqFromQuota(500) })
    expect(await events()).toMatchObject([{ kind: 'balance_low', amount: 400_000n }])
  })

  it('is no balance at all when no threshold is given', async () => {
    const payer = await openPayer()
    await suite.apply(testSettle(payer, 'a', 120))
    expect(await events()).toEqual([])
  })

  it('is a charge that a late settlement has corrected', async () => {
    const payer = await openPayer()
    await apply(false, testSettle(payer, 'a', 5))
    await apply(false, testSettle(payer, 'a', 3), testSettle(payer, 'a', 4))
    expect(await events()).toEqual([
      { kind: 'charge_corrected', account: payer.account, subject: 'a', amount: -20_000n },
    ])
  })

  it('is a budget of which nine tenths are spent, once in each of its windows', async () => {
    const payer = await openPayer()
    await apply(false, {
      op: 'budgets',
      account: payer.limitAccount,
      userId: 1,
      budgets: [{ period: 'day', amount: mqFromQuota(100) }],
      at: TEST_SECONDS * 1_000,
    })
    await apply(false, testSettle(payer, 'a', 8))
    expect(await events()).toEqual([])
    await apply(false, testSettle(payer, 'b', 1))
    await apply(false, testSettle(payer, 'c', 1))
    const reported = { kind: 'budget_low', account: payer.limitAccount, subject: 'day', amount: 100_000n }
    expect(await events()).toEqual([reported])
    const tomorrow = testSettlement(payer, 'd', 9)
    await apply(false, {
      op: 'settle',
      settlement: { ...tomorrow, log: { ...tomorrow.log, createdAt: TEST_SECONDS + 86_400 } },
    })
    expect(await events()).toEqual([reported, reported])
  })
})
