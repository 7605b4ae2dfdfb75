import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testSettlement, type TestPayer, testTrace } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LedgerEngine } from '../engine.ts'
import type { Ledger } from '../ledger.ts'
import type { Operation } from '../operation.ts'
import { mq, mqFromQuota } from '../units.ts'
import type { GroupCommitOptions } from './group-commit.ts'

describe('holds that only their process knows of', () => {
  let books: LedgerOnSqlite
  let engine: LedgerEngine
  let timers: ManualTimers
  let payer: TestPayer
  let batches: string[]
  let isAway: boolean

  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  beforeEach(async () => {
    books.empty()
    engine = books.openEngine()
    timers = openManualTimers()
    batches = []
    isAway = false
    payer = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 100 })
  })
  afterEach(async () => {
    expect(await brokenInvariants(books.read, 0)).toEqual([])
  })
  afterAll(() => books.close())

  const open = (options: Partial<Omit<GroupCommitOptions, 'timers'>> = {}): Promise<Ledger> =>
    openTestLedger({
      engine: {
        ...engine,
        apply: async (batch, replica, again) => {
          batches.push(batch.map(nameOf).join(' '))
          if (isAway) throw new Error('the database is away')
          return await engine.apply(batch, replica, again)
        },
      },
      timers,
      ...options,
    })
  const nameOf = (each: Operation) => {
    const id = 'requestId' in each ? each.requestId : each.op === 'settle' ? each.settlement.requestId : ''
    return `${each.op} ${id}`.trim()
  }
  const hold = (ledger: Ledger, requestId: string, quota = 1, durable = false) => {
    const { account, limitAccount } = payer
    return ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(quota), durable })
  }
  const openKnowing = async (options?: Partial<Omit<GroupCommitOptions, 'timers'>>): Promise<Ledger> => {
    const ledger = await open(options)
    await hold(ledger, 'first', 0)
    await ledger.void('first', testTrace(payer, 'first'))
    batches = []
    return ledger
  }
  const rows = () => books.read('select request_id from hold order by request_id')

  it('are charged by one commit, without a row of their own', async () => {
    const ledger = await openKnowing()
    expect(await hold(ledger, 'a', 10)).toBe('held')
    expect(await ledger.settle(testSettlement(payer, 'a', 1))).toBe('charged')
    expect(batches).toEqual(['settle a'])
    expect(ledger.knownBalance(payer.limitAccount)?.available).toBe(mqFromQuota(90))
    expect(ledger.isComfortable(payer.limitAccount, mqFromQuota(9))).toBe(true)
  })

  it('count like any other until they end', async () => {
    const ledger = await openKnowing()
    for (const id of ['a', 'b', 'c', 'd', 'e']) expect(await hold(ledger, id, 10)).toBe('held')
    expect(ledger.isComfortable(payer.limitAccount, mqFromQuota(6))).toBe(false)
    expect(await hold(ledger, 'f', 51)).toBe('token_quota')
    expect(await hold(ledger, 'g', 50)).toBe('held')
    expect(await hold(ledger, 'h')).toBe('token_quota')
    await ledger.void('a', testTrace(payer, 'a'))
    expect(await hold(ledger, 'i', 10)).toBe('held')
  })

  it('are written, in order, before a hold that the rows have to decide', async () => {
    const ledger = await openKnowing()
    for (const [id, quota] of [
      ['a', 5],
      ['b', 5],
      ['c', 20],
    ] as const)
      expect(await hold(ledger, id, quota)).toBe('held')
    expect(batches).toEqual(['hold a hold b hold c'])
    expect(await rows()).toEqual([{ request_id: 'a' }, { request_id: 'b' }, { request_id: 'c' }])
    expect(await ledger.settle(testSettlement(payer, 'a', 1))).toBe('charged')
    expect(await rows()).toEqual([{ request_id: 'b' }, { request_id: 'c' }])
  })

  it('are not made by the budget of a day that a clock, now set back, was in too early', async () => {
    const midnight = Date.UTC(2026, 10, 22)
    let at = midnight - 60_000
    const ledger = await open({ now: () => at })
    const { account } = payer
    await ledger.setBudgets({ account, userId: 1, budgets: [{ period: 'day', amount: mqFromQuota(41) }] })
    expect(await hold(ledger, 'spent', 40)).toBe('held')
    const spent = testSettlement(payer, 'spent', 4)
    expect(await ledger.settle({ ...spent, log: { ...spent.log, createdAt: at / 1_000 } })).toBe('charged')
    at = midnight + 60_000
    expect(await hold(ledger, 'next day', 1)).toBe('held')
    expect(ledger.isComfortable(account, mqFromQuota(2))).toBe(true)
    at = midnight - 30_000
    expect(ledger.isComfortable(account, mqFromQuota(2))).toBe(false)
    expect(await hold(ledger, 'day before', 2)).toMatchObject({ reason: 'user_budget' })
  })

  it('leave their trace when they are given back', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    await ledger.void('a', testTrace(payer, 'a'))
    expect(batches).toEqual(['hold a void a'])
    expect(await rows()).toEqual([])
    expect(await books.read(`select status from trace where request_id = 'a'`)).toHaveLength(1)
    expect(ledger.isComfortable(payer.limitAccount, mqFromQuota(10))).toBe(true)
  })

  it('stay open when the ledger cannot take the charge', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    const tooMuch = { ...testSettlement(payer, 'a', 1), amount: mq(2n ** 63n) }
    expect(await ledger.settle(tooMuch)).toBe('out_of_range')
    expect(ledger.isComfortable(payer.limitAccount, mqFromQuota(10))).toBe(false)
    await ledger.void('a', testTrace(payer, 'a'))
    expect(ledger.isComfortable(payer.limitAccount, mqFromQuota(10))).toBe(true)
  })

  it('are seen by whatever else the rows decide, and no hold stays local while that is in flight', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'stream', 10, true)
    await hold(ledger, 'plain', 9)
    const extended = ledger.extend('stream', mqFromQuota(92))
    const beside = hold(ledger, 'beside')
    expect([await extended, await beside]).toEqual(['token_quota', 'held'])
    expect(batches).toEqual(['hold stream', 'hold plain extend stream hold beside'])
    expect(await ledger.extend('stream', mqFromQuota(90))).toBe('held')
    expect(await hold(ledger, 'more')).toBe('token_quota')
  })

  it('are written before their progress is', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    await ledger.renew(testSettlement(payer, 'a', 1))
    expect(batches).toEqual(['hold a renew a'])
    expect(await rows()).toEqual([{ request_id: 'a' }])
  })

  it('are not made where streams begin, where other processes write, or where little is left or known', async () => {
    const shared = await openKnowing({ alone: false })
    await hold(shared, 'shared')
    const ledger = await open({ replica: 'r2' })
    await hold(ledger, 'unknown')
    await hold(ledger, 'stream', 1, true)
    await hold(ledger, 'large', 11)
    await timers.advance(5_001)
    await hold(ledger, 'late')
    expect(batches).toEqual(['hold shared', 'hold unknown', 'hold stream', 'hold large', 'hold late'])
  })

  it('are not made while the database is away', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'before')
    isAway = true
    const settled = ledger.settle(testSettlement(payer, 'before', 1))
    await timers.advance(100)
    const held = hold(ledger, 'meanwhile')
    await timers.advance(6_000)
    expect(await held).toBe('unavailable')
    isAway = false
    await timers.advance(10_000)
    expect(await settled).toBe('charged')
    expect(await rows()).toEqual([])
  })

  it('have one id each', async () => {
    const ledger = await openKnowing()
    expect([await hold(ledger, 'a'), await hold(ledger, 'a')]).toEqual(['held', 'stale'])
  })

  it('are given back with their request, although the database was away in between', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    isAway = true
    const voided = ledger.void('a', testTrace(payer, 'a'))
    // Long enough for the two to be tried one by one.
    await timers.advance(400)
    isAway = false
    await timers.advance(10_000)
    await voided
    expect(await rows()).toEqual([])
    expect(await books.read(`select status from trace where request_id = 'a'`)).toHaveLength(1)
    expect(await hold(ledger, 'all', 100)).toBe('held')
  })

  it('stay held while their request runs, however long the database takes to write them', async () => {
    const gate = Promise.withResolvers<undefined>()
    let isSlow = false
    const slow = async (...call: Parameters<LedgerEngine['apply']>) => {
      if (isSlow) await gate.promise
      return await engine.apply(...call)
    }
    const ledger = await openKnowing({ engine: { ...engine, apply: slow } })
    expect(await hold(ledger, 'a', 10)).toBe('held')
    isSlow = true
    const beside = hold(ledger, 'beside', 50)
    await timers.advance(6_000)
    expect(await beside).toBe('unavailable')
    gate.resolve(undefined)
    await timers.advance(1_000)
    expect(await rows()).toEqual([{ request_id: 'a' }])
    expect(await hold(ledger, 'too-much', 95)).toBe('token_quota')
    expect(await ledger.settle(testSettlement(payer, 'a', 1))).toBe('charged')
  })

  it('are forgotten with their process: nothing was delivered, and nothing is charged', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    await open({ replica: 'r2' })
    expect(await rows()).toEqual([])
    expect(await books.read(`select request_id from transfer where kind = 'consume'`)).toEqual([])
  })
})
