// @module-tag slow
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseTarget, openDatabase } from '@sluice/store/database'
import { findLastBackup } from '@sluice/store/queries/backup-runs'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, runSluice, startGateway, startSluice } from '@sluice/testkit/gateway-process'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Answered, startLoad } from './load.ts'
import { expectNoFaults, inspect, prepareGateway } from './world.ts'

/**
 * Two replicas on PostgreSQL are backed up under load, by the command and by the schedule, and killed. From the file another
 * installation continues, on SQLite or in an empty PostgreSQL, with every charge made before the backup began.
 */
const RECOVERY_MS = 20_000
/** For a backup under load, while other tests use the cores as well. */
const PATIENCE_MS = 150_000

let root: string
let first: string
let server: LocalPostgres
let emulator: Emulator
let replicas: readonly GatewayProcess[] = []
let keys: readonly string[]
let before: Answered
let during: Answered

const urlOf = (name: string): string => {
  const url = new URL(databaseUrl(server.url, name))
  url.username = 'gateway'
  return url.href
}
const env = (name = 'first'): { readonly DATABASE_URL: string } => ({ DATABASE_URL: urlOf(name) })
const backup = (): string => join(root, 'copy.db')
const place = (): string => join(root, 'place')

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-restore-server-'))
  first = join(root, 'first')
  server = await startLocalPostgres()
  // Backup and restore need no superuser rights.
  await administer(server.url, 'create role gateway login')
  for (const name of ['first', 'second', 'third']) {
    await administer(server.url, `create database ${name} owner gateway`)
  }
  emulator = await startEmulator()
  const scheduled = { dataDir: first, env: { ...env(), SLUICE_BACKUP_TO: place() } }
  // The first one migrates.
  const migrating = await startGateway(scheduled)
  replicas = [migrating, await startGateway(scheduled)]
  keys = await prepareGateway(migrating.url, emulator.url)
  const urls = replicas.map(({ url }) => url)
  const early = startLoad(() => urls, keys)
  await early.more(80, 20_000)
  before = await early.stop()
  const load = startLoad(() => urls, keys)
  await load.more(30, 20_000)
  const made = await runSluice(['backup', backup()], { dataDir: first, env: env(), timeoutMs: PATIENCE_MS })
  expect(made, made.output).toMatchObject({ code: 0 })
  // A running backup would end with its gateway.
  const database = await openDatabase({ url: urlOf('first') })
  const isMade = async () => expect(await findLastBackup(database.kysely, Date.now())).toBeDefined()
  await vi.waitFor(isMade, { timeout: 60_000, interval: 200 })
  await database.close()
  await load.more(150, 20_000)
  await killReplicas()
  during = await load.stop()
}, 300_000)

afterAll(async () => {
  await killReplicas()
  await emulator.close()
  await server.stop()
  await rm(root, { recursive: true, force: true })
})

const killReplicas = () => Promise.all(replicas.map((replica) => replica.kill()))

async function folder(name: string): Promise<string> {
  const dataDir = join(root, name)
  await mkdir(dataDir)
  await copyFile(join(first, 'master.key'), join(dataDir, 'master.key'))
  return dataDir
}

/** A gateway works on the data, which has all answers of `before`; each answer of `during` is complete or absent. */
async function expectWhole(dataDir: string, target: DatabaseTarget, more: Readonly<Record<string, string>> = {}) {
  const gateway = await startGateway({ dataDir, env: more })
  for (const key of keys) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'emu-fast', messages: [{ role: 'user', content: 'Still there?' }] }),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  }
  const database = await openDatabase(target)
  try {
    expectNoFaults(await inspect(database, before.answers, RECOVERY_MS))
    const { charges } = await inspect(database, during.answers, RECOVERY_MS)
    const half = charges.wrong.filter(({ wrong, charges: found, logged }) => {
      return wrong !== 'uncharged' || found.length > 0 || logged.length > 0
    })
    expect(half).toEqual([])
    expect(charges.wrong.length, 'the load went on after the backup').toBeGreaterThan(0)
  } finally {
    await database.close()
  }
  expect(await gateway.stop()).toBe(0)
  const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir, env: more })
  expect(verified, verified.output).toMatchObject({ code: 0 })
}

it('goes on in a SQLite file', async () => {
  const dataDir = await folder('second')
  const restored = await runSluice(['restore', backup()], { dataDir })
  expect(restored, restored.output).toMatchObject({ code: 0, output: expect.stringMatching(/Its ledger is correct/) })
  await expectWhole(dataDir, { sqliteFile: join(dataDir, 'sluice.db') })
}, 60_000)

it('goes on in an empty PostgreSQL, though a restore is killed, and a backup of SQLite does too', async () => {
  const dataDir = await folder('third')
  const refused = await runSluice(['restore', backup()], { dataDir, env: env() })
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/first is not empty: it has rows in user/) })
  const checked = await runSluice(['restore', backup(), '--check'], { dataDir, env: env('second') })
  expect(checked, checked.output).toMatchObject({ code: 0, output: expect.stringMatching(/Nothing was changed/) })
  const killed = await startSluice(['restore', backup()], {
    dataDir,
    env: env('second'),
    readyWhen: /Its ledger is correct/,
  })
  await delay(400)
  await killed.kill()
  expect(await readdir(dataDir)).toContainEqual(expect.stringMatching(/restoring-/))
  const restored = await runSluice(['restore', backup()], { dataDir, env: env('second') })
  expect(restored, restored.output).toMatchObject({
    code: 0,
    output: expect.stringMatching(/all rows are identical, and the ledger there is correct/),
  })
  expect(await readdir(dataDir)).not.toContainEqual(expect.stringMatching(/restoring/))
  await expectWhole(dataDir, { url: urlOf('second') }, env('second'))

  const ofSqlite = join(root, 'sqlite.db')
  expect(await runSluice(['backup', ofSqlite], { dataDir: join(root, 'second') })).toMatchObject({ code: 0 })
  const again = await runSluice(['restore', ofSqlite], { dataDir, env: env('third') })
  expect(again, again.output).toMatchObject({ code: 0 })
  const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir, env: env('third') })
  expect(verified, verified.output).toMatchObject({ code: 0 })
}, 90_000)

it('one of the replicas made the backup of the schedule, and all backups name the same database', async () => {
  const made = (await readdir(place())).filter((name) => name.endsWith('.db'))
  expect(made).toHaveLength(1)
  const listed = await runSluice(['backups', '--verify'], {
    dataDir: first,
    env: { ...env(), SLUICE_BACKUP_TO: place() },
  })
  expect(listed, listed.output).toMatchObject({ code: 0, output: expect.stringMatching(/latest scheduled backup/) })
  const databases = await Promise.all(
    [backup(), join(place(), made[0] ?? '')].map(async (file) => {
      const { database } = JSON.parse(await readFile(`${file}.json`, 'utf8')) as { readonly database: string }
      return database
    }),
  )
  expect(databases[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(databases).size).toBe(1)
})
