import { randomBytes } from 'node:crypto'
import { createConnection } from 'mysql2/promise'

/** Address of the MySQL test server, set by `mariadb-server.ts` or the caller's environment. */
export const MYSQL_URL = 'SLUICE_TEST_MYSQL_URL'

export interface MysqlDatabase {
  readonly url: string
  /** Runs statements separated by `;`. */
  run(sql: string): Promise<void>
  drop(): Promise<void>
}

/** False if there is no server; the set-up has then said why. */
export const hasMysql = (): boolean => process.env[MYSQL_URL] !== undefined

export async function createMysqlDatabase(): Promise<MysqlDatabase> {
  const server = process.env[MYSQL_URL]
  if (server === undefined) throw new Error('No MySQL server for tests: run this file in the vitest project "contract"')
  const name = `sluice_test_${randomBytes(6).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await administer(server, `create database ${name} character set utf8mb4`)
  return {
    url: url.href,
    run: (sql) => administer(url.href, sql),
    drop: () => administer(server, `drop database if exists ${name}`),
  }
}

async function administer(url: string, sql: string): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true, disableEval: true })
  try {
    await connection.query(sql)
  } finally {
    await connection.end()
  }
}
