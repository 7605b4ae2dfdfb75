import { randomBytes } from 'node:crypto'
import { openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { startLocalPostgres } from './local-postgres.ts'
import { administer, databaseUrl, POSTGRES_TEMPLATE, POSTGRES_URL } from './postgres-databases.ts'

/**
 * Set-up of a test run (vitest `globalSetup`): one PostgreSQL server for all test files, with one migrated template that
 * their databases are cloned from. Uses the server named by SLUICE_TEST_POSTGRES_URL (a role that may create databases),
 * else starts an installed one in a temporary directory. Without either the run fails: skipping an engine would hide faults.
 */
export async function setup(): Promise<() => Promise<void>> {
  const given = process.env[POSTGRES_URL]
  const local = given === undefined ? await startLocalPostgres() : undefined
  const server = local?.url ?? given ?? ''
  const template = `sluice_template_${randomBytes(6).toString('hex')}`
  const stop = async (): Promise<void> => {
    if (local === undefined) await administer(server, `drop database if exists ${template} with (force)`)
    else await local.stop()
  }
  try {
    await createTemplate(server, template)
  } catch (error) {
    await stop()
    throw error
  }
  process.env[POSTGRES_URL] = server
  process.env[POSTGRES_TEMPLATE] = template
  return stop
}

async function createTemplate(server: string, name: string): Promise<void> {
  await administer(server, `create database ${name}`)
  const database = await openDatabase({ url: databaseUrl(server, name) })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
