import { databaseEngines } from '@sluice/testkit/databases'
import {
  availableOf,
  openTestPayer,
  testHold,
  testMove,
  testSettle,
  testSettlement,
  testTrace,
  TEST_SECONDS,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { outcomeName } from '@sluice/testkit/outcome-name'
import { describe, expect, it } from 'vitest'
import { mq, mqFromQuota } from './units.ts'

describe.each(databaseEngines)('the ledger on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = (given: { userId?: number; tokenId?: number; quota: number; limit?: number }) =>
    openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, ...given })

  it('holds on both accounts and gives back what was not used', async () => {
    const payer = await openPayer({ quota: 1_000, limit: 500 })
    expect(await suite.apply(testHold(payer, 'a', 100))).toEqual(['done'])
    expect(await availableOf(suite.engine, payer)).toEqual({ user: mqFromQuota(900), limit: mqFromQuota(400) })
    expect(await suite.apply(testSettle(payer, 'a', 3))).toEqual(['done'])
    expect(await availableOf(suite.engine, payer)).toEqual({ user: mqFromQuota(970), limit: mqFromQuota(470) })
  })

  it('writes transfer, log, trace and daily sum with the charge', async () => {
    const payer = await openPayer({ quota: 1_000 })
    await suite.apply(testHold(payer, 'a', 100), testHold(payer, 'b', 100))
    await suite.apply(testSettle(payer, 'a', 3), testSettle(payer, 'b', 2))
    const charges = `select amount, output_tokens, model, at_ms from transfer where kind = 'consume' order by amount`
    expect(await suite.read(charges)).toMatchObject([
      { amount: 20_000n, output_tokens: 2, model: 'gpt-4o-mini', at_ms: TEST_SECONDS * 1_000 },
      { amount: 30_000n, output_tokens: 3, model: 'gpt-4o-mini', at_ms: TEST_SECONDS * 1_000 },
    ])
    expect(await suite.read(`select type, username, amount from log where request_id = 'a'`)).toEqual([
      { type: 2, username: 'user 1', amount: 30_000n },
    ])
    expect(await suite.read(`select status from trace where request_id = 'a'`)).toEqual([{ status: 200 }])
    expect(await suite.read('select day, requests, completion_tokens, amount from usage_daily')).toEqual([
      { day: Math.floor(TEST_SECONDS / 86_400), requests: 2, completion_tokens: 5, amount: 50_000n },
    ])
    expect(await suite.read('select content, source from price')).toHaveLength(1)
  })

  it('lets a hold that need not be durable bind at once, and proves the charge that follows', async () => {
    const payer = await openPayer({ quota: 150 })
    expect(await suite.apply({ ...testHold(payer, 'a', 100), durable: false })).toEqual(['done'])
    expect(await suite.apply({ ...testHold(payer, 'b', 100), durable: false })).toEqual(['user_quota'])
    expect(await suite.apply(testSettle(payer, 'a', 3))).toEqual(['done'])
    expect(await availableOf(suite.engine, payer)).toMatchObject({ user: mqFromQuota(120) })
  })

  it('refuses a hold that either account cannot cover, and leaves both as they were', async () => {
    const payer = await openPayer({ quota: 100, limit: 500 })
    const short = await openPayer({ userId: 2, tokenId: 2, quota: 500, limit: 100 })
    expect(await suite.apply(testHold(payer, 'a', 101), testHold(short, 'b', 101))).toEqual([
      'user_quota',
      'token_quota',
    ])
    expect(await availableOf(suite.engine, payer)).toEqual({ user: mqFromQuota(100), limit: mqFromQuota(500) })
    expect(await suite.apply(testHold(payer, 'a', 100), testHold(short, 'b', 100))).toEqual(['done', 'done'])
  })

  it(
    'lets exactly as many parallel holds pass as the quota covers, in one batch and over two replicas',
    { tags: 'S23' },
    async () => {
      const payer = await openPayer({ quota: 10_000, limit: 100 })
      const other = await suite.openEngine()
      await other.heartbeat('r2')
      const holds = (prefix: string) => Array.from({ length: 50 }, (_, i) => testHold(payer, `${prefix}${i}`, 10))
      const answers = await Promise.all([
        suite.engine.apply(holds('a'), 'r1'),
        other.apply(holds('b'), 'r2'),
        ...holds('c').map((hold) => suite.engine.apply([hold], 'r1')),
        ...holds('d').map((hold) => other.apply([hold], 'r2')),
      ])
      const names = answers.flatMap(({ outcomes }) => outcomes.map(outcomeName))
      expect(names).toHaveLength(200)
      expect(names.filter((each) => each === 'done')).toHaveLength(10)
      expect(names.filter((each) => each === 'token_quota')).toHaveLength(190)
    },
  )

  it('answers a second hold for an open or a charged request as stale', async () => {
    const payer = await openPayer({ quota: 1_000 })
    expect(await suite.apply(testHold(payer, 'a', 10), testHold(payer, 'a', 10))).toEqual(['done', 'stale'])
    expect(await suite.apply(testHold(payer, 'a', 10))).toEqual(['stale'])
    await suite.apply(testSettle(payer, 'a', 1))
    expect(await suite.apply(testHold(payer, 'a', 10))).toEqual(['stale'])
  })

  it('charges once, however often the same settlement arrives', async () => {
    const payer = await openPayer({ quota: 1_000 })
    await suite.apply(testHold(payer, 'a', 100))
    expect(await suite.apply(testSettle(payer, 'a', 3), testSettle(payer, 'a', 3))).toEqual(['done', 'done'])
    expect(await suite.apply(testSettle(payer, 'a', 3))).toEqual(['done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(970))
    expect(await suite.read(`select kind from transfer where request_id = 'a'`)).toEqual([{ kind: 'consume' }])
  })

  it('posts the difference of a later settlement once, up or down, and corrects log and daily sum', async () => {
    const payer = await openPayer({ quota: 1_000 })
    await suite.apply(testSettle(payer, 'more', 3), testSettle(payer, 'less', 3))
    expect(await suite.apply(testSettle(payer, 'more', 5), testSettle(payer, 'less', 1))).toEqual(['done', 'done'])
    expect(await suite.apply(testSettle(payer, 'more', 9), testSettle(payer, 'less', 0))).toEqual(['done', 'done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(940))
    expect(
      await suite.read(`select request_id, amount from transfer where kind in ('adjust', 'refund') order by 1`),
    ).toEqual([
      { request_id: 'less', amount: 20_000n },
      { request_id: 'more', amount: 20_000n },
    ])
    expect(await suite.read(`select amount, completion_tokens from log order by amount`)).toEqual([
      { amount: 10_000n, completion_tokens: 1 },
      { amount: 50_000n, completion_tokens: 5 },
    ])
    expect(await suite.read('select requests, completion_tokens, amount from usage_daily')).toEqual([
      { requests: 2, completion_tokens: 6, amount: 60_000n },
    ])
  })

  it('charges more than was held, below zero if need be, and then refuses new holds', async () => {
    const payer = await openPayer({ quota: 100, limit: 100 })
    await suite.apply(testHold(payer, 'a', 50))
    expect(await suite.apply(testSettle(payer, 'a', 15))).toEqual(['done'])
    expect(await availableOf(suite.engine, payer)).toEqual({ user: mqFromQuota(-50), limit: mqFromQuota(-50) })
    expect(await suite.apply(testHold(payer, 'b', 0))).toEqual(['user_quota'])
  })

  it('counts spending of an unlimited token and never refuses for it', async () => {
    const payer = await openPayer({ quota: 1_000 })
    await suite.apply(testHold(payer, 'a', 100))
    await suite.apply(testSettle(payer, 'a', 3))
    const tokens = `select posted, spent, requests, last_ms from account where kind = 'token'`
    expect(await suite.read(tokens)).toEqual([
      { posted: -30_000n, spent: 30_000n, requests: 1, last_ms: TEST_SECONDS * 1_000 },
    ])
    const bind = { op: 'account', id: { kind: 'token', owner: 1 }, unlimited: false } as const
    expect(await suite.apply(bind, testHold(payer, 'b', 1))).toEqual(['account', 'token_quota'])
  })

  it('gives a free request its transfer and its log row', async () => {
    const payer = await openPayer({ quota: 0, limit: 0 })
    expect(await suite.apply(testHold(payer, 'a', 0), testSettle(payer, 'a', 0))).toEqual(['done', 'done'])
    expect(await suite.read(`select amount from transfer where kind = 'consume'`)).toEqual([{ amount: 0n }])
    expect(await suite.read('select amount from log where type = 2')).toEqual([{ amount: 0n }])
  })

  it('voids an open hold, keeps its trace, and charges a settlement that comes later', async () => {
    const payer = await openPayer({ quota: 1_000 })
    await suite.apply(testHold(payer, 'a', 100))
    const failed = { ...testTrace(payer, 'a'), status: 502 }
    expect(await suite.apply({ op: 'void', requestId: 'a', trace: failed })).toEqual(['done'])
    expect(await suite.apply({ op: 'void', requestId: 'a', trace: failed })).toEqual(['stale'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(1_000))
    expect(await suite.read('select status from trace')).toEqual([{ status: 502 }])
    expect(await suite.apply(testSettle(payer, 'a', 3))).toEqual(['done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(970))
    expect(await suite.read('select status from trace')).toEqual([{ status: 200 }])
  })

  it('extends an open hold as far as both accounts allow, and never shrinks it', async () => {
    const payer = await openPayer({ quota: 1_000, limit: 100 })
    const extend = (quota: number) =>
      ({ op: 'extend', requestId: 'a', amount: mqFromQuota(quota), at: TEST_SECONDS * 1_000 }) as const
    expect(await suite.apply(extend(20))).toEqual(['stale'])
    await suite.apply(testHold(payer, 'a', 10))
    expect(await suite.apply(extend(60), extend(101), extend(5))).toEqual(['done', 'token_quota', 'done'])
    expect(await availableOf(suite.engine, payer)).toEqual({ user: mqFromQuota(940), limit: mqFromQuota(40) })
  })

  it('bills each of many parallel requests to its own payer', { tags: 'S26' }, async () => {
    const payers = []
    for (let i = 1; i <= 8; i++) payers.push(await openPayer({ userId: i, tokenId: 10 + i, quota: 1_000 }))
    const other = await suite.openEngine()
    const requests = payers.flatMap((payer) =>
      Array.from({ length: 5 }, (_, i) => ({ payer, id: `${payer.userId}-${i}` })),
    )
    await Promise.all(
      requests.map(({ payer, id }, i) => (i % 2 === 0 ? suite.engine : other).apply([testHold(payer, id, 10)], 'r1')),
    )
    await Promise.all(
      requests.map(({ payer, id }, i) =>
        (i % 3 === 0 ? suite.engine : other).apply([testSettle(payer, id, payer.userId)], 'r1'),
      ),
    )
    for (const payer of payers) {
      expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(1_000 - 5 * 10 * payer.userId))
    }
  })

  it('answers an operation that no correct caller makes, and goes on with the others', async () => {
    const payer = await openPayer({ quota: 1_000 })
    const other = await openPayer({ userId: 2, tokenId: 2, quota: 1_000 })
    await suite.apply(testHold(payer, 'a', 100))
    const foreign = { ...testSettlement(payer, 'a', 1), account: other.account, userId: other.userId }
    const negative = { ...testSettlement(payer, 'b', 1), amount: mq(-1n) }
    const { outcomes } = await suite.engine.apply(
      [
        { op: 'settle', settlement: foreign },
        { op: 'settle', settlement: { ...foreign, userId: 1 } },
        { op: 'settle', settlement: negative },
        { op: 'settle', settlement: { ...testSettlement(payer, 'c', 1), account: 999_999 } },
        { ...testHold(payer, 'd', 1), amount: mq(-1n) },
        { ...testHold(payer, 'e', 1), limitAccount: payer.account },
        testMove({ requestId: 'f', kind: 'gift', account: payer.account, amount: mq(-1n) }),
        testMove({ requestId: 'g', kind: 'limit-set', account: payer.account, amount: mq(1n) }),
        testSettle(payer, 'a', 2),
      ],
      'r1',
    )
    expect(outcomes.map(outcomeName)).toEqual([...Array.from({ length: 8 }, () => 'invalid'), 'done'])
    expect((await availableOf(suite.engine, payer)).user).toBe(mqFromQuota(980))
  })
})
