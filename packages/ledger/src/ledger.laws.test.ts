import { ledgerHistory, runHistory } from '@sluice/testkit/ledger-history'
import { openSqliteBooks, type SqliteBooks } from '@sluice/testkit/ledger-sqlite'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqliteConnection, SqliteValue } from './engines/sqlite-connection.ts'

const LONG = { timeout: 60_000 }
type History = Parameters<typeof runHistory>[2]

describe('the books after any history', () => {
  let books: SqliteBooks
  beforeAll(() => {
    books = openSqliteBooks()
  })
  afterAll(() => books.close())

  const run = async (connection: SqliteConnection, history: History) => {
    books.empty()
    return await runHistory(connection, books.read, history)
  }

  it('balance after every step, and say what a simple model says', LONG, async () => {
    await fc.assert(
      fc.asyncProperty(ledgerHistory, async (history) => {
        expect(await run(books.connection, history)).toBeUndefined()
      }),
      { numRuns: 150 },
    )
  })

  // What the law above would notice: each fault is planted between the ledger and its database.
  it.each<{ readonly fault: string; readonly found: string; readonly plant: () => Fault }>([
    { fault: 'forgets to release what the limit held', found: 'I2', plant: () => ({ write: keepHeld('token') }) },
    { fault: 'forgets to release what the user held', found: 'I2', plant: () => ({ write: keepHeld('user') }) },
    { fault: 'forgets to charge the limit', found: 'I1', plant: () => ({ write: keepPosted('token') }) },
    { fault: 'pays the revenue nothing', found: 'I1', plant: () => ({ write: keepPosted('system') }) },
    {
      fault: 'does not count the request',
      found: 'I3',
      plant: () => ({ write: change(/^update account/, (row) => row.with(3, 0)) }),
    },
    {
      fault: 'leaves the hold open that it charges',
      found: 'I4',
      plant: () => {
        const [user, token] = [keepHeld('user'), keepHeld('token')]
        return {
          write: (...write) => (write[0].startsWith('delete from hold') ? 'skip' : (user(...write) ?? token(...write))),
        }
      },
    },
    {
      // Either the hold is opened, or a repeated settlement runs into the unique key.
      fault: 'does not look whether a request is charged',
      found: 'I4 or thrown',
      plant: () => ({ read: (sql, rows) => (sql.endsWith(`kind = 'consume'`) ? [] : rows) }),
    },
    { fault: 'forgets the log row', found: 'I5', plant: () => ({ write: skip(/^insert into log/) }) },
    { fault: 'forgets to correct the log row', found: 'I5', plant: () => ({ write: skip(/^update log/) }) },
    { fault: 'forgets the daily sum', found: 'I6', plant: () => ({ write: skip(/^insert into usage_daily/) }) },
    { fault: 'forgets to mark a code as used', found: 'I7', plant: () => ({ write: skip(/^update redemption/) }) },
    {
      fault: 'stores another price than it charged',
      found: 'I8',
      plant: () => ({ price: 1n }),
    },
    {
      fault: 'forgets to close the hold',
      found: 'I2',
      plant: () => ({ write: skip(/^delete from hold/) }),
    },
  ])('are found wrong by $found when the ledger $fault', LONG, async ({ found, plant }) => {
    const find = async (history: History): Promise<string | undefined> => {
      const failure = await run(withFault(books.connection, plant()), history)
      return failure?.invariant ?? failure?.what
    }
    const { counterexample } = await fc.check(
      fc.asyncProperty(ledgerHistory, async (history) => !found.split(' or ').includes((await find(history)) ?? '')),
      { numRuns: 500, endOnFailure: true },
    )
    expect(counterexample).not.toBeNull()
  })
})

interface Fault {
  /** Other parameters, `undefined` for the given ones, or `skip`. */
  readonly write?: (
    sql: string,
    params: SqliteValue[],
    connection: SqliteConnection,
  ) => SqliteValue[] | 'skip' | undefined
  readonly read?: (sql: string, rows: SqliteValue[][]) => SqliteValue[][]
  /** Added to the output rate of stored prices. */
  readonly price?: bigint
}

function withFault(connection: SqliteConnection, { write, read, price = 0n }: Fault): SqliteConnection {
  return {
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => {
      const statement = connection.prepare(sql)
      return {
        run: (...params) => {
          const given = write?.(sql, [...params], connection) ?? params
          return given === 'skip' ? { changes: 1 } : statement.run(...given)
        },
        values: (...params) => {
          const isPrice = sql.startsWith('insert into price')
          const given = isPrice ? params.map((each, i) => (i === 5 ? (each as bigint) + price : each)) : params
          const rows = statement.values(...given)
          return read?.(sql, rows) ?? rows
        },
      }
    },
  }
}

function skip(which: RegExp): NonNullable<Fault['write']> {
  return (sql) => (which.test(sql) ? 'skip' : undefined)
}

function change(which: RegExp, how: (params: SqliteValue[]) => SqliteValue[]): NonNullable<Fault['write']> {
  return (sql, params) => (which.test(sql) ? how(params) : undefined)
}

/** Accounts of this kind never hold less than before. */
function keepHeld(kind: string): NonNullable<Fault['write']> {
  return keepColumn(kind, 1, (now, before) => now < before)
}

/** Accounts of this kind keep their balance when a charge changes it. */
function keepPosted(kind: string): NonNullable<Fault['write']> {
  return keepColumn(kind, 0, () => true)
}

function keepColumn(
  kind: string,
  column: 0 | 1,
  keeps: (now: bigint, before: bigint) => boolean,
): NonNullable<Fault['write']> {
  const name = column === 0 ? 'posted' : 'held'
  return (sql, params, connection) => {
    if (!sql.startsWith('update account')) return undefined
    const [row] = connection.prepare(`select kind, ${name}, spent from account where id = ?`).values(params[6] ?? 0)
    const [itsKind, before, spent] = row ?? []
    const charged = column === 1 || params[2] !== spent || itsKind === 'system'
    const kept = itsKind === kind && charged && keeps(params[column] as bigint, before as bigint)
    return kept ? params.with(column, before ?? 0n) : undefined
  }
}
