import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecordLog } from '@sluice/store/sqlite/record-log'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testSettlement, type TestPayer, testTrace } from '@sluice/testkit/ledger-operations'
import { createHeldRecording, type HeldRecording, holdEngine, holdLog } from '@sluice/testkit/ledger-recording'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { type ManualTimers, openManualTimers, untilIdle } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordingEngine } from '../engine.ts'
import type { Ledger, SettleAnswer } from '../ledger.ts'
import { mqFromQuota } from '../units.ts'

/** How soon a flush that failed is tried again. */
const FLUSH_AGAIN_MS = 250

let books: LedgerOnSqlite
let engine: RecordingEngine
let directory: string
let timers: ManualTimers
let payer: TestPayer
let failures: string[]
let uncharged: string[]
let held: HeldRecording
let ledger: Ledger
/** No flush succeeds. */
let isFull: boolean

/** A ledger that has seen the balances, and two holds in its tables. */
beforeEach(async () => {
  books = openLedgerOnSqlite()
  directory = mkdtempSync(join(tmpdir(), 'sluice-unwritten-'))
  timers = openManualTimers()
  failures = []
  uncharged = []
  held = createHeldRecording()
  // Every engine of this database can record; the type of the helper does not say so.
  const opened = books.openEngine() as RecordingEngine
  const working = holdEngine(opened, held)
  isFull = false
  engine = {
    ...working,
    flush: () => (isFull ? Promise.reject(new Error('the disk is still full')) : working.flush()),
  }
  payer = await openTestPayer(opened, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 5_000 })
  const { id, number } = await engine.recordsApplied()
  const { log } = openRecordLog(join(directory, 'sluice.db'), id, number)
  ledger = await openTestLedger({
    engine,
    records: { engine, log: holdLog(log, held) },
    timers,
    onFailure: (error) => failures.push(String(error)),
    onUncharged: (sentence) => uncharged.push(sentence),
  })
  await ledger.hold({ requestId: 'first', ...payer, amount: mqFromQuota(0), durable: false })
  await ledger.void('first', testTrace(payer, 'first'))
  for (const requestId of ['a', 'b']) {
    await ledger.hold({ requestId, ...payer, amount: mqFromQuota(10), durable: true })
  }
})
afterEach(async () => {
  await close()
  rmSync(directory, { recursive: true, force: true })
  expect(await brokenInvariants(books.read, 0)).toEqual([])
  books.close()
})

async function close(): Promise<void> {
  const closed = ledger.close()
  await timers.advance(20_000)
  await closed
}

/** Charges `tens` times ten quota. */
const settle = (requestId: string, tens: number): Promise<SettleAnswer> =>
  ledger.settle(testSettlement(payer, requestId, tens))

/** What is charged according to the tables, in quota. */
async function charged(): Promise<Record<string, number>> {
  const rows = await books.read(
    `select request_id, sum(case kind when 'refund' then -amount else amount end) as net
     from transfer where kind in ('consume', 'adjust', 'refund') group by request_id order by request_id`,
  )
  return Object.fromEntries(rows.map(({ request_id, net }) => [request_id, Number(net) / 1_000]))
}

/** Records are refused, and so is every flush until it is emptied. */
function fillDisk(): void {
  held.written = (_, done) => done(new Error('the disk is full'))
  isFull = true
}

/** Settles, and waits until the disk has refused the record. */
async function settleRefused(requestId: string, tens: number): Promise<{ readonly settled: Promise<SettleAnswer> }> {
  const before = refused()
  const settled = settle(requestId, tens)
  await expect.poll(refused).toBe(before + 1)
  return { settled }
}

const refused = (): number => failures.filter((each) => each === 'Error: the disk is full').length

describe('a settlement whose record is not written, and whose commit cannot be made durable either', () => {
  it('is answered when it can: what was delivered is not given away', async () => {
    fillDisk()
    let answer: SettleAnswer | undefined
    const { settled } = await settleRefused('a', 1)
    void settled.then((said) => (answer = said))
    await timers.advance(1_000)
    expect([answer, await charged()]).toEqual([undefined, { a: 10 }])
    expect(new Set(failures)).toEqual(new Set(['Error: the disk is full', 'Error: the disk is still full']))
    isFull = false
    await timers.advance(FLUSH_AGAIN_MS)
    await settled
    expect(answer).toBe('charged')
  })

  it('shares its flush with all others that wait for one', async () => {
    fillDisk()
    const { settled: first } = await settleRefused('a', 1)
    await timers.advance(FLUSH_AGAIN_MS / 2)
    const { settled: second } = await settleRefused('b', 2)
    await timers.advance(FLUSH_AGAIN_MS)
    isFull = false
    held.calls.length = 0
    await timers.advance(FLUSH_AGAIN_MS)
    expect([await first, await second, held.calls]).toEqual(['charged', 'charged', ['flush']])
  })

  it('keeps new requests out after 2 s, and counts as unanswered', async () => {
    fillDisk()
    const { settled } = await settleRefused('a', 1)
    await timers.advance(1_999)
    expect([ledger.stuck, ledger.backlog]).toEqual([false, 1])
    await timers.advance(1)
    expect([ledger.stuck, ledger.backlog]).toEqual([true, 1])
    isFull = false
    await timers.advance(FLUSH_AGAIN_MS)
    expect([await settled, ledger.stuck, ledger.backlog]).toEqual(['charged', false, 0])
  })

  it('can be taken back, and replaced by one for nothing', async () => {
    fillDisk()
    const { settled } = await settleRefused('a', 1)
    await timers.advance(1_000)
    ledger.withdraw('a')
    expect(await settled).toBe('in_doubt')
    const { settled: again } = await settleRefused('a', 0)
    isFull = false
    await timers.advance(1_000)
    expect([await again, await charged()]).toEqual(['charged', { a: 0 }])
  })

  it('is unavailable when the ledger is closed before that', async () => {
    fillDisk()
    const { settled } = await settleRefused('a', 1)
    await timers.advance(1_000)
    await close()
    expect(await settled).toBe('unavailable')
  })
})

describe('a settlement while the ledger is being closed', () => {
  it('gets into the tables with those that are waited for, so that no record is left', async () => {
    const gate = Promise.withResolvers<undefined>()
    held.pass = () => gate.promise
    const first = settle('a', 1)
    const closed = ledger.close()
    await untilIdle()
    const second = settle('b', 2)
    await untilIdle()
    gate.resolve(undefined)
    await timers.advance(20_000)
    await closed
    expect([await first, await second, await charged()]).toEqual(['charged', 'charged', { a: 10, b: 20 }])
    expect((await engine.recordsApplied()).number).toBe(2)
  })

  it('is left to the next start when no commit succeeds, and nobody has to look at it', async () => {
    held.pass = () => Promise.reject(new Error('the database is away'))
    expect(await settle('a', 1)).toBe('charged')
    await close()
    expect([await charged(), uncharged, (await engine.recordsApplied()).number]).toEqual([{}, [], 0])
  })
})

describe('a hold that only the process knew, and that no commit takes', () => {
  it('is still counted: nothing on its accounts is decided without it', async () => {
    const hold = (requestId: string, quota: number) =>
      ledger.hold({ requestId, ...payer, amount: mqFromQuota(quota), durable: false })
    expect([await hold('kept', 80), held.calls.filter((each) => each.includes('kept'))]).toEqual(['held', []])
    held.pass = async (batch) => {
      if (batch.includes('hold kept')) throw new Error('that row cannot be written')
    }
    const rest = hold('rest', 910)
    await timers.advance(2_000)
    const later = hold('later', 910)
    await timers.advance(8_000)
    expect([await rest, await later]).toEqual(['unavailable', 'unavailable'])
    held.pass = async () => {}
    await timers.advance(10_000)
    expect([await hold('more', 901), await hold('all', 900)]).toEqual(['user_quota', 'held'])
  })

  it('is not overtaken while it waits for another suspect of its user', async () => {
    const other = await openTestPayer(engine, 'setup', { userId: 1, tokenId: 2, quota: 0, limit: 5_000 })
    const hold = (requestId: string, quota: number, of = payer) =>
      ledger.hold({ requestId, ...of, amount: mqFromQuota(quota), durable: false })
    await hold('known', 0, other)
    await ledger.void('known', testTrace(other, 'known'))
    expect(await hold('kept', 80, other)).toBe('held')
    held.pass = async (batch) => {
      if (batch.includes('settle a')) throw new Error('that charge cannot be written')
    }
    expect(await settle('a', 1)).toBe('charged')
    await timers.advance(2_000)
    const [requestId, account] = ['less', other.limitAccount]
    const cut = { requestId, account, kind: 'limit-set', mode: 'set', actor: 0, reason: '' } as const
    const moved = ledger.move({ ...cut, amount: mqFromQuota(50) })
    await timers.advance(100)
    held.pass = async () => {}
    await timers.advance(10_000)
    expect(await moved).toBe('moved')
    // Of 1000, 10 are charged, 10 are held for the request b, and 80 for the one that was kept.
    expect([await hold('more', 901), await hold('all', 900)]).toEqual(['user_quota', 'held'])
  })
})
