import type { SqliteConnection, SqliteStatement, SqliteValue } from '@sluice/ledger/engines/sqlite-connection'

/** Values by column name as in the statement; bigint for money. */
export type NamedValues = Readonly<Record<string, SqliteValue>>

/** A bug between a program and its database: changes every statement that begins with `statement`. */
export interface PlantedFault {
  readonly statement: string
  /** Returns other values for some columns, `skip` to pretend that the row was written, or undefined to change nothing. */
  readonly write?: (row: NamedValues, connection: SqliteConnection) => NamedValues | 'skip' | undefined
  readonly read?: (rows: SqliteValue[][]) => SqliteValue[][]
}

export function withFaults(connection: SqliteConnection, faults: readonly PlantedFault[]): SqliteConnection {
  return {
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => {
      const text = sql.trimStart()
      const planted = faults.filter(({ statement }) => text.startsWith(statement))
      const prepared = connection.prepare(sql)
      return planted.length === 0 ? prepared : tampered(prepared, columnsOf(text), planted, connection)
    },
  }
}

function tampered(
  statement: SqliteStatement,
  columns: readonly string[],
  faults: readonly PlantedFault[],
  connection: SqliteConnection,
): SqliteStatement {
  const alter = (params: readonly SqliteValue[]): readonly SqliteValue[] | undefined => {
    let values = params
    for (const { write } of faults) {
      const row = Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null]))
      const change = write?.(row, connection)
      if (change === 'skip') return undefined
      if (change !== undefined)
        values = columns.map((column, i) => (column in change ? change[column] : values[i]) ?? null)
    }
    return values
  }
  return {
    run: (...params) => {
      const values = alter(params)
      return values === undefined ? { changes: 1 } : statement.run(...values)
    },
    values: (...params) => {
      const values = alter(params)
      const rows = values === undefined ? [] : statement.values(...values)
      return faults.reduce((found, { read }) => read?.(found) ?? found, rows)
    },
  }
}

/** Parameter names, in order: the columns of an insert, otherwise every `column = ?` or `column = ?2` by its number. */
function columnsOf(sql: string): readonly string[] {
  const inserted = /^insert into \S+ \(([^)]*)\)/.exec(sql)?.[1]
  if (inserted !== undefined) return inserted.split(', ')
  const equalities = [...sql.matchAll(/(\w+) = \?(\d*)/g)]
  return equalities.toSorted(([, , one], [, , other]) => Number(one) - Number(other)).map(([, column = '']) => column)
}
