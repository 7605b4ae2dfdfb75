import { ledgerHistories } from '@sluice/testkit/ledger-histories'
import { type HistoryLedger, runHistory } from '@sluice/testkit/ledger-history'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** How many histories are tried; fewer of the long ones. */
const RUNS = Number(process.env['SLUICE_LAW_RUNS'] ?? 150)
const PATIENT = { timeout: 60_000 + RUNS * 500 }

describe('the ledger after any history', () => {
  let books: LedgerOnSqlite
  let replicas: HistoryLedger
  beforeAll(() => {
    books = openLedgerOnSqlite()
    replicas = {
      engines: { r1: books.openEngine(), r2: books.openEngine() },
      read: books.read,
      addCode: async (row) => books.add('redemption', row),
      write: async (text) => books.connection.exec(text),
    }
  })
  afterAll(() => books.close())

  it.each([
    { minLength: 0, maxLength: 60, runs: RUNS },
    { minLength: 300, maxLength: 600, runs: Math.ceil(RUNS / 50) },
  ])(
    'of $minLength to $maxLength steps balances after every step, and agrees with a simple model',
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
