import { openLedger } from '@sluice/ledger/commit/group-commit'
import type { Settlement } from '@sluice/ledger/operation'
import type { Database } from '@sluice/store/database'
import { brokenInvariants, openTestLedgerEngine, readRowsOf } from '@sluice/testkit/ledger-engine'
import { TEST_SECONDS, type TestPayer, testHold, testSettlement } from '@sluice/testkit/ledger-operations'
import { openPlainPostgres } from './plain-postgres.ts'
import { openPlainSqlite } from './plain-sqlite.ts'
import type { PlainRows } from './plain.ts'

/** One implementation of a ledger, on a database of its own. */
export interface LoadedLedger {
  /** Holds for one request, then charges it; both are durable when it resolves. `slot` tells concurrent requests apart. */
  request(slot: number, payer: TestPayer, requestId: string): Promise<void>
  /** Ends the work, and throws unless the database has the effects of exactly `requests` charges. */
  close(requests: number): Promise<void>
}

/** Quota of a hold; ten are charged in the end. */
const HELD = 25

/** Each charge is in another second, because verification compares all charges of a second, and real systems have few. */
function openSettlements(): (payer: TestPayer, requestId: string) => Settlement {
  let second = TEST_SECONDS
  return (payer, requestId) => {
    const settlement = testSettlement(payer, requestId, 1)
    return { ...settlement, log: { ...settlement.log, createdAt: (second += 1) } }
  }
}

/** Sluice's ledger as the gateway opens it. At the end every invariant must hold. */
export async function openGroupCommit(database: Database): Promise<LoadedLedger> {
  const failures: unknown[] = []
  const settlementOf = openSettlements()
  const ledger = await openLedger({
    engine: await openTestLedgerEngine(database),
    replica: 'bench',
    alone: database.engine === 'sqlite',
    now: Date.now,
    maxBacklog: 20_000,
    drainMs: 30_000,
    onDead: () => failures.push(new Error('declared dead')),
    onFailure: (error) => failures.push(error),
  })
  return {
    request: async (_slot, payer, requestId) => {
      const held = await ledger.hold(testHold(payer, requestId, HELD))
      const charged = await ledger.settle(settlementOf(payer, requestId))
      if (held !== 'held' || charged !== 'charged')
        throw new Error(`a request was not held and charged: ${JSON.stringify([held, charged])}`)
    },
    close: async (requests) => {
      await ledger.close()
      if (failures.length > 0) throw new AggregateError(failures, 'the ledger failed')
      const [broken] = await brokenInvariants(readRowsOf(database))
      if (broken !== undefined) throw new Error(`${broken.id} does not hold: ${JSON.stringify(broken.firstWrong)}`)
      await checkCharges(database, requests)
    },
  }
}

/** A transaction for each hold and one for each charge, at most `inFlight` at the same time. */
export async function openPlain(database: Database, inFlight: number, kept: PlainRows): Promise<LoadedLedger> {
  const plain =
    database.engine === 'sqlite'
      ? await openPlainSqlite(database, kept)
      : await openPlainPostgres(database, inFlight, kept)
  const settlementOf = openSettlements()
  return {
    request: async (slot, payer, requestId) => {
      await plain.hold(slot, testHold(payer, requestId, HELD))
      await plain.settle(slot, settlementOf(payer, requestId))
    },
    close: async (requests) => {
      await plain.close()
      await checkCharges(database, requests)
    },
  }
}

async function checkCharges(database: Database, requests: number): Promise<void> {
  const read = readRowsOf(database)
  const [row] = await read(`select (select count(*) from hold) as open,
    (select count(*) from transfer where kind = 'consume') as charges,
    (select count(*) from account where kind <> 'system' and held <> 0) as holding`)
  const [open, charges, holding] = ['open', 'charges', 'holding'].map((name) => Number(row?.[name]))
  if (open !== 0 || holding !== 0 || charges !== requests)
    throw new Error(`${requests} requests left ${charges} charges, ${open} open holds, ${holding} accounts that hold`)
}
