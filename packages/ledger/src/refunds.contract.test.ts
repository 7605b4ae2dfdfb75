import { databaseEngines } from '@sluice/testkit/databases'
import {
  availableOf,
  openTestPayer,
  testHold,
  testRefund,
  testSettle,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { describe, expect, it } from 'vitest'
import { mqFromQuota } from './units.ts'

describe.each(databaseEngines)('refunds by administrators on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = () => openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000, limit: 500 })
  /** A payer whose request `a` cost 100 quota. */
  const openCharged = async () => {
    const payer = await openPayer()
    await suite.apply(testHold(payer, 'a', 100), testSettle(payer, 'a', 10))
    return payer
  }
  const refund = async (...operations: Parameters<typeof suite.engine.apply>[0]) =>
    (await suite.engine.apply(operations, 'r1')).outcomes

  it('give back to the user and the token’s limit, out of the revenue, and leave the charge and its rows as they are', async () => {
    const payer = await openCharged()
    expect(await refund(testRefund(payer, 'a', 'refund-1', 30))).toEqual([{ outcome: 'refunded', amount: 30_000n }])
    expect(await availableOf(suite.engine, payer)).toEqual({ user: mqFromQuota(930), limit: mqFromQuota(430) })
    expect(await suite.read('select kind, owner_id, posted, spent from account order by kind, owner_id')).toEqual([
      { kind: 'system', owner_id: 1, posted: -1_000_000n, spent: 0n },
      { kind: 'system', owner_id: 2, posted: 70_000n, spent: 0n },
      { kind: 'token', owner_id: 1, posted: 430_000n, spent: 70_000n },
      { kind: 'user', owner_id: 1, posted: 930_000n, spent: 70_000n },
    ])
    expect(await suite.read('select type, amount, request_id, content from log order by id')).toEqual([
      { type: 2, amount: 100_000n, request_id: 'a', content: '' },
      { type: 4, amount: 30_000n, request_id: 'a', content: 'refunded' },
    ])
    expect(await suite.read('select requests, completion_tokens, amount from usage_daily')).toEqual([
      { requests: 1, completion_tokens: 10, amount: 100_000n },
    ])
  })

  it('name the request, who gave it back and why', async () => {
    const payer = await openCharged()
    await refund(testRefund(payer, 'a', 'refund-1', 30))
    expect(
      await suite.read(`select request_id, refers_to, amount, actor, reason, channel_id, model, price_id
        from transfer where kind = 'admin-refund'`),
    ).toEqual([
      {
        request_id: 'refund-1',
        refers_to: 'a',
        amount: 30_000n,
        actor: 9,
        reason: 'broken',
        channel_id: 1,
        model: 'gpt-4o-mini',
        price_id: null,
      },
    ])
  })

  it('are never more than the charge, given in parts or at once', async () => {
    const payer = await openCharged()
    expect(
      await refund(
        testRefund(payer, 'a', 'x', 101),
        testRefund(payer, 'a', 'y', 60),
        testRefund(payer, 'a', 'z', 41),
        testRefund(payer, 'a', 'rest'),
        testRefund(payer, 'a', 'nothing'),
      ),
    ).toEqual([
      { outcome: 'exceeds', left: 100_000n },
      { outcome: 'refunded', amount: 60_000n },
      { outcome: 'exceeds', left: 40_000n },
      { outcome: 'refunded', amount: 40_000n },
      { outcome: 'exceeds', left: 0n },
    ])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(1_000))
  })

  it('take into account what a late settlement has already corrected', async () => {
    const payer = await openCharged()
    await suite.apply(testSettle(payer, 'a', 4))
    expect(await refund(testRefund(payer, 'a', 'x', 41), testRefund(payer, 'a', 'y', 40))).toEqual([
      { outcome: 'exceeds', left: 40_000n },
      { outcome: 'refunded', amount: 40_000n },
    ])
  })

  it('make the charge final: a later settlement changes nothing', async () => {
    const payer = await openCharged()
    await refund(testRefund(payer, 'a', 'x', 50))
    expect(await suite.apply(testSettle(payer, 'a', 1), testSettle(payer, 'a', 20))).toEqual(['done', 'done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(950))
  })

  it('pay once under their id, even when the request is repeated, and recognise their own effect in a batch of uncertain outcome', async () => {
    const payer = await openCharged()
    const first = testRefund(payer, 'a', 'x', 50)
    const batch = [first, testRefund(payer, 'a', 'y'), testRefund(payer, 'a', 'z')]
    const answers = await refund(...batch)
    expect(await refund({ ...first, at: first.at + 1 }, { ...first, actor: 8 })).toMatchObject([
      { outcome: 'stale' },
      { outcome: 'stale' },
    ])
    const again = await suite.engine.apply([...batch, first], 'r1', { again: true })
    expect(again.outcomes).toEqual([...answers, { outcome: 'stale' }])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(1_000))
  })

  it('pay no more than the charge when two administrators give it back through two replicas at once', async () => {
    const payer = await openCharged()
    const other = await suite.openEngine()
    const answers = await Promise.all([
      suite.engine.apply([testRefund(payer, 'a', 'x', 70)], 'r1'),
      other.apply([testRefund(payer, 'a', 'y', 70)], 'r2'),
    ])
    expect(answers.flatMap(({ outcomes }) => outcomes.map(({ outcome }) => outcome)).sort()).toEqual([
      'exceeds',
      'refunded',
    ])
  })

  it('come before or after a charge that another replica makes at the same moment, never in between', async () => {
    const payer = await openPayer()
    const other = await suite.openEngine()
    const ids = Array.from({ length: 20 }, (_, i) => `request-${i}`)
    const answers = await Promise.all(
      ids.flatMap((id) => [
        other.apply([testSettle(payer, id, 1)], 'r2'),
        suite.engine.apply([testRefund(payer, id, `refund of ${id}`)], 'r1'),
      ]),
    )
    const outcomes = answers.flatMap((answer) => answer.outcomes.map(({ outcome }) => outcome))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(20)
    const refunded = outcomes.filter((outcome) => outcome === 'refunded').length
    expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(20 - refunded)
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(1_000 - 10 * (20 - refunded)))
  })

  it('of requests that are open, void, free or unknown give nothing back', async () => {
    const payer = await openPayer()
    await suite.apply(testHold(payer, 'open', 10), testHold(payer, 'void', 10), { op: 'void', requestId: 'void' })
    const free = testSettlement(payer, 'free', 0)
    await suite.apply({ op: 'settle', settlement: free })
    expect(
      await refund(...['open', 'void', 'unknown', 'free'].map((id) => testRefund(payer, id, `refund of ${id}`))),
    ).toEqual([{ outcome: 'stale' }, { outcome: 'stale' }, { outcome: 'stale' }, { outcome: 'exceeds', left: 0n }])
  })

  it('of zero or less are a bug of the caller', async () => {
    const payer = await openCharged()
    expect(await refund(testRefund(payer, 'a', 'x', 0), testRefund(payer, 'a', 'y', -5))).toMatchObject([
      { outcome: 'invalid' },
      { outcome: 'invalid' },
    ])
  })

  it('find a charge that is made in the same batch', async () => {
    const payer = await openPayer()
    const operations = [testSettle(payer, 'a', 10), testRefund(payer, 'a', 'x', 50)]
    expect(await suite.apply(...operations)).toEqual(['done', 'refunded'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(950))
  })
})
