import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import { openTestPayer, testSettlement, type TestPayer } from '@sluice/testkit/ledger-operations'
import { fileIn, startLedgerProcess, type Trouble } from '@sluice/testkit/ledger-process'
import { openLedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mqFromQuota } from '../units.ts'

/** A dozen such charges fill a file of records; these fill both, and begin the first one again. */
const BULK = 'x'.repeat(90_000)
const CHARGES = 40

let directories: string[]
let payer: TestPayer

beforeEach(async () => {
  directories = []
  const books = openLedgerOnSqlite()
  payer = await openTestPayer(books.openEngine(), 'setup', { userId: 1, tokenId: 1, quota: 10_000, limit: 10_000 })
  books.connection.exec(`vacuum into '${fileIn(makeDirectory())}'`)
  books.close()
})
afterEach(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-released-'))
  directories.push(directory)
  return directory
}

const start = (directory: string, replica: string) =>
  startLedgerProcess({ directory, replica, payers: [payer], makeDirectory })

describe('records whose space is used again', () => {
  it.each<{ what: string; flushes: Trouble['flushes'] }>([
    { what: 'the commits of their charges are flushed', flushes: 'work' },
    { what: 'no flush succeeds', flushes: 'fail' },
  ])('are not needed when the power fails, while $what', async ({ flushes }) => {
    const one = await start(directories[0] ?? '', 'r0')
    one.trouble({ flushes })
    for (let number = 0; number < CHARGES; number++) {
      const requestId = `request-${number}`.padEnd(10)
      // It stays in the process, so that nothing is flushed for it.
      await one.ledger.hold({ requestId, ...payer, amount: mqFromQuota(10), durable: false })
      const whole = testSettlement(payer, requestId, 1)
      const settled = one.ledger.settle({ ...whole, trace: { ...whole.trace, routing: BULK } })
      await one.written()
      expect(await settled).toBe('charged')
      await one.timers.advance(100)
    }
    const directory = one.crash(1)
    await one.end()
    const two = await start(directory, 'r1')
    const rows = await two.read("select count(*) as charges from transfer where kind = 'consume'")
    expect([rows, one.uncharged, two.uncharged]).toEqual([[{ charges: CHARGES }], [], []])
    // Otherwise the rows were on disk already, and this proves nothing.
    expect(two.found).toBeGreaterThan(flushes === 'work' ? 0 : CHARGES - 1)
    expect(await brokenInvariants(two.read, 0)).toEqual([])
    await two.end()
  })
})
