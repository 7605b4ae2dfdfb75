import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecordLog } from '@sluice/store/sqlite/record-log'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import {
  openTestPayer,
  testCode,
  testMove,
  testRedeem,
  testRefund,
  testSettlement,
  type TestPayer,
  testTrace,
} from '@sluice/testkit/ledger-operations'
import { createHeldRecording, type HeldRecording, holdEngine, holdLog } from '@sluice/testkit/ledger-recording'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { type ManualTimers, openManualTimers, untilIdle } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RecordingEngine } from '../engine.ts'
import type { Ledger, SettleAnswer } from '../ledger.ts'
import { mqFromQuota } from '../units.ts'
import type { SettlementLog } from './recorded-settlements.ts'

/** When the settlements that wait for nothing else are committed. */
const LAZY_MS = 100

let books: LedgerOnSqlite
let engine: RecordingEngine
let directory: string
let logs: SettlementLog[]
let timers: ManualTimers
let payer: TestPayer
let failures: string[]
let uncharged: string[]
let held: HeldRecording

beforeAll(() => {
  books = openLedgerOnSqlite()
})
beforeEach(async () => {
  books.empty()
  books.connection.exec('update record_log set applied = 0')
  directory = mkdtempSync(join(tmpdir(), 'sluice-recorded-'))
  logs = []
  timers = openManualTimers()
  failures = []
  uncharged = []
  held = createHeldRecording()
  // Every engine of this database can record; the type of the helper does not say so.
  const opened = books.openEngine() as RecordingEngine
  engine = holdEngine(opened, held)
  payer = await openTestPayer(opened, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 5_000 })
})
afterEach(async () => {
  for (const log of logs) await log.close()
  rmSync(directory, { recursive: true, force: true })
  expect(await brokenInvariants(books.read, 0)).toEqual([])
})
afterAll(() => books.close())

async function openLog(): Promise<SettlementLog> {
  const { id, number } = await engine.recordsApplied()
  const { log } = openRecordLog(join(directory, 'sluice.db'), id, number)
  logs.push(log)
  return holdLog(log, held)
}

/** A ledger that has seen the balances, and has nothing to do. */
async function openKnowing(): Promise<Ledger> {
  const ledger = await openTestLedger({
    engine,
    records: { engine, log: await openLog() },
    timers,
    onFailure: (error) => failures.push(String(error)),
    onUncharged: (sentence) => uncharged.push(sentence),
  })
  await know(ledger, payer)
  held.calls.length = 0
  return ledger
}

async function know(ledger: Ledger, of: TestPayer): Promise<void> {
  const requestId = `first-${of.userId}`
  await hold(ledger, requestId, 0, { of })
  await ledger.void(requestId, testTrace(of, requestId))
}

function hold(ledger: Ledger, requestId: string, quota: number, { durable = false, of = payer } = {}) {
  const { account, limitAccount } = of
  return ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(quota), durable })
}

/** Charges `tens` times ten quota. */
const settle = (ledger: Ledger, requestId: string, tens: number, of = payer): Promise<SettleAnswer> =>
  ledger.settle(testSettlement(of, requestId, tens))

/** What is charged according to the tables, in quota. */
async function charged(): Promise<Record<string, number>> {
  const rows = await books.read(
    `select request_id, sum(case kind when 'refund' then -amount else amount end) as net
     from transfer where kind in ('consume', 'adjust', 'refund') group by request_id order by request_id`,
  )
  return Object.fromEntries(rows.map(({ request_id, net }) => [request_id, Number(net) / 1_000]))
}

const events = () => books.read('select kind, subject from ledger_event')
const applied = async () => (await engine.recordsApplied()).number

/** Keeps what the disk says from the ledger, until it is called. */
function withholdRecords(): () => void {
  const waiting: (() => void)[] = []
  held.written = (error, done) => waiting.push(() => done(error))
  return () => {
    held.written = (error, done) => done(error)
    for (const write of waiting.splice(0)) write()
  }
}

/** Until the end of the test, unless it is set again: every commit with such an operation fails. */
function failCommitsOf(name: string): void {
  held.pass = async (batch) => {
    if (batch.includes(name)) throw new Error(`the commit of ${name} fails`)
  }
}

describe('a recorded settlement', () => {
  it('is answered once its record is durable, though the tables do not show it yet', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    expect(await settle(ledger, 'a', 1)).toBe('charged')
    expect([held.calls, await charged()]).toEqual([[], {}])
    await timers.advance(LAZY_MS)
    expect([held.calls, await charged(), await applied()]).toEqual([['settle a'], { a: 10 }, 1])
  })

  it('is not answered before its record is durable, though the tables show it', async () => {
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    const write = withholdRecords()
    let answer: SettleAnswer | undefined
    const settled = settle(ledger, 'a', 1).then((said) => (answer = said))
    await timers.advance(LAZY_MS)
    expect([await charged(), answer]).toEqual([{ a: 10 }, undefined])
    write()
    await settled
    expect(answer).toBe('charged')
  })

  it('does not wait for the others when there are many', async () => {
    const ledger = await openKnowing()
    await Promise.all(Array.from({ length: 256 }, (_, i) => settle(ledger, `request-${i}`, 0)))
    await untilIdle()
    expect([held.calls.length, Object.keys(await charged()).length]).toEqual([1, 256])
  })

  it('is waited for by readers, and only if it was recorded before they asked', async () => {
    const ledger = await openKnowing()
    for (const id of ['a', 'b']) await settle(ledger, id, 1)
    const gate = Promise.withResolvers<undefined>()
    held.pass = () => gate.promise
    let isRead = false
    const read = ledger.applied().then(() => (isRead = true))
    await untilIdle()
    await settle(ledger, 'later', 1)
    failCommitsOf('settle later')
    expect(isRead).toBe(false)
    gate.resolve(undefined)
    await timers.advance(1_000)
    expect([isRead, await charged()]).toEqual([true, { a: 10, b: 10 }])
    await read
  })

  it('is waited for by readers for 2 s at most', async () => {
    const ledger = await openKnowing()
    await settle(ledger, 'a', 1)
    failCommitsOf('settle a')
    let isRead = false
    const read = ledger.applied().then(() => (isRead = true))
    await timers.advance(1_999)
    expect(isRead).toBe(false)
    await timers.advance(1)
    expect([isRead, await charged()]).toEqual([true, {}])
    await read
  })

  it('stays promised until the tables show it, and so does what its hold is above it', async () => {
    const ledger = await openKnowing()
    const isLeft = (quota: number): boolean => ledger.isComfortable(payer.account, mqFromQuota(quota / 10))
    await hold(ledger, 'above', 10)
    await hold(ledger, 'below', 90)
    expect([isLeft(900), isLeft(910)]).toEqual([true, false])
    await settle(ledger, 'above', 30)
    await settle(ledger, 'below', 1)
    expect([isLeft(610), isLeft(620)]).toEqual([true, false])
    await timers.advance(LAZY_MS)
    expect([isLeft(690), isLeft(700)]).toEqual([true, false])
  })

  it('is reported when it cannot be charged after all', async () => {
    const ledger = await openKnowing()
    const other = await openTestPayer(engine, 'setup', { userId: 2, tokenId: 2, quota: 1_000 })
    await know(ledger, other)
    await hold(ledger, 'a', 10, { durable: true })
    expect(await settle(ledger, 'a', 1, other)).toBe('charged')
    await timers.advance(LAZY_MS)
    expect([uncharged.length, uncharged[0], await charged()]).toEqual([
      1,
      expect.stringMatching(/^the recorded charge of request a, 10000 mq, cannot be made: /),
      {},
    ])
  })

  it('is in the tables when the ledger is closed', async () => {
    const ledger = await openKnowing()
    for (const id of ['a', 'b']) await settle(ledger, id, 1)
    await ledger.close()
    expect([await charged(), await applied()]).toEqual([{ a: 10, b: 10 }, 2])
  })
})

describe('what is decided after a settlement was recorded', () => {
  const requestId = 'later'
  const move = { requestId, reason: '', actor: 0, mode: 'set' } as const
  it.each<[string, (ledger: Ledger) => Promise<unknown>, unknown]>([
    ['a hold that is too much with it', (ledger) => hold(ledger, requestId, 501), 'user_quota'],
    ['a hold of the rest', (ledger) => hold(ledger, requestId, 500), 'held'],
    [
      'an extension',
      async (ledger) => [await hold(ledger, requestId, 100), await ledger.extend(requestId, mqFromQuota(501))],
      ['held', 'user_quota'],
    ],
    [
      'a movement to what the account then has',
      (ledger) => ledger.move({ ...move, kind: 'admin-adjust', account: payer.account, amount: mqFromQuota(500) }),
      'unchanged',
    ],
    ['a refund', (ledger) => ledger.refund(testRefund(payer, 'a', requestId)), { refunded: mqFromQuota(500) }],
    ['a redemption', (ledger) => ledger.redeem(testRedeem(payer, 7)), { paid: mqFromQuota(5) }],
    [
      'a budget',
      async (ledger) => {
        const budgets = [{ period: 'day', amount: mqFromQuota(510) } as const]
        const set = await ledger.setBudgets({ account: payer.account, userId: 1, budgets })
        return [set, await hold(ledger, requestId, 11)]
      },
      ['set', expect.objectContaining({ reason: 'user_budget' })],
    ],
    ['the end of another request', (ledger) => ledger.void(requestId, testTrace(payer, requestId)), undefined],
  ])('finds it in the tables: %s', async (_, act, answer) => {
    books.add('redemption', testCode(7, 5))
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    await settle(ledger, 'a', 50)
    expect([await act(ledger), await charged()]).toEqual([answer, { a: 500 }])
    expect(held.calls[0]).toMatch(/^settle a/)
  })
})

describe('a recorded settlement whose commit fails again and again', () => {
  let ledger: Ledger
  let other: TestPayer
  beforeEach(async () => {
    ledger = await openKnowing()
    other = await openTestPayer(engine, 'setup', { userId: 2, tokenId: 2, quota: 1_000 })
    await know(ledger, other)
    await hold(ledger, 'stream', 10, { durable: true })
    await hold(ledger, 'a', 90)
    failCommitsOf('settle a')
    expect(await settle(ledger, 'a', 9)).toBe('charged')
    await timers.advance(2_000)
  })
  afterEach(async () => {
    held.pass = async () => {}
    await timers.advance(20_000)
    expect(await charged()).toEqual(expect.objectContaining({ a: 90 }))
  })

  it('holds up what is decided about its accounts', async () => {
    const [requestId, kind] = ['take', 'admin-adjust'] as const
    const take = testMove({ requestId, kind, account: payer.account, amount: mqFromQuota(-1) })
    const answers = Promise.all([hold(ledger, 'more', 920), ledger.move(take)])
    await timers.advance(6_000)
    expect(await answers).toEqual(['unavailable', 'unavailable'])
  })

  it('holds up its refund, and what would extend a hold on its accounts', async () => {
    const answers = Promise.all([
      ledger.refund(testRefund(payer, 'a', 'refund')),
      ledger.extend('stream', mqFromQuota(920)),
    ])
    await timers.advance(6_000)
    expect(await answers).toEqual(['unavailable', 'unavailable'])
  })

  it('holds up no one else', async () => {
    expect(await hold(ledger, 'elsewhere', 920, { of: other })).toBe('held')
  })
})

describe('a recorded settlement that is taken back', () => {
  it('is in doubt, and a later one for nothing takes its place', async () => {
    const ledger = await openKnowing()
    const write = withholdRecords()
    const settled = settle(ledger, 'a', 9)
    ledger.withdraw('a')
    expect(await settled).toBe('in_doubt')
    const again = settle(ledger, 'a', 0)
    write()
    expect(await again).toBe('charged')
    await timers.advance(LAZY_MS)
    expect([held.calls, await charged(), await events()]).toEqual([['settle a'], { a: 0 }, []])
  })

  it('stays when it is durable', async () => {
    const ledger = await openKnowing()
    expect(await settle(ledger, 'a', 9)).toBe('charged')
    ledger.withdraw('a')
    await timers.advance(LAZY_MS)
    expect(await charged()).toEqual({ a: 90 })
  })

  it('is corrected by the later one when its commit was under way', async () => {
    const ledger = await openKnowing()
    const write = withholdRecords()
    const settled = settle(ledger, 'a', 9)
    await timers.advance(LAZY_MS)
    ledger.withdraw('a')
    expect(await settled).toBe('in_doubt')
    write()
    expect(await settle(ledger, 'a', 0)).toBe('charged')
    await timers.advance(LAZY_MS)
    expect([await charged(), await events()]).toEqual([{ a: 0 }, [{ kind: 'charge_corrected', subject: 'a' }]])
  })

  it('is not overtaken by the later one when the database was away', async () => {
    const ledger = await openKnowing()
    const write = withholdRecords()
    failCommitsOf('settle a')
    const settled = settle(ledger, 'a', 9)
    // Long enough that it failed alone, and waits for its next turn.
    await timers.advance(LAZY_MS + 450)
    ledger.withdraw('a')
    expect(await settled).toBe('in_doubt')
    held.pass = async () => {}
    write()
    expect(await settle(ledger, 'a', 0)).toBe('charged')
    const later = hold(ledger, 'later', 920)
    await timers.advance(20_000)
    expect([await later, await charged()]).toEqual(['held', { a: 0 }])
  })
})

describe('a settlement whose record is not written', () => {
  it('is answered by its commit when the disk refuses, once that is durable', async () => {
    const ledger = await openKnowing()
    held.written = (_, done) => done(new Error('the disk is full'))
    expect(await settle(ledger, 'a', 1)).toBe('charged')
    expect([held.calls, failures, await charged()]).toEqual([
      ['settle a', 'flush'],
      ['Error: the disk is full'],
      { a: 10 },
    ])
  })

  it('is answered by its commit although that was earlier', async () => {
    const ledger = await openKnowing()
    const refuse = Promise.withResolvers<() => void>()
    held.written = (_, done) => refuse.resolve(() => done(new Error('the disk is full')))
    const settled = settle(ledger, 'a', 1)
    await timers.advance(LAZY_MS)
    const finish = await refuse.promise
    expect(held.calls).toEqual(['settle a'])
    finish()
    expect([await settled, held.calls]).toEqual(['charged', ['settle a', 'flush']])
  })

  it('makes the ledger stuck after 2 s, and counts as unanswered', async () => {
    const ledger = await openKnowing()
    const write = withholdRecords()
    const settled = settle(ledger, 'a', 1)
    await timers.advance(1_999)
    expect([await charged(), ledger.stuck, ledger.backlog]).toEqual([{ a: 10 }, false, 1])
    await timers.advance(1)
    expect([ledger.stuck, ledger.backlog]).toEqual([true, 1])
    write()
    await settled
    expect([ledger.stuck, ledger.backlog]).toEqual([false, 0])
  })
})
