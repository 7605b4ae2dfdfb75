import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** Address of the PostgreSQL test server, set by `postgres-server.ts` or the caller's environment. */
export const POSTGRES_URL = 'SLUICE_TEST_POSTGRES_URL'
/** Name of the migrated database that test databases are cloned from, if any. */
export const POSTGRES_TEMPLATE = 'SLUICE_TEST_POSTGRES_TEMPLATE'

/** Creates a uniquely named database on the test server: a clone of the migrated template, or without tables. */
export async function createPostgresDatabase(
  content: 'migrated' | 'empty',
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const server = process.env[POSTGRES_URL]
  const template = content === 'migrated' ? process.env[POSTGRES_TEMPLATE] : 'template1'
  if (server === undefined || template === undefined) {
    throw new Error('No PostgreSQL server for tests: run this file in the vitest project "contract"')
  }
  const name = `sluice_test_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name} template ${template}`)
  return {
    url: databaseUrl(server, name),
    drop: () => administer(server, `drop database if exists ${name} with (force)`),
  }
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
