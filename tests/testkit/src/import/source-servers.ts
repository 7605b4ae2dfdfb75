import { startLocalMariadb } from '../local-mariadb.ts'
import { startLocalPostgres } from '../local-postgres.ts'
import { MYSQL_URL } from '../mysql-databases.ts'
import { POSTGRES_URL } from '../postgres-databases.ts'

export interface SourceServers {
  readonly hasPostgres: boolean
  readonly hasMysql: boolean
  stop(): Promise<void>
}

/** The servers named in the environment, otherwise installed ones. Prints a line for each that is missing. */
export async function startSourceServers({ mysql: wantsMysql = true } = {}): Promise<SourceServers> {
  const [postgres, mysql] = await Promise.all([
    place(POSTGRES_URL, 'PostgreSQL', startLocalPostgres),
    wantsMysql ? place(MYSQL_URL, 'MySQL', startLocalMariadb) : undefined,
  ])
  return {
    hasPostgres: postgres !== undefined,
    hasMysql: mysql !== undefined,
    stop: async () => {
      await Promise.all([postgres?.(), mysql?.()])
    },
  }
}

async function place(
  variable: string,
  name: string,
  start: () => Promise<{ readonly url: string; stop(): Promise<void> }>,
): Promise<(() => Promise<void>) | undefined> {
  if (process.env[variable] !== undefined) return async () => {}
  try {
    const server = await start()
    process.env[variable] = server.url
    return async () => {
      delete process.env[variable]
      await server.stop()
    }
  } catch (error) {
    process.stdout.write(`skipping tests on ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}
