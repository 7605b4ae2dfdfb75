import { ledgerHistories } from '@sluice/testkit/ledger-histories'
import { type HistoryBooks, runHistory } from '@sluice/testkit/ledger-history'
import { openSqliteBooks, type SqliteBooks } from '@sluice/testkit/ledger-sqlite'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** `SLUICE_LAW_RUNS` sets how many histories are tried; the long ones are fewer. */
const RUNS = Number(process.env['SLUICE_LAW_RUNS'] ?? 150)
const PATIENT = { timeout: 60_000 + RUNS * 500 }

describe('the books after any history', () => {
  let books: SqliteBooks
  let replicas: HistoryBooks
  beforeAll(() => {
    books = openSqliteBooks()
    replicas = {
      engines: { r1: books.openEngine(), r2: books.openEngine() },
      read: books.read,
      addCode: async (row) => books.add('redemption', row),
    }
  })
  afterAll(() => books.close())

  it.each([
    { minLength: 0, maxLength: 60, runs: RUNS },
    { minLength: 300, maxLength: 600, runs: Math.ceil(RUNS / 50) },
  ])(
    'of $minLength to $maxLength steps balance after every step, and say what a simple model says',
    PATIENT,
    async (given) => {
      await fc.assert(
        fc.asyncProperty(ledgerHistories(given.maxLength, given.minLength), async (history) => {
          books.empty()
          expect(await runHistory(replicas, history)).toBeUndefined()
        }),
        { numRuns: given.runs },
      )
    },
  )
})
