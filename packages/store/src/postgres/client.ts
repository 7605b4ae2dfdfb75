import { Client, DatabaseError, type QueryResult } from 'pg'
import { connectionOptions } from './pool.ts'

/** A statement with a name is prepared once per connection and then sent by name. */
export interface PostgresStatement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** Column name to value; `bigint` columns are bigint. */
export type PostgresRow = Record<string, unknown>

/**
 * A direct connection that runs statements in the order of the calls, which are pipelined and need not wait for each other. The
 * caller opens transactions with `begin`.
 */
export interface PostgresClient {
  query(statement: PostgresStatement): Promise<{ readonly rows: PostgresRow[]; readonly rowCount: number }>
  /** Waits for calls already made. Later ones reject. */
  close(): Promise<void>
}

/**
 * A direct connection, opened with the first query. When it is lost, calls in flight reject and the next one opens a new
 * connection; inside a transaction everything rejects until `rollback` or another `begin`, so that the second half of a transaction
 * never runs alone. The same happens when the server is read-only. A statement is abandoned after `timeoutMs`.
 */
export function openPostgresClient(url: string, timeoutMs: number): PostgresClient {
  let current: Promise<Client> | undefined
  let transactionOn: Client | undefined
  let closed = false

  const connect = (): Promise<Client> => {
    const client = new Client({ ...connectionOptions(url, timeoutMs), pipeline: true })
    const attempt = client.connect().then(() => client)
    const forget = (): void => {
      if (current === attempt) current = undefined
    }
    attempt.catch(forget)
    client.on('error', forget)
    client.on('end', forget)
    current = attempt
    return attempt
  }

  return {
    query: async ({ name, text, values = [] }) => {
      if (closed) throw new Error('the database client is closed')
      const connection = current ?? connect()
      const client = await connection
      const command = transactionCommand(text)
      if (command !== 'begin' && transactionOn !== undefined && transactionOn !== client) {
        if (command !== 'rollback') throw new Error('the database connection was lost during this transaction')
        transactionOn = undefined
        return { rows: [], rowCount: 0 }
      }
      if (command !== undefined) transactionOn = command === 'begin' ? client : undefined
      let result: QueryResult<PostgresRow>
      try {
        result = await client.query<PostgresRow>({ text, values: [...values], ...(name && { name }) })
      } catch (error) {
        // The driver notices the end of a connection only after the query that failed because of it.
        if (isConnectionLost(error) && current === connection) current = undefined
        if (isReadOnly(error)) {
          if (current === connection) current = undefined
          client.end().catch(() => {})
        }
        throw error
      }
      // PostgreSQL answers a commit like this when a statement of the transaction had failed.
      if (command === 'commit' && result.command === 'ROLLBACK') throw new Error('the transaction was rolled back')
      return { rows: result.rows, rowCount: result.rowCount ?? 0 }
    },
    close: async () => {
      closed = true
      const client = await current?.catch(() => undefined)
      await client?.end()
    },
  }
}

/** True for every error that the server did not send, and for one with which the server ends the connection. */
function isConnectionLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'
}

/** Another server might be the primary by now; this connection would stay with the standby. */
function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006'
}

export function transactionCommand(text: string): 'begin' | 'commit' | 'rollback' | undefined {
  const [word] = /^[a-z]+/.exec(text.trimStart().slice(0, 10).toLowerCase()) ?? []
  return word === 'begin' || word === 'commit' || word === 'rollback' ? word : undefined
}
