// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareGateway } from './world.ts'

/** A replica learns with its next heartbeat, ten seconds after the last, that it was taken for dead. */
const ENDS_WITHIN_MS = 40_000

let dataDir: string
let server: LocalPostgres
let emulator: Emulator
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-kill-asleep-'))
  server = await startLocalPostgres()
  await administer(server.url, 'create database sluice')
  emulator = await startEmulator()
})
afterAll(async () => {
  await emulator.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Amounts that must survive the move, as text: the engines have different types for the same numbers. */
async function moneyIn({ kysely }: Database): Promise<readonly string[]> {
  const [transfers, accounts, logs, holds] = await Promise.all([
    kysely.selectFrom('transfer').selectAll().orderBy('request_id').orderBy('kind').execute(),
    kysely.selectFrom('account').selectAll().orderBy('id').execute(),
    kysely.selectFrom('log').selectAll().orderBy('id').execute(),
    kysely.selectFrom('hold').selectAll().execute(),
  ])
  const rows: readonly object[] = [...transfers, ...accounts, ...logs, ...holds]
  return rows.map((row) =>
    JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
  )
}

it('a replica that is asleep while its data moves charges nothing to the old database when it wakes up, and ends', async () => {
  const url = databaseUrl(server.url, 'sluice')
  const env = { DATABASE_URL: url }
  const gateway = await startGateway({ dataDir, env: { ...env, SLUICE_DRAIN_TIMEOUT: '2' } })
  const [key = ''] = await prepareGateway(gateway.url, emulator.url)
  const ask = (model: string, stream: boolean) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hello' }] }),
    })
  expect((await ask('emu-fast', false)).status).toBe(200)
  // The replica falls asleep while the hold is open and the stream has not ended.
  const streaming = await ask('emu-pace-100-10', true)
  const streamed = streaming.text().catch(() => '')

  process.kill(gateway.pid, 'SIGSTOP')
  const waiting = ask('emu-fast', false).then(
    ({ status }) => status,
    () => 'cut',
  )
  const old = await openDatabase({ url })
  try {
    // As if a minute had passed.
    await old.kysely
      .updateTable('replica')
      .set(({ eb }) => ({ heartbeat_ms: eb('heartbeat_ms', '-', 61_000) }))
      .execute()
    const file = join(dataDir, 'moved', 'sluice.db')
    const moved = await runSluice(['move', '--to', `sqlite:${file}`], { dataDir, env })
    expect(moved, moved.output).toMatchObject({ code: 0, output: expect.stringMatching(/both sides are equal/) })
    const before = await moneyIn(old)

    process.kill(gateway.pid, 'SIGCONT')
    expect(await waiting).not.toBe(200)
    expect(await streamed).toContain('"code":"ledger_unavailable"')
    await expect.poll(() => isAlive(gateway.pid), { timeout: ENDS_WITHIN_MS }).toBe(false)
    expect(await gateway.stop()).not.toBe(0)
    expect(gateway.output()).toContain('the data of this database was moved to')
    expect(await moneyIn(old)).toEqual(before)
    const there = await openDatabase({ sqliteFile: file })
    expect(await moneyIn(there)).toEqual(before)
    await there.close()
  } finally {
    await old.close()
  }
}, 180_000)
