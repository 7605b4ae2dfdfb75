// @module-tag slow
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { findPending, migrate } from '@sluice/store/migrate'
import { MIGRATIONS } from '@sluice/store/migrations/list'
import { runSluice } from '@sluice/testkit/gateway-process'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

const NEWEST = MIGRATIONS.slice(-1).map(({ name }) => name)

let dataDir = ''

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-migrate-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const run = (...args: readonly string[]) => runSluice(args, { dataDir })

const inDatabase = async <T>(work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> => {
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const makeOlder = () => inDatabase((database) => migrate(database, MIGRATIONS.slice(0, -1)))

const pending = () => inDatabase(async (database) => (await findPending(database)).pending.map(({ name }) => name))

test('an upgrade is tried on a copy, timed step by step, and leaves the database and its folder as they were', async () => {
  await makeOlder()
  const before = await readdir(dataDir)
  const { code, output } = await run('migrate', '--dry-run')
  expect(output).toMatch(/^Copied the database, \d+\.\d MB, in \d+\.\d s\.$/m)
  for (const name of NEWEST) expect(output).toMatch(new RegExp(`^${name} .* \\d+\\.\\d s$`, 'm'))
  expect(output).toContain('1 step is pending')
  expect(output).toContain('The ledger is correct.')
  expect(code).toBe(0)
  expect(await pending()).toEqual(NEWEST)
  expect((await readdir(dataDir)).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(before)
})

test('after the upgrade itself there is nothing left to try', async () => {
  await makeOlder()
  const { code, output } = await run('migrate')
  expect(code).toBe(0)
  for (const name of NEWEST) expect(output).toMatch(new RegExp(`^${name} .* \\d+\\.\\d s$`, 'm'))
  expect(await pending()).toEqual([])
  expect(await run('migrate', '--dry-run')).toEqual({
    code: 0,
    output: 'The database schema is up to date: there is nothing to migrate.\n',
  })
})

test('a ledger that the new version finds wrong is known before the upgrade', async () => {
  await makeOlder()
  await inDatabase((database) =>
    sql`insert into account (kind, owner_id, posted, held, spent, requests, credit_floor, unlimited, last_ms)
      values ('user', 77, 5, 0, 0, 0, 0, 0, 0)`.execute(database.kysely),
  )
  const { code, output } = await run('migrate', '--dry-run')
  expect(code).toBe(1)
  expect(output).toMatch(/WRONG I1 /)
  expect(await pending()).toEqual(NEWEST)
})

test('neither a missing database nor a newer one is tried', async () => {
  expect(await run('migrate', '--dry-run')).toEqual({
    code: 1,
    output: `There is no database at ${join(dataDir, 'sluice.db')}.\n`,
  })
  await inDatabase(async (database) => {
    await migrate(database)
    await sql`insert into applied_migration (name) values ('9999-tomorrow')`.execute(database.kysely)
  })
  expect(await run('migrate', '--dry-run')).toEqual({
    code: 1,
    output: 'The database is newer than this version; it has 9999-tomorrow.\n',
  })
})
