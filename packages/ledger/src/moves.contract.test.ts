import { databaseEngines } from '@sluice/testkit/databases'
import {
  availableOf,
  openTestPayer,
  TEST_SECONDS,
  testHold,
  testMove,
  testSettle,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { describe, expect, it } from 'vitest'
import { mqFromQuota } from './units.ts'

describe.each(databaseEngines)('movements on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = (quota: number, limit?: number) =>
    openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, quota, ...(limit !== undefined && { limit }) })

  it('opens an account once, and sets whether its limit binds', async () => {
    const open = (unlimited: boolean) =>
      suite.engine.apply([{ op: 'account', id: { kind: 'user', owner: 7 }, unlimited }], 'r1')
    const [first, second] = [await open(false), await open(true)]
    expect(first.outcomes).toEqual(second.outcomes)
    expect(second.balances).toMatchObject([{ available: 0n, unlimited: true }])
    expect(await suite.read(`select owner_id, unlimited from account where kind = 'user'`)).toEqual([
      { owner_id: 7, unlimited: 1 },
    ])
  })

  it('opens one account for two replicas that request it at the same time', async () => {
    const other = await suite.openEngine()
    const open = { op: 'account', id: { kind: 'user', owner: 7 }, unlimited: false } as const
    const answers = await Promise.all([suite.engine, other].map((engine) => engine.apply([open], 'r1')))
    expect(answers[0]?.outcomes).toEqual(answers[1]?.outcomes)
  })

  it('moves once under an id, with the log row of the act in the same commit', async () => {
    const { account } = await openPayer(0)
    const log = {
      type: 1,
      createdAt: TEST_SECONDS,
      userId: 1,
      username: 'alice',
      content: 'top-up',
      amount: mqFromQuota(5),
    } as const
    const fund = testMove({ requestId: 'paid-1', kind: 'fund', account, amount: mqFromQuota(5), log })
    expect(await suite.apply(fund)).toEqual(['done'])
    expect(await suite.apply({ ...fund, at: fund.at + 1 })).toEqual(['stale'])
    expect(await suite.read(`select type, username, amount, content from log`)).toEqual([
      { type: 1, username: 'alice', amount: 5_000n, content: 'top-up' },
    ])
  })

  it('says in the log what a change to an amount has moved, whatever was spent since the amount was read', async () => {
    const { account } = await openPayer(70)
    const row = { type: 3, createdAt: TEST_SECONDS, userId: 1, username: 'alice', content: 'from 100 to 250' } as const
    // Computed when there were 100.
    const log = { ...row, amount: mqFromQuota(150) }
    const amount = mqFromQuota(250)
    const change = testMove({ requestId: 'change', kind: 'admin-adjust', mode: 'set', account, amount, log })
    expect(await suite.apply(change)).toEqual(['done'])
    expect(await suite.read(`select amount from transfer where kind = 'admin-adjust'`)).toEqual([{ amount: 180_000n }])
    expect(await suite.read('select amount from log')).toEqual([{ amount: 180_000n }])
  })

  it('takes from a user only by an administrator’s change', async () => {
    const payer = await openPayer(100)
    const take = (kind: 'gift' | 'admin-adjust') =>
      testMove({ requestId: 'take', kind, account: payer.account, amount: mqFromQuota(-30) })
    expect(await suite.apply(take('gift'), take('admin-adjust'))).toEqual(['invalid', 'done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(70))
    const rows = await suite.read(`select amount from transfer where kind = 'admin-adjust'`)
    expect(rows).toEqual([{ amount: 30_000n }])
  })

  it('brings a balance to an amount without losing a charge that came first', async () => {
    const payer = await openPayer(100)
    const set = testMove({
      requestId: 's',
      kind: 'admin-adjust',
      mode: 'set',
      account: payer.account,
      amount: mqFromQuota(50),
    })
    expect(await suite.apply(testHold(payer, 'a', 20), testSettle(payer, 'a', 2), set)).toEqual([
      'done',
      'done',
      'done',
    ])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(50))
    expect(await suite.apply({ ...set, requestId: 't' })).toEqual(['stale'])
  })

  it('changes what a token has left, up and down, without moving money', async () => {
    const payer = await openPayer(100, 40)
    const limit = (requestId: string, mode: 'add' | 'set', quota: number) =>
      testMove({ requestId, kind: 'limit-set', mode, account: payer.limitAccount, amount: mqFromQuota(quota) })
    expect(await suite.apply(limit('x', 'set', 10), limit('y', 'add', -5), limit('z', 'set', 5))).toEqual([
      'done',
      'done',
      'stale',
    ])
    expect(await availableOf(suite.engine, payer)).toEqual({ user: mqFromQuota(100), limit: mqFromQuota(5) })
    expect(await suite.apply(testHold(payer, 'a', 6))).toEqual(['token_quota'])
  })
})
