import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { migrate } from '@sluice/store/migrate'
import { databaseEngines } from './databases.ts'
import { startLocalPostgres } from './local-postgres.ts'
import { PGLITE_IMAGE, writePGliteImage } from './pglite.ts'
import { administer, databaseUrl, POSTGRES_TEMPLATE, POSTGRES_URL } from './postgres-databases.ts'

/**
 * Set-up of a test run (vitest `globalSetup`): one PostgreSQL server for all test files, with a migrated template that their
 * databases are cloned from; with `--long`, also a migrated image for PGlite. Uses the server named by SLUICE_TEST_POSTGRES_URL (a
 * role that may create databases), otherwise starts an installed one in a temporary directory. Without either the run fails:
 * skipping an engine would hide faults. `npm test -- --quick` does without the server, and says so.
 */
export async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-databases-'))
  const image = join(directory, 'pglite.tar')
  const stopServer = process.env['SLUICE_TEST_QUICK'] === undefined ? await startServer() : undefined
  const stop = async (): Promise<void> => {
    await rm(directory, { recursive: true, force: true })
    await stopServer?.()
  }
  try {
    // After the server work, because PGlite blocks while it starts, and the server would end an idle transaction.
    if (databaseEngines.includes('pglite')) await writePGliteImage(image)
  } catch (error) {
    await stop()
    throw error
  }
  process.env[PGLITE_IMAGE] = image
  return stop
}

async function startServer(): Promise<() => Promise<void>> {
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
  // A language's sort order, as on most servers: queries that rely on byte order must say so.
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
