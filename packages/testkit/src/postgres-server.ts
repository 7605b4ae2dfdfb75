import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { startLocalPostgres } from './local-postgres.ts'
import { PGLITE_IMAGE, writePGliteImage } from './pglite.ts'
import { administer, databaseUrl, POSTGRES_TEMPLATE, POSTGRES_URL } from './postgres-databases.ts'

/**
 * Set-up of a test run (vitest `globalSetup`): one PostgreSQL server for all test files with a migrated template that their
 * databases are cloned from, and a migrated image for PGlite. Uses the server named by SLUICE_TEST_POSTGRES_URL (a role that
 * may create databases), else starts an installed one in a temporary directory. Without either the run fails: skipping an
 * engine would hide faults.
 */
export async function setup(): Promise<() => Promise<void>> {
  const given = process.env[POSTGRES_URL]
  const local = given === undefined ? await startLocalPostgres() : undefined
  const server = local?.url ?? given ?? ''
  const directory = await mkdtemp(join(tmpdir(), 'sluice-databases-'))
  const template = `sluice_template_${randomBytes(6).toString('hex')}`
  const image = join(directory, 'pglite.tar')
  const stop = async (): Promise<void> => {
    await rm(directory, { recursive: true, force: true })
    if (local === undefined) await administer(server, `drop database if exists ${template} with (force)`)
    else await local.stop()
  }
  try {
    // One after the other: PGlite starts synchronously, and the server ends a transaction that is left waiting for long.
    await createTemplate(server, template)
    await writePGliteImage(image)
  } catch (error) {
    await stop()
    throw error
  }
  process.env[POSTGRES_URL] = server
  process.env[POSTGRES_TEMPLATE] = template
  process.env[PGLITE_IMAGE] = image
  return stop
}

async function createTemplate(server: string, name: string): Promise<void> {
  // The order of a language, as most servers have it: what relies on the order of bytes must say so.
  const inEnglish = `template template0 locale_provider icu icu_locale 'en-US' locale 'C'`
  await administer(server, `create database ${name} ${inEnglish}`).catch(() =>
    // Older servers, and those built without ICU.
    administer(server, `create database ${name}`),
  )
  const database = await openDatabase({ url: databaseUrl(server, name) })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
