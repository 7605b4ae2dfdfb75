import { databaseEngines } from '@sluice/testkit/databases'
import {
  availableOf,
  openTestPayer,
  TEST_PRICE,
  testHold,
  testMove,
  testSettle,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { describe, expect, it } from 'vitest'
import { charge, type Price } from './pricing.ts'
import { mqFromQuota } from './units.ts'

const LARGEST_QUOTA = Number.MAX_SAFE_INTEGER

// A number that does not fit must be refused as a whole, at both ends, without holding up any other.
describe.each(databaseEngines)('the ends of the number range on %s', { tags: 'S24' }, (name) => {
  const suite = useLedger(name)
  const openPayer = (id: number, quota: number, limit?: number) =>
    openTestPayer(suite.engine, 'r1', { userId: id, tokenId: id, quota, ...(limit !== undefined && { limit }) })
  /** A price at which 2^40 output tokens cost `total` mq, less than a quarter of a balance's range. */
  const priceOf = (total: bigint): Price => ({
    ...TEST_PRICE,
    rates: { ...TEST_PRICE.rates, output: (total * 1_000_000n) / 2n ** 40n },
  })

  it('holds, charges and proves the largest quota that JSON can carry', async () => {
    const payer = await openPayer(1, LARGEST_QUOTA, LARGEST_QUOTA)
    expect(await suite.apply(testHold(payer, 'a', LARGEST_QUOTA))).toEqual(['done'])
    expect(await availableOf(suite.engine, payer)).toEqual({ user: 0n, limit: 0n })
    expect(await suite.apply(testHold(payer, 'b', 1))).toEqual(['user_quota'])
    expect(await suite.apply(testSettle(payer, 'a', 1))).toEqual(['done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(LARGEST_QUOTA - 10))
  })

  it('refuses a movement that a balance cannot hold, up and down, and goes on with the others', async () => {
    const payer = await openPayer(1, LARGEST_QUOTA, LARGEST_QUOTA)
    const amount = mqFromQuota(LARGEST_QUOTA)
    const { account, limitAccount } = payer
    const answers = await suite.apply(
      testMove({ requestId: 'user', kind: 'gift', account, amount }),
      testMove({ requestId: 'limit', kind: 'limit-set', account: limitAccount, amount }),
      testMove({ requestId: 'small', kind: 'gift', account, amount: mqFromQuota(1) }),
      testMove({ requestId: 'down', kind: 'admin-adjust', mode: 'set', account, amount: mqFromQuota(-LARGEST_QUOTA) }),
    )
    expect(answers).toEqual(['out_of_range', 'out_of_range', 'done', 'out_of_range'])
  })

  it('refuses money that the system account could not have given', async () => {
    await openPayer(1, LARGEST_QUOTA)
    const second = await openPayer(2, 0)
    const gift = testMove({
      requestId: 'second',
      kind: 'gift',
      account: second.account,
      amount: mqFromQuota(LARGEST_QUOTA),
    })
    expect(await suite.apply(gift, testHold(second, 'a', 0))).toEqual(['out_of_range', 'done'])
  })

  it('refuses a charge that a balance cannot hold, keeps its hold open, and goes on with the others', async () => {
    const payer = await openPayer(1, 1_000)
    const tokens = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 2 ** 40, reasoning: 0 }
    const endless = priceOf(2n ** 63n)
    await suite.apply(testHold(payer, 'a', 100))
    const settlement = testSettlement(payer, 'a', 0, { tokens, price: endless })
    expect(settlement.amount).toBe(charge(tokens, endless))
    expect(await suite.apply({ op: 'settle', settlement }, testSettle(payer, 'b', 1))).toEqual(['out_of_range', 'done'])
    expect(await suite.apply(testSettle(payer, 'a', 1))).toEqual(['done'])
  })

  it('refuses the charge that the revenue account could no longer hold', async () => {
    const tokens = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 2 ** 40, reasoning: 0 }
    const price = priceOf(2n ** 62n)
    const settle = async (id: number) => {
      const payer = await openPayer(id, 0)
      return await suite.apply({
        op: 'settle',
        settlement: testSettlement(payer, `request-${id}`, 0, { tokens, price }),
      })
    }
    expect(await settle(1)).toEqual(['done'])
    expect(await settle(2)).toEqual(['out_of_range'])
    expect(await suite.read(`select posted from account where kind = 'system' and owner_id = 2`)).toEqual([
      { posted: charge(tokens, price) },
    ])
  })

  it('refuses a price that no column can hold, and goes on with the others', async () => {
    const payer = await openPayer(1, 1_000)
    const tokens = { input: 1, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }
    const price = { ...TEST_PRICE, rates: { ...TEST_PRICE.rates, output: 2n ** 63n } }
    const settlement = testSettlement(payer, 'a', 0, { tokens, price })
    expect(await suite.apply({ op: 'settle', settlement }, testSettle(payer, 'b', 1))).toEqual(['out_of_range', 'done'])
  })

  it('refuses token counts beyond what sums can hold', async () => {
    const payer = await openPayer(1, 1_000)
    const tokens = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 2 ** 40 + 1, reasoning: 0 }
    expect(await suite.apply({ op: 'settle', settlement: testSettlement(payer, 'a', 0, { tokens }) })).toEqual([
      'out_of_range',
    ])
  })

  it('stores names that no database can hold as they are', async () => {
    const payer = await openPayer(1, 1_000)
    const named = (id: string, model: string) => {
      const settlement = testSettlement(payer, id, 1, { model })
      return {
        op: 'settle',
        settlement: { ...settlement, log: { ...settlement.log, content: 'a\0b', ended: '\ud800' } },
      } as const
    }
    const models = ['plain', 'nul\0', 'nul\uFFFD', 'lone\ud800', 'lone\udfff', '模型 🧪']
    expect(await suite.apply(...models.map((model, i) => named(`request-${i}`, model)))).toEqual(
      models.map(() => 'done'),
    )
    expect(await suite.read('select requests from usage_daily order by requests')).toEqual([
      { requests: 1 },
      { requests: 1 },
      { requests: 2 },
      { requests: 2 },
    ])
  })
})
