import { Client } from 'pg'
import { connectionOptions } from './pool.ts'

/** A statement with a name is prepared once per connection and then sent by name. */
export interface PostgresStatement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** Column name to value; `bigint` columns are bigint. */
export type PostgresRow = Record<string, unknown>

/** One direct connection with statements in the order of the calls. The caller opens transactions with `begin`. */
export interface PostgresClient {
  query(statement: PostgresStatement): Promise<{ readonly rows: PostgresRow[]; readonly rowCount: number }>
  close(): Promise<void>
}

/**
 * A connection of one's own, opened with the first query. When it is lost, all calls on their way reject, and the next call
 * opens a new one. Whoever holds a transaction must therefore start again at `begin` after any failure.
 */
export function openPostgresClient(url: string): PostgresClient {
  let current: Promise<Client> | undefined

  const connect = (): Promise<Client> => {
    const client = new Client(connectionOptions(url))
    const attempt = client.connect().then(
      () => client,
      (error: unknown) => {
        if (current === attempt) current = undefined
        throw error
      },
    )
    const forget = (): void => {
      if (current === attempt) current = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    current = attempt
    return attempt
  }

  return {
    query: async (statement) => {
      const client = await (current ?? connect())
      const { rows, rowCount } = await client.query({ ...statement, values: [...(statement.values ?? [])] })
      return { rows: rows as PostgresRow[], rowCount: rowCount ?? 0 }
    },
    close: async () => {
      const client = await current?.catch(() => undefined)
      current = undefined
      await client?.end()
    },
  }
}
