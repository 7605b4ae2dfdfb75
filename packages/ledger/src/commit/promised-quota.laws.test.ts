// @module-tag slow
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testCode, type TestPayer } from '@sluice/testkit/ledger-operations'
import { fileIn, type LedgerProcess, startLedgerProcess } from '@sluice/testkit/ledger-process'
import { PromisedQuota } from '@sluice/testkit/ledger-promises'
import {
  allowedNets,
  CODE_QUOTA,
  CODES,
  LedgerSession,
  NETS,
  type SessionStep,
  STEP_KINDS,
} from '@sluice/testkit/ledger-session'
import { openLedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const RUNS = 30
const [QUOTA, LIMIT] = [1_000, 700]

let template: string
let payers: readonly TestPayer[]
const directories: string[] = []

beforeAll(async () => {
  const books = openLedgerOnSqlite()
  const engine = books.openEngine()
  const given = [
    { userId: 1, tokenId: 1, quota: QUOTA, limit: LIMIT },
    { userId: 1, tokenId: 2, quota: 0, limit: LIMIT },
    { userId: 2, tokenId: 3, quota: QUOTA, limit: LIMIT },
  ]
  const opened: TestPayer[] = []
  for (const each of given) opened.push(await openTestPayer(engine, 'setup', each))
  payers = opened
  for (let code = 1; code <= CODES; code++) books.add('redemption', testCode(code, CODE_QUOTA))
  template = makeDirectory()
  books.connection.exec(`vacuum into '${fileIn(template)}'`)
  books.close()
})
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-promised-'))
  directories.push(directory)
  return directory
}

const step: fc.Arbitrary<SessionStep> = fc.record({
  kind: fc.constantFrom(
    ...Object.entries(STEP_KINDS).flatMap(([kind, times]) =>
      Array.from({ length: times }, () => kind as keyof typeof STEP_KINDS),
    ),
  ),
  tens: fc.oneof(fc.nat(3), fc.nat(12)),
  size: fc.constantFrom('small', 'small', 'small', 'all', 'above', 'above' as const),
  which: fc.nat(30),
  flag: fc.boolean(),
  isCalm: fc.boolean(),
  ms: fc.constantFrom(1, 100, 100, 300, 1_000, 3_000, 6_000),
  commits: fc.constantFrom('work', 'work', 'work', 'fail', 'lose', 'wait', 'late' as const),
  days: fc.integer({ min: 0, max: 2 }),
})

const life = fc.record({
  steps: fc.array(step, { minLength: 10, maxLength: 50, size: 'max' }),
  end: fc.constantFrom('stop', 'kill', 'power', 'power' as const),
  lost: fc.constantFrom(0.3, 0.7, 1),
})

const MOVES = `select request_id as id, amount, debit from transfer
  where kind in ('admin-adjust', 'limit-set', 'redeem') order by 1`

describe('what a ledger promises', () => {
  /** Starts from the balances that an earlier process left. */
  async function open(one: LedgerProcess): Promise<PromisedQuota> {
    const posted = await one.read('select id, posted from account')
    const spent = await one.read('select day, user_id, token_id, amount from usage_daily')
    const byDay = new Map<string, number>()
    for (const { day, user_id, token_id, amount } of spent) {
      const payer = payers.find(({ userId, tokenId }) => userId === user_id && tokenId === token_id)
      for (const account of [payer?.account, payer?.limitAccount]) {
        const key = `${account} ${Number(day)}`
        byDay.set(key, (byDay.get(key) ?? 0) + Number(amount) / 1_000)
      }
    }
    return new PromisedQuota(new Map(posted.map(({ id, posted: mqs }) => [Number(id), Number(mqs) / 1_000])), byDay)
  }

  async function check(two: LedgerProcess, { quota, moved }: LedgerSession): Promise<void> {
    const rows = await two.read(NETS)
    const nets = new Map(rows.map(({ id, net }) => [id, Number(net) / 1_000]))
    for (const request of quota.requests) expect(allowedNets(request), request.id).toContain(nets.get(request.id))
    expect(rows.filter(({ charges }) => charges !== 1)).toEqual([])
    const made = new Map((await two.read(MOVES)).map(({ id, amount, debit }) => [id, [amount, debit]]))
    for (const [id, amount] of moved) {
      const [found, debit] = made.get(id) ?? []
      const isTaken = payers.some(({ account }) => account === debit)
      expect([id, isTaken ? -(found as bigint) : found]).toEqual([id, amount])
    }
    expect(await two.read('select request_id from hold')).toEqual([])
    expect(await brokenInvariants(two.read, 0)).toEqual([])
  }

  it('is never more than there is, and what it has said stands', { tags: 'S23', timeout: 120_000 }, async () => {
    let reads = 0
    const property = fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 2 }), async (lives) => {
      let directory = copyOf(template)
      let ahead = 0
      let one = await start(directory, 'r0')
      for (const [number, each] of lives.entries()) {
        const session = new LedgerSession(one, `r${number}`, await open(one), payers)
        ahead = await session.run(each.steps, each.end === 'stop' ? 'stop' : 'crash', ahead)
        reads += session.reads
        directory = one.crash(each.end === 'power' ? each.lost : undefined)
        one.end()
        one = await start(directory, `r${number + 1}`)
        await check(one, session)
      }
      one.end()
      for (const each of directories.splice(1)) rmSync(each, { recursive: true, force: true })
    })
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
    expect(reads).toBeGreaterThan(0)
  })

  const start = (directory: string, replica: string): Promise<LedgerProcess> =>
    startLedgerProcess({ directory, replica, payers, makeDirectory })

  function copyOf(directory: string): string {
    const to = makeDirectory()
    copyFileSync(fileIn(directory), fileIn(to))
    return to
  }
})
