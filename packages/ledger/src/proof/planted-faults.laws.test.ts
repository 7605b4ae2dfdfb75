// @module-tag slow
import { ledgerHistories } from '@sluice/testkit/ledger-histories'
import { runHistory } from '@sluice/testkit/ledger-history'
import type { testCode } from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { type NamedValues, type PlantedFault, withFaults } from '@sluice/testkit/planted-fault'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqliteConnection, SqliteValue } from '../engines/sqlite-connection.ts'
import { INVARIANTS } from './invariants.ts'

/**
 * A fault that the law of `ledger.laws.test.ts` must notice. `found`: the invariant that some history breaks, or the other
 * difference from the model (outcomes, balances); `thrown` when the database refuses.
 */
interface Case {
  readonly fault: string
  readonly found: string
  readonly plant: () => readonly PlantedFault[]
}

const CASES: readonly Case[] = [
  { fault: 'forgets to charge the limit', found: 'I1', plant: () => [keeps('posted', 'token')] },
  { fault: 'pays the revenue nothing', found: 'I1', plant: () => [keeps('posted', 'system')] },
  { fault: 'charges an account twice for one settlement', found: 'I1', plant: () => [onCharge(chargeAgain)] },
  {
    fault: 'does not notice what another replica has changed',
    found: 'I1',
    plant: () => [{ statement: 'pragma data_version', read: () => [[1]] }],
  },
  {
    fault: 'charges the token of somebody else',
    found: 'I1',
    plant: () => [onTransfer('consume', (row, db) => ({ limit_account: otherToken(db, row['limit_account']) }))],
  },
  { fault: 'forgets to release what the limit held', found: 'I2', plant: () => [keepsHeld('token')] },
  { fault: 'forgets to release what the user held', found: 'I2', plant: () => [keepsHeld('user')] },
  { fault: 'forgets to close the hold', found: 'I2', plant: () => [skips('delete from hold')] },
  {
    fault: 'remembers the hold of another account',
    found: 'I2',
    plant: () => [
      {
        statement: 'insert into hold',
        write: (row, db) => ({ limit_account: otherToken(db, row['limit_account']) }),
      },
    ],
  },
  {
    fault: 'does not count the request',
    found: 'I3',
    plant: () => [{ statement: 'update account set posted', write: () => ({ requests: 0 }) }],
  },
  {
    fault: 'leaves the hold open that it charges',
    found: 'I4',
    plant: () => [skips('delete from hold'), keepsHeld('user'), keepsHeld('token')],
  },
  {
    // Either the hold is opened, or a repeated settlement runs into the unique key.
    fault: 'does not look whether a request is charged',
    found: 'I4 or thrown',
    plant: () => [{ statement: CHARGED, read: () => [] }],
  },
  {
    fault: 'corrects a charge as often as it is asked to',
    found: 'I4',
    plant: () => [{ statement: CHARGED, read: (rows) => rows.map((row) => row.with(12, null)) }],
  },
  { fault: 'forgets the log row', found: 'I5', plant: () => [skips('insert into log')] },
  { fault: 'forgets to correct the log row', found: 'I5', plant: () => [skips('update log')] },
  {
    fault: 'logs another amount than it charged',
    found: 'I5',
    plant: () => [{ statement: 'insert into log', write: ({ amount }) => ({ amount: plus(amount, 1n) }) }],
  },
  {
    fault: 'takes its own charge for one of another gateway',
    found: 'I5',
    plant: () => [{ statement: 'insert into log', write: () => ({ ended: 'imported' }) }],
  },
  { fault: 'forgets the daily sum', found: 'I6', plant: () => [skips('insert into usage_daily')] },
  {
    fault: 'counts a charge on another day',
    found: 'I6',
    plant: () => [{ statement: 'insert into usage_daily', write: ({ day }) => ({ day: Number(day) - 1 }) }],
  },
  { fault: 'forgets to mark a code as used', found: 'I7', plant: () => [skips('update redemption')] },
  {
    fault: 'pays a code that was used at another gateway',
    found: 'I7',
    plant: () => [{ statement: 'select amount, status', read: (rows) => rows.map((row) => row.with(1, 1)) }],
  },
  {
    fault: 'stores another price than it charged',
    found: 'I8',
    plant: () => [{ statement: 'insert into price', write: ({ output }) => ({ output: plus(output, 1n) }) }],
  },
  {
    fault: 'books cached tokens in the class of new ones',
    found: 'I8',
    plant: () => [
      onTransfer('consume', (row) => ({
        input_tokens: Number(row['input_tokens']) + Number(row['cached_tokens']),
        cached_tokens: 0,
      })),
    ],
  },
  {
    fault: 'gives quota that comes from nowhere',
    found: 'I10',
    plant: () => [onTransfer('gift', () => ({ debit: null })), keeps('posted', 'system')],
  },
  {
    fault: 'does not count a charge in its budget',
    found: 'I11',
    plant: () => [{ statement: 'insert into budget', write: ({ spent }) => (spent === 0n ? undefined : 'skip') }],
  },
  {
    fault: 'gives more back than was charged',
    found: 'I12',
    plant: () => [{ statement: CHARGED, read: (rows) => rows.map((row) => row.with(13, null)) }],
  },
  {
    fault: 'pays a refund again under its id',
    found: 'thrown',
    plant: () => [{ statement: 'select refers_to', read: () => [] }],
  },
  {
    fault: 'brings a balance in the name of nobody',
    found: 'I13',
    plant: () => [onTransfer('import', (row) => ({ request_id: `import-nowhere-user-9-${Number(row['at_ms'])}` }))],
  },
  {
    fault: 'takes what was brought for a gift',
    found: 'I13',
    plant: () => [onTransfer('import', () => ({ kind: 'gift' }))],
  },
  {
    fault: 'brings a balance to another user',
    found: 'I13',
    plant: () => [onTransfer('import', (row) => ({ request_id: otherUsers(String(row['request_id'])) }))],
  },
  {
    fault: 'holds more than there is',
    found: 'outcomes',
    plant: () => [{ statement: SELECT_ACCOUNT, read: (rows) => rows.map((row) => row.with(7, -1_000_000n)) }],
  },
  {
    fault: 'takes a budget for larger than it is',
    found: 'outcomes',
    plant: () => [
      { statement: 'select period, amount', read: (rows) => rows.map((row) => row.with(1, plus(row[1], 60_000n))) },
    ],
  },
  {
    fault: 'forgets what to charge for a dead replica',
    found: 'balances',
    plant: () => [{ statement: 'update hold set amount', write: () => ({ progress: null }) }],
  },
]

const CHARGED = 'select debit, limit_account'
const SELECT_ACCOUNT = 'select id, kind, owner_id, posted'

/** Most faults are found within ten. */
const HISTORIES = 200

describe('the law of histories', () => {
  let books: LedgerOnSqlite
  beforeAll(() => {
    books = openLedgerOnSqlite()
  })
  afterAll(() => books.close())

  it.each(CASES)('breaks at $found when the ledger $fault', { timeout: 60_000 }, async ({ found, plant }) => {
    const names = found.split(' or ')
    const seen = new Set<string>()
    for (const history of fc.sample(ledgerHistories(), HISTORIES)) {
      books.empty()
      const openFaulty = () => books.openEngine((connection) => withFaults(connection, plant()))
      const engines = { r1: openFaulty(), r2: openFaulty() }
      const addCode = async (row: ReturnType<typeof testCode>) => books.add('redemption', row)
      const write = async (text: string) => books.connection.exec(text)
      const failure = await runHistory({ engines, read: books.read, addCode, write }, history)
      seen.add(failure?.invariant ?? failure?.what ?? 'nothing')
      if (names.some((name) => seen.has(name))) return
    }
    expect.fail(`${HISTORIES} histories found ${[...seen].join(', ')}`)
  })

  it('has a fault for every invariant but I9, which asks what time it is', () => {
    const found = new Set(CASES.flatMap((each) => each.found.split(' or ')))
    expect(INVARIANTS.map(({ id }) => id).filter((id) => !found.has(id))).toEqual(['I9'])
  })
})

function skips(statement: string): PlantedFault {
  return { statement, write: () => 'skip' }
}

function onTransfer(kind: string, write: NonNullable<PlantedFault['write']>): PlantedFault {
  return {
    statement: 'insert into transfer',
    write: (row, db) => (row['kind'] === kind ? write(row, db) : undefined),
  }
}

interface Stored {
  readonly kind: SqliteValue
  readonly posted: bigint
  readonly held: bigint
  readonly spent: bigint
}

/** Tampers with what is written to an account, given the stored row. */
function onAccount(write: (row: NamedValues, stored: Stored) => NamedValues | undefined): PlantedFault {
  return {
    statement: 'update account set posted',
    write: (row, db) => {
      const [found = []] = db
        .prepare('select kind, posted, held, spent from account where id = ?')
        .values(row['id'] ?? 0)
      const [kind = null, posted, held, spent] = found
      return write(row, { kind, posted: posted as bigint, held: held as bigint, spent: spent as bigint })
    },
  }
}

/** Tampers with what a charge writes to a payer's account. */
function onCharge(write: (row: NamedValues, stored: Stored) => NamedValues): PlantedFault {
  return onAccount((row, stored) =>
    stored.kind !== 'system' && row['spent'] !== stored.spent ? write(row, stored) : undefined,
  )
}

function chargeAgain(row: NamedValues, { spent }: Stored): NamedValues {
  const charged = plus(row['spent'], -spent)
  return { posted: plus(row['posted'], -charged), spent: plus(row['spent'], charged) }
}

/** Accounts of this kind keep their balance when a charge changes it. */
function keeps(column: 'posted', kind: string): PlantedFault {
  return onAccount((row, stored) => {
    const isCharged = row['spent'] !== stored.spent || kind === 'system'
    return stored.kind === kind && isCharged ? { [column]: stored[column] } : undefined
  })
}

/** Accounts of this kind never hold less than before. */
function keepsHeld(kind: string): PlantedFault {
  return onAccount((row, { held, ...stored }) =>
    stored.kind === kind && (row['held'] as bigint) < held ? { held } : undefined,
  )
}

function otherToken(db: SqliteConnection, than: SqliteValue | undefined): SqliteValue {
  const [[id] = []] = db.prepare(`select id from account where kind = 'token' and id <> ?`).values(than ?? 0)
  return id ?? 0
}

/** The id of the same transfer for the other of the two users. */
function otherUsers(requestId: string): string {
  return requestId.replace(/user-(\d)/, (_, user: string) => `user-${3 - Number(user)}`)
}

function plus(value: SqliteValue | undefined, more: bigint): bigint {
  return (value as bigint) + more
}
