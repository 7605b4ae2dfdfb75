import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testMove, type TestPayer, testSettlement, testTrace } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { type ManualTimers, openManualTimers, untilIdle } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LedgerEngine } from '../engine.ts'
import type { Ledger } from '../ledger.ts'
import type { Operation } from '../operation.ts'
import { mq, mqFromQuota } from '../units.ts'
import type { GroupCommitOptions } from './group-commit.ts'

describe('the group commit', () => {
  let books: LedgerOnSqlite
  let engine: LedgerEngine
  let timers: ManualTimers
  let payer: TestPayer
  let failures: unknown[]

  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  beforeEach(async () => {
    books.empty()
    engine = books.openEngine()
    timers = openManualTimers()
    failures = []
    payer = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 100 })
  })
  afterEach(async () => {
    expect(await brokenInvariants(books.read, 0)).toEqual([])
  })
  afterAll(() => books.close())

  const open = (options: Partial<Omit<GroupCommitOptions, 'timers'>> = {}): Promise<Ledger> =>
    openTestLedger({ engine, timers, onFailure: (error) => failures.push(error), ...options })
  const hold = (ledger: Ledger, requestId: string, quota = 10) =>
    ledger.hold({
      requestId,
      account: payer.account,
      limitAccount: payer.limitAccount,
      amount: mqFromQuota(quota),
      durable: true,
    })

  /** An engine whose commits pass through `gate` first. */
  const through = (
    gate: (
      batch: readonly Operation[],
      commit: () => ReturnType<LedgerEngine['apply']>,
    ) => ReturnType<LedgerEngine['apply']>,
  ) =>
    ({
      ...engine,
      apply: (batch, replica, again) => gate(batch, () => engine.apply(batch, replica, again)),
    }) satisfies LedgerEngine

  /** An engine that records the size of each commit, and takes its time. */
  const counting = (sizes: number[]) =>
    through(async (batch, commit) => {
      sizes.push(batch.length)
      await untilIdle()
      return await commit()
    })

  it('commits at once when idle, and takes together whatever gathers meanwhile', async () => {
    const sizes: number[] = []
    const ledger = await open({ engine: counting(sizes) })
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => hold(ledger, `request-${i}`, 0)))
    expect(sizes).toEqual([1_024, 976])
    await untilIdle()
    const first = hold(ledger, 'first')
    while (sizes.length < 3) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([first, ...['a', 'b', 'c'].map((id) => hold(ledger, id))])
    expect(sizes).toEqual([1_024, 976, 1, 3])
  })

  it('waits for more in a rush, for 4 ms, or until as many have come as in two commits, or 24', async () => {
    const sizes: number[] = []
    const ledger = await open({ engine: counting(sizes) })
    let last = 0
    const holds = (count: number) => Array.from({ length: count }, () => hold(ledger, `request-${(last += 1)}`, 0))
    /** Commits `first`, during which `during` arrive. */
    const rush = async (first: number, during: number) => {
      const begun = sizes.length
      const answered = holds(first)
      while (sizes.length === begun) await new Promise((resolve) => setImmediate(resolve))
      const late = holds(during)
      await Promise.all(answered)
      await untilIdle()
      return late
    }
    const late = await rush(4, 3)
    expect(sizes).toEqual([4])
    await timers.advance(4)
    await Promise.all(late)
    expect(sizes).toEqual([4, 3])

    const early = await rush(5, 7)
    expect(sizes).toEqual([4, 3, 5])
    await Promise.all([...early, ...holds(1)])
    expect(sizes).toEqual([4, 3, 5, 8])

    await untilIdle()
    const many = await rush(30, 23)
    expect(sizes).toEqual([4, 3, 5, 8, 30])
    await Promise.all([...many, ...holds(1)])
    expect(sizes).toEqual([4, 3, 5, 8, 30, 24])
  })

  it('waits for no more than it can take, after commits that failed', async () => {
    const sizes: number[] = []
    const ledger = await open({
      engine: through(async (batch, commit) => {
        sizes.push(batch.length)
        if (sizes.length <= 4) throw new Error('the database is away')
        return await commit()
      }),
    })
    const all = Array.from({ length: 16 }, (_, i) => hold(ledger, `request-${i}`, 0))
    for (const pauseMs of [20, 40, 80, 160]) {
      await untilIdle()
      await timers.advance(pauseMs)
    }
    await untilIdle()
    expect(sizes).toEqual([16, 16, 16, 16, 8])
    await timers.advance(4)
    await Promise.all(all)
    expect(sizes).toEqual([16, 16, 16, 16, 8, 8])
  })

  it('answers every operation according to its outcome', async () => {
    const ledger = await open()
    expect(await hold(ledger, 'a')).toBe('held')
    expect(await hold(ledger, 'a')).toBe('stale')
    expect(await hold(ledger, 'b', 101)).toBe('token_quota')
    expect(await ledger.extend('a', mqFromQuota(2_000))).toBe('user_quota')
    expect(await ledger.extend('a', mqFromQuota(20))).toBe('held')
    await ledger.renew(testSettlement(payer, 'a', 1))
    expect(await ledger.settle(testSettlement(payer, 'a', 1))).toBe('charged')
    await hold(ledger, 'c')
    await ledger.void('c', testTrace(payer, 'c'))
    const gift = testMove({ requestId: 'gift', kind: 'gift', account: payer.account, amount: mqFromQuota(1) })
    expect(await ledger.move(gift)).toBe('moved')
    expect(await ledger.move(gift)).toBe('unchanged')
    expect(await ledger.move({ ...gift, requestId: 'huge', amount: mq(2n ** 63n) })).toBe('out_of_range')
    const back = { refundId: 'back', requestId: 'a', actor: 9, reason: 'broken' }
    expect(await ledger.refund({ ...back, amount: mqFromQuota(11) })).toEqual({ atMost: mqFromQuota(10) })
    expect(await ledger.refund({ ...back, amount: 'rest' })).toEqual({ refunded: mqFromQuota(10) })
    expect(await ledger.refund({ ...back, amount: 'rest' })).toBe('not_charged')
    expect(await ledger.openAccount('user', 1, false)).toBe(payer.account)
    expect(ledger.knownBalance(payer.account)).toMatchObject({ available: mqFromQuota(1_001), seen: timers.now() })
    expect(ledger.knownBalance(999)).toBeUndefined()
    expect(failures).toEqual([])
  })

  it('lets ten of 200 parallel calls pass on a token with quota for ten', async () => {
    const ledger = await open()
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => hold(ledger, `request-${i}`)))
    expect(answers.filter((answer) => answer === 'held')).toHaveLength(10)
    expect(answers.filter((answer) => answer === 'token_quota')).toHaveLength(190)
    expect(ledger.backlog).toBe(0)
  })

  it('rejects what only a bug can request, and nothing else', async () => {
    const ledger = await open()
    const [negative, fine] = await Promise.allSettled([hold(ledger, 'a', -1), hold(ledger, 'b')])
    expect(negative).toMatchObject({
      status: 'rejected',
      reason: { message: 'ledger: a hold must not be negative (hold)' },
    })
    expect(fine).toEqual({ status: 'fulfilled', value: 'held' })
  })

  it('repeats a batch whose answer was lost, and holds and charges only once', async () => {
    let losses = 2
    const ledger = await open({
      engine: through(async (_, commit) => {
        const result = await commit()
        if (losses-- > 0) throw new Error('connection lost')
        return result
      }),
    })
    const answers = Promise.all([hold(ledger, 'a'), hold(ledger, 'b')])
    await timers.advance(1_000)
    expect(await answers).toEqual(['held', 'held'])
    losses = 1
    const charged = ledger.settle(testSettlement(payer, 'a', 1))
    await timers.advance(1_000)
    expect(await charged).toBe('charged')
    expect(failures).toHaveLength(3)
    expect(ledger.knownBalance(payer.account)?.available).toBe(mqFromQuota(980))
  })

  it('reports a charge once, when it is durable', async () => {
    const reported: string[] = []
    let isAway = true
    const ledger = await open({
      engine: through(async (_, commit) => {
        const result = await commit()
        if (isAway) throw new Error('connection lost')
        return result
      }),
      onCharged: ({ requestId }) => reported.push(requestId),
    })
    const charged = ledger.settle(testSettlement(payer, 'a', 1))
    await timers.advance(1_000)
    expect(reported).toEqual([])
    isAway = false
    await timers.advance(1_000)
    expect(await charged).toBe('charged')
    expect(reported).toEqual(['a'])
  })

  it('answers holds as unavailable after five seconds and charges settlements when the database is back', async () => {
    let away = false
    const ledger = await open({
      engine: through(async (_, commit) => {
        if (away) throw new Error('database away')
        return await commit()
      }),
    })
    await hold(ledger, 'running')
    away = true
    const settled = ledger.settle(testSettlement(payer, 'running', 1))
    const held = hold(ledger, 'new')
    const moved = ledger.move(testMove({ requestId: 'gift', kind: 'gift', account: payer.account, amount: mq(1n) }))
    await timers.advance(4_000)
    expect(ledger.backlog).toBe(3)
    await timers.advance(2_000)
    expect([await held, await moved]).toEqual(['unavailable', 'unavailable'])
    expect(ledger.backlog).toBe(1)
    away = false
    await timers.advance(10_000)
    expect(await settled).toBe('charged')
    expect(await books.read('select request_id from hold')).toEqual([])
  })

  it('lets no caller wait much longer than the database was away', async () => {
    let isAway = true
    const ledger = await open({
      engine: through(async (_batch, commit) => {
        if (isAway) throw new Error('the database is away')
        return await commit()
      }),
    })
    const answers: unknown[] = []
    for (let i = 0; i < 16; i++) void hold(ledger, `request-${i}`, 1).then((answer) => answers.push(answer))
    await timers.advance(2_000)
    isAway = false
    await timers.advance(2_000)
    expect(answers).toEqual(Array.from({ length: 16 }, () => 'held'))
    await ledger.close()
  })

  it('never makes a movement that it answered as unavailable, least of all after a later one', async () => {
    let isAway = false
    const ledger = await open({
      engine: through(async (_batch, commit) => {
        if (isAway) throw new Error('the database is away')
        return await commit()
      }),
    })
    const { account } = payer
    const set = (requestId: string, quota: number) =>
      ledger.move(testMove({ requestId, kind: 'admin-adjust', mode: 'set', account, amount: mqFromQuota(quota) }))
    isAway = true
    const first = set('first', 250)
    const gift = ledger.move(testMove({ requestId: 'gift', kind: 'gift', account, amount: mqFromQuota(7) }))
    await timers.advance(6_500)
    expect([await first, await gift]).toEqual(['unavailable', 'unavailable'])
    isAway = false
    expect(await set('second', 300)).toBe('moved')
    await timers.advance(20_000)
    expect(await books.read(`select posted from account where id = ${account}`)).toEqual([{ posted: 300_000n }])
  })

  it('voids a hold that turns out to be committed after its caller was turned away', async () => {
    let answering = true
    const ledger = await open({
      engine: through(async (_, commit) => {
        const result = await commit()
        if (!answering) throw new Error('no answer')
        return result
      }),
    })
    answering = false
    const held = hold(ledger, 'a')
    await timers.advance(6_000)
    expect(await held).toBe('unavailable')
    expect(await books.read('select request_id from hold')).toHaveLength(1)
    answering = true
    await timers.advance(10_000)
    expect(await books.read('select request_id from hold')).toEqual([])
  })

  it('holds nothing up for one operation that the database cannot take', async () => {
    let cured = false
    const ledger = await open({
      engine: through(async (batch, commit) => {
        const poisoned = batch.some((each) => each.op === 'settle' && each.settlement.requestId === 'poison')
        if (poisoned && !cured) throw new Error('cannot write this')
        return await commit()
      }),
    })
    const first = hold(ledger, 'first', 0)
    const poison = ledger.settle(testSettlement(payer, 'poison', 1))
    const others = Array.from({ length: 40 }, (_, i) => hold(ledger, `request-${i}`, 1))
    await timers.advance(4_500)
    expect(await first).toBe('held')
    expect(await Promise.all(others)).toEqual(others.map(() => 'held'))
    expect(ledger.backlog).toBe(1)
    // Nothing else is queued: the ledger sleeps until it retries the poison, and any new operation wakes it.
    const latecomer = hold(ledger, 'latecomer', 1)
    await untilIdle()
    await timers.advance(1)
    expect(ledger.backlog).toBe(1)
    expect(await latecomer).toBe('held')
    cured = true
    await timers.advance(6_000)
    expect(await poison).toBe('charged')
  })

  it('refuses new holds above its cap, but still takes settlements', async () => {
    const gate = Promise.withResolvers<undefined>()
    const ledger = await open({
      maxBacklog: 3,
      engine: through(async (_, commit) => {
        await gate.promise
        return await commit()
      }),
    })
    const held = ['a', 'b', 'c'].map((id) => hold(ledger, id))
    expect(await hold(ledger, 'd')).toBe('unavailable')
    const settled = ledger.settle(testSettlement(payer, 'x', 1))
    expect(ledger.backlog).toBe(4)
    gate.resolve(undefined)
    expect(await Promise.all(held)).toEqual(['held', 'held', 'held'])
    expect(await settled).toBe('charged')
  })

  it('charges at its start what an earlier process on the same file left open', async () => {
    const before = await open({ replica: 'before' })
    await hold(before, 'a')
    await hold(before, 'b')
    await before.renew(testSettlement(payer, 'a', 2))
    const after = await open({ replica: 'after' })
    expect(await books.read('select request_id from hold')).toEqual([])
    expect(await books.read(`select amount from transfer where kind = 'consume'`)).toEqual([{ amount: 20_000n }])
    expect(await before.settle(testSettlement(payer, 'a', 3))).toBe('charged')
    expect(await hold(after, 'c')).toBe('held')
  })

  it('stops taking requests once it is declared dead, and charges those in flight', async () => {
    let reported = 0
    const ledger = await open({ onDead: () => (reported += 1) })
    await hold(ledger, 'a')
    await engine.recover({ deadAfterMs: 60_000, dead: ['r1'] })
    await timers.advance(30_000)
    expect([ledger.dead, reported]).toEqual([true, 1])
    expect(await hold(ledger, 'b')).toBe('unavailable')
    expect(await ledger.settle(testSettlement(payer, 'a', 1))).toBe('charged')
  })

  it('does not consider itself dead after the machine slept', async () => {
    await books.read(`update replica set heartbeat_ms = 0 returning id`)
    const ledger = await open()
    await books.read(`update replica set heartbeat_ms = 0 where id = 'r1' returning id`)
    await timers.sleep(3_600_000)
    expect(ledger.dead).toBe(false)
    expect(await hold(ledger, 'a')).toBe('held')
  })

  it('finishes what is queued when it closes, then answers nothing more', async () => {
    const ledger = await open()
    const answers = [hold(ledger, 'a'), ledger.settle(testSettlement(payer, 'b', 1))]
    await Promise.all([ledger.close(), ledger.close()])
    expect(await Promise.all(answers)).toEqual(['held', 'charged'])
    expect(await hold(ledger, 'c')).toBe('unavailable')
    expect(await ledger.settle(testSettlement(payer, 'a', 1))).toBe('unavailable')
    expect(await books.read('select id from replica')).toEqual([])
    await engine.recover({ deadAfterMs: 0, dead: [] })
  })

  it('gives up after the drain time-out when the database does not answer', async () => {
    const ledger = await open({
      engine: { ...through(() => new Promise(() => {})), leave: () => new Promise(() => {}) },
    })
    const settled = ledger.settle(testSettlement(payer, 'a', 1))
    const closed = ledger.close()
    await timers.advance(9_000)
    expect(ledger.backlog).toBe(1)
    await timers.advance(5_000)
    expect(await settled).toBe('unavailable')
    await closed
  })
})
