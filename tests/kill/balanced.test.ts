import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createToken, updateToken } from '@sluice/contract/routes/tokens'
import { openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { keptPort } from '@sluice/testkit/free-port'
import { ROOT_PASSWORD, runSluice } from '@sluice/testkit/gateway-process'
import { type LocalNginx, startLocalNginx } from '@sluice/testkit/local-nginx'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { type LocalValkey, startLocalValkey } from '@sluice/testkit/local-valkey'
import { signIn } from '@sluice/testkit/management-client'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BalancedLoad, type Seen, type SeenCall, startBalancedLoad } from './balanced-load.ts'
import { type Replicas, startReplicas } from './replicas.ts'
import { expectNoFaults, inspect, prepareGateway } from './world.ts'

/**
 * Three replicas behind nginx, on PostgreSQL and Valkey; each of these is killed while clients call nginx. Clients may see whole
 * answers, clear refusals and, when the replica of their stream was killed, the end of the stream. Nothing else, and the ledger
 * balances. `SLUICE_KILL_BALANCED_ROUNDS=30` is the long run; see `tests/kill/README.md`.
 */
const REPLICAS = 3
const HOUR_MS = 3_600_000
const CLOCKS = [0, HOUR_MS, -HOUR_MS]
const RECOVERY_MS = 40_000

interface Blow {
  readonly name: string
  /** True if no client may notice it. */
  readonly isQuiet?: true
  readonly strike: () => Promise<void>
}

const BLOWS: readonly Blow[] = [
  { name: 'a replica killed', strike: () => killReplicas([0]) },
  { name: 'Valkey killed', isQuiet: true, strike: () => killValkey(500) },
  { name: 'Valkey silent', isQuiet: true, strike: () => silenceValkey(500) },
  { name: 'the database killed', strike: () => killDatabase(700) },
  { name: 'a replica asked to stop', strike: () => replicas.renew(1) },
  { name: 'a replica, the database and Valkey killed', strike: () => killReplicas([2], bothBack()) },
]
const ROUNDS = Number(process.env['SLUICE_KILL_BALANCED_ROUNDS'] ?? BLOWS.length)
const BEFORE = 40
const AFTER = 40

let dataDir: string
let server: LocalPostgres
let valkey: LocalValkey
let emulator: Emulator
let replicas: Replicas
let nginx: LocalNginx
let ports: readonly number[]
let env: Readonly<Record<string, string>>
let load: BalancedLoad
let calls: readonly SeenCall[] = []
/** Killed replicas, as `host:port`, and the time in unix milliseconds. */
const kills: { readonly servedBy: string; readonly at: number }[] = []
/** From the start of each kill until clients got whole answers again and every replica was ready. */
const troubles: { readonly isQuiet: boolean; readonly from: number; readonly to: number }[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-balanced-'))
  ;[server, valkey, emulator] = await Promise.all([
    startLocalPostgres({ durable: true }),
    startLocalValkey(),
    startEmulator(),
  ])
  await administer(server.url, 'create database sluice')
  ports = [await keptPort(), await keptPort(), await keptPort()]
  env = {
    DATABASE_URL: databaseUrl(server.url, 'sluice'),
    SLUICE_VALKEY_URL: valkey.url,
    SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
    SLUICE_TRUSTED_PROXIES: '127.0.0.1',
    // So that changes can only have arrived through Valkey.
    SLUICE_SYNC_INTERVAL: '60',
    // nginx may still send to a replica for this long after it was asked to stop.
    SLUICE_DRAIN_DELAY: '0.5',
  }
  replicas = await startReplicas(REPLICAS, { dataDir, env, ports, clocks: CLOCKS })
  nginx = await startLocalNginx(replicas.urls())
  const keys = await prepareGateway(nginx.url, emulator.url)
  const root = await signIn(nginx.url, 'root', ROOT_PASSWORD)
  // Limits that no caller reaches, so that Valkey is used for every call.
  const limits = { unlimited_quota: true, rpm: 1_000_000, tpm: 1_000_000_000 }
  const limited = await root.call(createToken, { body: { name: 'limited', ...limits } })
  load = startBalancedLoad(nginx.url, [...keys, limited.key])
})

afterAll(async () => {
  await load.stop()
  report()
  await nginx.stop()
  await replicas.stop()
  await Promise.all([emulator.close(), valkey.stop(), server.stop()])
  await rm(dataDir, { recursive: true, force: true })
})

const rounds = Array.from({ length: ROUNDS }, (_, at) => {
  const blow = BLOWS[at % BLOWS.length]
  if (blow === undefined) throw new Error('there is no such blow')
  return { ...blow, round: at + 1 }
})

describe('three replicas behind nginx', () => {
  it.each(rounds)('round $round: $name; whole answers keep arriving', async ({ strike, isQuiet = false }) => {
    await load.more(BEFORE, 20_000)
    const from = Date.now()
    await strike()
    await load.more(AFTER, 20_000)
    await expect.poll(notReady).toEqual([])
    troubles.push({ isQuiet, from, to: Date.now() })
  })

  it('a change made at one replica takes effect at all of them at once, through Valkey', async () => {
    const [url = ''] = replicas.urls()
    const root = await signIn(url, 'root', ROOT_PASSWORD)
    const token = await root.call(createToken, { body: { name: 'brief', unlimited_quota: true } })
    const statuses = (): Promise<number[]> => Promise.all(replicas.urls().map((each) => askModels(each, token.key)))
    expect(await statuses()).toEqual([200, 200, 200])
    await root.call(updateToken, { body: { ...token, status: 2 }, query: { status_only: '1' } })
    await expect.poll(statuses, { timeout: 10_000, interval: 20 }).toEqual([401, 401, 401])
  })

  it(
    'a token expires at the same moment at all of them, though their clocks are an hour apart',
    { tags: 'S45' },
    async () => {
      const [, url = ''] = replicas.urls()
      const root = await signIn(url, 'root', ROOT_PASSWORD)
      const ends = Math.floor(Date.now() / 1_000) + 2
      const brief = { name: 'brief', unlimited_quota: true }
      const [ended, open] = [
        await root.call(createToken, { body: { ...brief, expired_time: ends } }),
        await root.call(createToken, { body: { ...brief, expired_time: ends + 1_800 } }),
      ]
      const statuses = (key: string) => Promise.all(replicas.urls().map((each) => askModels(each, key)))
      await delay(3_000)
      expect([await statuses(ended.key), await statuses(open.key)]).toEqual([
        [401, 401, 401],
        [200, 200, 200],
      ])
    },
  )

  it('a token may make as many calls as its limit says, whichever replica it calls', async () => {
    const [url = ''] = replicas.urls()
    const root = await signIn(url, 'root', ROOT_PASSWORD)
    const allowedOf = async (): Promise<number> => {
      const { key } = await root.call(createToken, { body: { name: 'six a minute', unlimited_quota: true, rpm: 6 } })
      const requested = replicas.urls().flatMap((each) => Array.from({ length: 6 }, () => askModel(each, key)))
      const statuses = await Promise.all(requested)
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
      return statuses.filter((status) => status === 200).length
    }
    // When Valkey is too slow on a busy machine, each replica applies its third of the limit for a second.
    await expect.poll(allowedOf, { interval: 500 }).toBe(6)
  })

  it('clients saw whole answers, clear refusals, and the end of streams whose replica was killed', async () => {
    calls = await load.stop()
    expect(calls.filter((call) => !isRight(call)).map(describeCall)).toEqual([])
    expect(count('whole')).toBeGreaterThan(ROUNDS * (BEFORE + AFTER) * 0.9)
  })

  it('replicas reported that Valkey was away and was back, and never its password', () => {
    const said = replicas.outputs().join('\n')
    expect(said).toContain('Valkey is not available')
    expect(said).toContain('Valkey is used')
    expect(said).not.toContain(new URL(valkey.url).password)
  })

  it('and the ledger balances', async () => {
    const database = await openDatabase({ url: env['DATABASE_URL'] ?? '' })
    try {
      const answers = calls.flatMap(({ answer }) => (answer === undefined ? [] : [answer]))
      expectNoFaults(await inspect(database, answers, RECOVERY_MS))
    } finally {
      await database.close()
    }
    const verified = await runSluice(['ledger', 'verify'], { dataDir, env })
    expect(verified, verified.output).toMatchObject({ code: 0 })
  })
})

function isRight(call: SeenCall): boolean {
  if (call.seen === 'whole') return true
  if (call.seen === 'cut') return wasKilledUnder(call)
  return (
    wasRefused(call) && troubles.some(({ isQuiet, from, to }) => !isQuiet && call.began <= to && call.ended >= from)
  )
}

/** Includes the preceding kill, so that a reported failure shows what happened. */
function describeCall({ seen, detail, servedBy, began, ended }: SeenCall): string {
  const after = troubles.findLastIndex(({ from }) => from <= ended)
  const since = troubles[after]
  const when =
    since === undefined ? '' : `, ${began - since.to} ms to ${ended - since.to} ms after the end of blow ${after + 1}`
  return `${seen} ${detail} by ${servedBy}${when}`
}

/** Replicas that are not ready for requests, with their reasons. */
async function notReady(): Promise<readonly string[]> {
  const said = await Promise.all(
    replicas.urls().map(async (url) => {
      const reply = await fetch(`${url}/readyz`)
      return reply.ok ? '' : `${url}: ${await reply.text()}`
    }),
  )
  return said.filter((reason) => reason !== '')
}

const wasRefused = ({ seen }: SeenCall): boolean => seen === 'refused' || seen === 'told'

function wasKilledUnder({ servedBy, began, ended }: SeenCall): boolean {
  return kills.some((kill) => kill.servedBy === servedBy && kill.at >= began && kill.at <= ended)
}

async function killReplicas(which: readonly number[], before?: Promise<void>): Promise<void> {
  for (const each of which) kills.push({ servedBy: new URL(replicas.urls()[each] ?? '').host, at: Date.now() })
  await replicas.kill(which, before)
}

async function killDatabase(outageMs: number): Promise<void> {
  await server.kill()
  await delay(outageMs)
  await server.restart()
}

async function killValkey(outageMs: number): Promise<void> {
  await valkey.kill()
  await delay(outageMs)
  await valkey.restart()
}

async function silenceValkey(ms: number): Promise<void> {
  const resume = valkey.pause()
  await delay(ms)
  resume()
}

async function bothBack(): Promise<void> {
  await Promise.all([killDatabase(700), killValkey(300)])
}

async function askModels(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  await response.body?.cancel()
  return response.status
}

async function askModel(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'emu-fast', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await response.text()
  return response.status
}

function count(what: Seen): number {
  return calls.filter(({ seen }) => seen === what).length
}

function report(): void {
  const refusals = Map.groupBy(calls.filter(wasRefused), ({ detail }) => detail)
  const reasons = [...refusals].map(([detail, of]) => `${of.length} ${detail}`).join(', ')
  const line =
    `three replicas behind nginx: ${ROUNDS} blows, ${calls.length} calls, ${count('whole')} whole, ` +
    `${count('refused')} refused${reasons === '' ? '' : ` (${reasons})`}, ${count('told')} ended by an error event, ` +
    `${count('cut')} cut by a kill, ${count('unclear')} unclear`
  const summary = process.env['SLUICE_TEST_SUMMARY']
  if (summary === undefined) process.stdout.write(`${line}\n`)
  else appendFileSync(summary, `\n${line}\n`)
}
