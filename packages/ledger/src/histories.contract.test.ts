import type { Database } from '@sluice/store/database'
import { openTestDatabase, postgresEngines, type TestDatabase, type TestEngine } from '@sluice/testkit/databases'
import { openTestLedgerEngine, readRowsOf } from '@sluice/testkit/ledger-engine'
import { ledgerHistories } from '@sluice/testkit/ledger-histories'
import { type HistoryFailure, runHistory } from '@sluice/testkit/ledger-history'
import type { ModelStep } from '@sluice/testkit/ledger-model-step'
import type { testCode } from '@sluice/testkit/ledger-operations'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerEngine } from './engine.ts'
import type { PostgresConnection, PostgresRow } from './engines/postgres-connection.ts'
import { openPostgresEngine } from './engines/postgres.ts'

const RUNS = Number(process.env['SLUICE_LAW_RUNS_POSTGRES'] ?? 8)
const PATIENT = { timeout: 60_000 + RUNS * 10_000 }
/** Proving the ledger takes this database longer than a step. */
const PROVE_EVERY = 10

// The laws of `ledger.laws.test.ts`, fewer and with the proof after every tenth step.
describe.each(postgresEngines)('the ledger after any history on %s', { tags: 'postgres' }, (name) => {
  const books = useHistoryLedger(name)

  it('balances, and agrees with a simple model', PATIENT, async () => {
    await fc.assert(
      fc.asyncProperty(ledgerHistories(), async (history) => {
        expect(await books.run(history, openTestLedgerEngine)).toBeUndefined()
      }),
      { numRuns: RUNS },
    )
  })
})

describe('the law of histories on postgres', { tags: 'postgres' }, () => {
  const books = useHistoryLedger('postgres')

  it.each<{ fault: string; found: string; statement: string; answer: () => readonly PostgresRow[] }>([
    { fault: 'forgets to write budgets', found: 'I11', statement: 'writeBudgets', answer: () => [] },
    { fault: 'forgets to correct the log row', found: 'I5', statement: 'correctLogs', answer: () => [] },
    { fault: 'forgets to mark a code as used', found: 'I7', statement: 'redeem', answer: () => [] },
    { fault: 'forgets what was given back', found: 'I12', statement: 'readRefunds', answer: () => [] },
  ])('breaks at $found when the ledger $fault', PATIENT, async ({ found, statement, answer }) => {
    const openFaulty = async (database: Database) => {
      if (database.engine !== 'postgres') throw new Error('this suite is about PostgreSQL')
      return openPostgresEngine(answering(database.openClient(), `ledger_${statement}`, answer))
    }
    const seen = new Set<string>()
    for (const history of fc.sample(ledgerHistories(), 30)) {
      const failure = await books.run(history, openFaulty)
      seen.add(failure?.invariant ?? failure?.what ?? 'nothing')
      if (seen.has(found)) return
    }
    expect.fail(`found ${[...seen].join(', ')}`)
  })
})

interface LedgerUnderTest {
  /** Runs a history on an empty ledger; each replica has its own engine, opened by `open`. */
  run(
    history: readonly ModelStep[],
    open: (database: Database) => Promise<LedgerEngine>,
  ): Promise<HistoryFailure | undefined>
}

function useHistoryLedger(name: TestEngine): LedgerUnderTest {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(name)
  })
  afterAll(() => database.close())
  return {
    run: async (history, open) => {
      await database.reset()
      const engines = { r1: await open(database), r2: await open(database) }
      try {
        const addCode = async (row: ReturnType<typeof testCode>) => {
          await database.kysely.insertInto('redemption').values(row).execute()
        }
        const write = async (text: string) => {
          await sql.raw(text).execute(database.kysely)
        }
        const ledger = { engines, read: readRowsOf(database), addCode, write }
        return await runHistory(ledger, history, { proveEvery: PROVE_EVERY })
      } finally {
        await engines.r1.close()
        await engines.r2.close()
      }
    },
  }
}

/** The connection, except that one statement returns these rows instead of running. */
function answering(
  connection: PostgresConnection,
  name: string,
  answer: () => readonly PostgresRow[],
): PostgresConnection {
  return {
    query: async (statement) => {
      if (statement.name !== name) return await connection.query(statement)
      const rows = [...answer()]
      return { rows, rowCount: rows.length }
    },
    close: () => connection.close(),
  }
}
