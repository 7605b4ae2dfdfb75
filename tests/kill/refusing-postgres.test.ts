import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareGateway } from './world.ts'

/** A running server that refuses: it is read-only, like a standby, or has no connection left. */
let dataDir: string
let server: LocalPostgres
let emulator: Emulator
let gateway: GatewayProcess
let url: string
let key: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-refusing-'))
  server = await startLocalPostgres()
  // Limits on connections do not apply to superusers.
  await administer(server.url, `create role gateway login`)
  await administer(server.url, 'create database gateway owner gateway')
  const address = new URL(databaseUrl(server.url, 'gateway'))
  address.username = 'gateway'
  url = address.href
  emulator = await startEmulator()
  gateway = await startGateway({ dataDir, env: { DATABASE_URL: url } })
  key = (await prepareGateway(gateway.url, emulator.url))[0] ?? ''
}, 120_000)
afterAll(async () => {
  await gateway.stop()
  await emulator.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const chat = async () => {
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'emu-fast', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  const text = await reply.text()
  if (reply.status === 200) answered.push(reply.headers.get('x-request-id') ?? '')
  return { status: reply.status, text }
}
/** Request ids of whole answers. */
const answered: string[] = []
const ready = async () => (await fetch(`${gateway.url}/readyz`)).status
const signIn = () =>
  fetch(`${gateway.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: ROOT_PASSWORD }),
  })
const cut = () =>
  administer(server.url, `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway'`)

test.each([
  [
    'may only be read',
    'alter database gateway set default_transaction_read_only = on',
    'alter database gateway reset default_transaction_read_only',
  ],
  ['has no connections left', 'alter role gateway connection limit 0', 'alter role gateway connection limit -1'],
])(
  'a database that %s is reported to all callers with 503, and service resumes on its own',
  async (_, begin, end) => {
    expect([(await chat()).status, await ready()]).toEqual([200, 200])
    await administer(server.url, begin)
    await cut()
    const waiting = chat()
    await expect.poll(ready, { timeout: 20_000, interval: 200 }).toBe(503)
    expect(await chat()).toMatchObject({ status: 503, text: expect.stringContaining('ledger_unavailable') })
    const refused = await signIn()
    expect([refused.status, await refused.json()]).toMatchObject([503, { message: expect.stringMatching(/database/) }])

    await administer(server.url, end)
    await expect.poll(ready, { timeout: 45_000, interval: 200 }).toBe(200)
    expect([200, 503]).toContain((await waiting).status)
    expect((await chat()).status).toBe(200)
    // Without this it would take up to a minute, the lifetime of a connection.
    await cut()
    await expect.poll(async () => (await signIn()).status, { timeout: 10_000, interval: 200 }).toBe(200)
    const database = await openDatabase({ url })
    // A call whose charge was in doubt when its client was refused is charged for nothing.
    const charged = async () => {
      const rows = await database.kysely
        .selectFrom('transfer')
        .select(['request_id', 'kind', 'amount'])
        .where('kind', 'in', ['consume', 'adjust', 'refund'])
        .execute()
      const nets = new Map<string, bigint>()
      for (const { request_id: id, kind, amount } of rows) {
        nets.set(id, (nets.get(id) ?? 0n) + (kind === 'refund' ? -amount : amount))
      }
      return [...nets].flatMap(([id, net]) => (net > 0n ? [id] : [])).toSorted()
    }
    await expect.poll(charged, { timeout: 20_000 }).toEqual(answered.toSorted())
    await database.close()
    expect(await runSluice(['ledger', 'verify'], { dataDir, env: { DATABASE_URL: url } })).toMatchObject({ code: 0 })
  },
  150_000,
)
