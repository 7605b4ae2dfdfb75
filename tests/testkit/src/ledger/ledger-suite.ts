import type { LedgerEngine } from '@sluice/ledger/engine'
import type { Operation } from '@sluice/ledger/operation'
import type { ReadRows } from '@sluice/ledger/proof/verify'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openTestDatabase, type TestDatabase, type TestEngine } from '../databases.ts'
import { brokenInvariants, openTestLedgerEngine, readRowsOf } from './ledger-engine.ts'
import { outcomeName } from './outcome-name.ts'

export interface LedgerSuite {
  readonly engine: LedgerEngine
  readonly database: TestDatabase
  readonly read: ReadRows
  /** Applies as replica `r1`; returns each outcome's name, or the reason of a refusal. */
  apply(...batch: readonly Operation[]): Promise<string[]>
  /** Another replica's engine on the same database; closed after the test. */
  openEngine(): Promise<LedgerEngine>
}

/** Gives each test an empty ledger and an engine with `r1` registered; checks all invariants afterwards. */
export function useLedger(name: TestEngine): LedgerSuite {
  let database: TestDatabase
  let engine: LedgerEngine
  let opened: LedgerEngine[] = []

  const openEngine = async (): Promise<LedgerEngine> => {
    const another = await openTestLedgerEngine(database)
    opened.push(another)
    return another
  }

  beforeAll(async () => {
    database = await openTestDatabase(name)
  })
  beforeEach(async () => {
    await database.reset()
    engine = await openEngine()
    await engine.heartbeat('r1')
  })
  afterEach(async () => {
    for (const each of opened) await each.close()
    opened = []
    expect(await brokenInvariants(readRowsOf(database))).toEqual([])
  })
  afterAll(() => database.close())

  return {
    get engine() {
      return engine
    },
    get database() {
      return database
    },
    read: (text) => readRowsOf(database)(text),
    apply: async (...batch) => (await engine.apply(batch, 'r1')).outcomes.map(outcomeName),
    openEngine,
  }
}
