// @module-tag slow
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COPIED_TABLES } from '@sluice/store/copy/copied-tables'
import { openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MOVE_STEPS, type MoveStep } from '../../apps/gateway/src/move/move-data.ts'
import { seededRandom } from '../../tools/demo/random.ts'
import { seedCast } from '../../tools/demo/seed-cast.ts'
import { seedHistory } from '../../tools/demo/seed-history.ts'
import { prepareGateway } from './world.ts'

/** Number of killed moves before each completed one, and the seed that selects the steps. */
const ROUNDS = Number(process.env['SLUICE_KILL_MOVE_ROUNDS'] ?? 2)
const SEED = Number(process.env['SLUICE_KILL_MOVE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const random = seededRandom(SEED)
const STEPS: readonly MoveStep[] = [...MOVE_STEPS, ...COPIED_TABLES.map((table) => `table ${table}` as const)]
/** Steps that are taken while the gateway works. */
const EARLY_STEPS = STEPS.filter((step) => ['claimed', 'halted', 'copied'].includes(step) || step.startsWith('table '))

let dataDir: string
let server: LocalPostgres
let emulator: Emulator
let url: string
let key: string
let answered = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-kill-move-'))
  server = await startLocalPostgres()
  // A move needs no superuser rights.
  await administer(server.url, `create role gateway login`)
  await administer(server.url, 'create database gateway owner gateway')
  const address = new URL(databaseUrl(server.url, 'gateway'))
  address.username = 'gateway'
  url = address.href
  emulator = await startEmulator()
  const now = Date.now()
  const gateway = await startGateway({ dataDir })
  key = (await prepareGateway(gateway.url, emulator.url))[0] ?? ''
  await seedCast(gateway.url, ROOT_PASSWORD, emulator.url, Math.floor(now / 1_000))
  await gateway.stop()
  await seedHistory(sqliteFile(), now)
}, 180_000)
afterAll(async () => {
  console.log(`moves were killed after steps drawn by SLUICE_KILL_MOVE_SEED=${SEED}`)
  await emulator.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const sqliteFile = (): string => join(dataDir, 'sluice.db')
const onPostgres = (): { readonly DATABASE_URL: string } => ({ DATABASE_URL: url })

async function chat(gateway: GatewayProcess, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'emu-fast', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await reply.text()
    expect(reply.status).toBe(200)
    answered += 1
  }
}

/** Kills moves, each after a random step. A move ends normally if the one before died after the last step. */
async function killMoves(to: string, env: Readonly<Record<string, string>>, steps = STEPS): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const step = steps[random.below(steps.length)] ?? 'claimed'
    const ended = await runUntil(step, to, env)
    const message = `after the step "${step}" (SLUICE_KILL_MOVE_SEED=${SEED}): ${ended.output}`
    expect(ended.signal === 'SIGKILL' || ended.output.includes('already'), message).toBe(true)
  }
}

function runUntil(
  step: MoveStep,
  to: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly signal: string | null; readonly output: string }> {
  return new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'move-until.ts'), step, to]
    const options = {
      env: { PATH: process.env['PATH'] ?? '', SLUICE_DATA_DIR: dataDir, SLUICE_LOG_LEVEL: 'error', ...env },
      timeout: 60_000,
    }
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ signal: error?.signal ?? null, output: stdout + stderr }),
    )
  })
}

/** The last move may find that one killed after its last statement has done everything. */
async function completeMove(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const ended = await runSluice(args, { dataDir, env })
  expect(ended.output).toMatch(/both sides are equal|has already been moved to/)
}

async function exported(env: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const folder = await mkdtemp(join(dataDir, 'export-'))
  const ended = await runSluice(['export', folder], { dataDir, env })
  expect(ended, ended.output).toMatchObject({ code: 0 })
  const names = await readdir(folder)
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  )
  return Object.fromEntries(texts)
}

async function charges(target: { readonly url: string } | { readonly sqliteFile: string }): Promise<number> {
  const database = await openDatabase(target)
  const rows = await database.kysely.selectFrom('transfer').select('request_id').where('kind', '=', 'consume').execute()
  await database.close()
  return rows.length
}

it('a month of history and what is charged meanwhile go to PostgreSQL and back, though moves and gateways are killed', async () => {
  const history = await charges({ sqliteFile: sqliteFile() })
  expect(history).toBeGreaterThan(5_000)
  const there = ['move', '--to-env', 'TARGET_URL', '--json', join(dataDir, 'report.json')]
  const env = { TARGET_URL: url }

  let gateway = await startGateway({ dataDir })
  await chat(gateway, 5)
  await killMoves(url, {}, EARLY_STEPS)
  const [ahead] = await Promise.all([runSluice(there, { dataDir, env }), chat(gateway, 30)])
  expect(ahead, ahead.output).toMatchObject({
    code: 0,
    output: expect.stringMatching(/is using .*copied in its current state/),
  })
  expect(ahead.output).not.toContain(url)
  const refused = await runSluice(['serve'], { dataDir, env: onPostgres() })
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/into this database is not complete/) })
  await chat(gateway, 10)
  await gateway.kill()

  await killMoves(url, {})
  await completeMove(there, env)
  expect(await charges({ url })).toBe(history + answered)
  const before = await exported({})
  expect(await exported(onPostgres())).toEqual(before)
  const moved = await runSluice(['serve'], { dataDir })
  expect(moved).toMatchObject({ code: 1, output: expect.stringMatching(/was moved to postgres:/) })
  const again = await runSluice(there, { dataDir, env })
  expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/already been moved to \S+/) })

  gateway = await startGateway({ dataDir, env: onPostgres() })
  await chat(gateway, 10)
  const file = join(dataDir, 'back', 'sluice.db')
  const back = ['move', '--to', `sqlite:${file}`]
  const beside = await runSluice(back, { dataDir, env: onPostgres() })
  expect(beside, beside.output).toMatchObject({ code: 0, output: expect.stringMatching(/copied in its current state/) })
  await chat(gateway, 5)
  await gateway.stop()
  await killMoves(`sqlite:${file}`, onPostgres())
  await completeMove(back, onPostgres())
  const onFile = { DATABASE_URL: `sqlite:${file}` }
  expect(await charges({ sqliteFile: file })).toBe(history + answered)
  expect(await exported(onFile)).toEqual(await exported(onPostgres()))
  const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir, env: onFile })
  expect(verified, verified.output).toMatchObject({ code: 0 })

  const gone = await runSluice(['serve'], { dataDir, env: onPostgres() })
  expect(gone).toMatchObject({ code: 1, output: expect.stringMatching(/was moved to \S+back/) })
  expect(await runSluice(['move', '--undo'], { dataDir, env: onPostgres() })).toMatchObject({ code: 0 })
  gateway = await startGateway({ dataDir, env: onPostgres() })
  await chat(gateway, 1)
  await gateway.stop()
}, 600_000)

it('a target that holds anything else is refused, and so is one that is not named', async () => {
  const file = join(dataDir, 'other', 'sluice.db')
  const other = await startGateway({ dataDir: join(dataDir, 'other') })
  await other.stop()
  const move = (args: readonly string[]) => runSluice(['move', ...args], { dataDir, env: onPostgres() })
  expect(await move(['--to', `sqlite:${file}`])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/is not empty/),
  })
  expect(await move(['--to', url])).toMatchObject({ code: 1, output: expect.stringMatching(/itself or a copy of it/) })
  expect(await move(['--to', 'other.db'])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^--to must start/m),
  })
  expect(await move(['--to-env', 'NOT_SET'])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/which is not set/),
  })
  expect(await move([])).toMatchObject({ code: 1, output: expect.stringMatching(/either --to or --to-env/) })
})
