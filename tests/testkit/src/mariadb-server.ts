import { startLocalMariadb } from './local-mariadb.ts'
import { MYSQL_URL } from './mysql-databases.ts'

/**
 * Set-up of a test run (vitest `globalSetup`): one MariaDB server for the import tests. Uses the server named by
 * SLUICE_TEST_MYSQL_URL (a user that may create databases and users), otherwise starts an installed one. Without either, the tests
 * that need it are skipped and say so; `npm test` installs it. `npm test -- --quick` does without it.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['SLUICE_TEST_QUICK'] !== undefined || process.env[MYSQL_URL] !== undefined) return undefined
  try {
    const server = await startLocalMariadb()
    process.env[MYSQL_URL] = server.url
    return () => server.stop()
  } catch (error) {
    process.stdout.write(`skipping tests on MySQL: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}
