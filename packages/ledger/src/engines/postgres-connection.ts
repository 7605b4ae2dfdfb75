/**
 * What the PostgreSQL engine needs from a connection: `pg`, PGlite and the store's client fit. `bigint` columns must come as
 * bigint, double precision as number. Statements run in the order of the calls, even when calls do not wait for each other. Inside
 * a transaction a statement must reject when the connection was replaced.
 */
export interface PostgresConnection {
  query(statement: PostgresStatement): Promise<{ readonly rows: PostgresRow[]; readonly rowCount: number }>
  close(): Promise<void>
}

/** A statement with a name is prepared once per connection. */
export interface PostgresStatement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

export type PostgresRow = Record<string, unknown>
