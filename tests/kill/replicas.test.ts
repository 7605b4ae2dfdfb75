import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { runSluice } from '@sluice/testkit/gateway-process'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoad } from './load.ts'
import { startReplicas, type Replicas } from './replicas.ts'
import { Tally } from './tally.ts'
import { expectNoFaults, inspect, prepareGateway } from './world.ts'

/**
 * Three replicas on one PostgreSQL server, parts of which are taken away in every possible way while clients stream. Killed parts
 * come back; everything else continues. After each round the ledger must balance and every answer that a client received whole must
 * be charged exactly once, with the exact amount. `SLUICE_KILL_REPLICA_ROUNDS=30` is the long run; see `tests/kill/README.md`.
 */
const REPLICAS = 3
/** A hold that its replica committed just before it was killed waits for the next round of recovery (15 s). */
const RECOVERY_MS = 40_000

interface Blow {
  readonly name: string
  /** Clients with long streams run before the blow, and their holds have time to record a charge. */
  readonly onLongStreams?: true
  readonly strike: (world: {
    readonly replicas: Replicas
    readonly server: LocalPostgres
    readonly outageMs: number
  }) => Promise<void>
}

const BLOWS: readonly Blow[] = [
  { name: 'one replica killed', strike: ({ replicas }) => replicas.kill([0]) },
  {
    name: 'the database and a replica killed',
    strike: ({ replicas, server, outageMs }) => replicas.kill([1], killDatabase(server, outageMs)),
  },
  {
    name: 'a replica paused and given up, another killed',
    onLongStreams: true,
    strike: async ({ replicas }) => {
      const resume = await replicas.pause(2)
      await replicas.kill([0])
      resume()
    },
  },
  {
    name: 'the database and all replicas killed',
    strike: ({ replicas, server, outageMs }) => replicas.kill([0, 1, 2], killDatabase(server, outageMs)),
  },
  { name: 'the database killed', strike: ({ server, outageMs }) => killDatabase(server, outageMs) },
  { name: 'all replicas killed', strike: ({ replicas }) => replicas.kill([0, 1, 2]) },
]
/** Streams as long as these record what to charge after 15 s. */
const LONG_STREAMS = 6
const LONG_BEFORE_MS = 17_500

const ROUNDS = Number(process.env['SLUICE_KILL_REPLICA_ROUNDS'] ?? 4)

const tally = new Tally('replicas and database killed on PostgreSQL')
let dataDir: string
let server: LocalPostgres
let emulator: Emulator
let replicas: Replicas
let keys: readonly string[]
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-kill-'))
  server = await startLocalPostgres({ durable: true })
  await administer(server.url, 'create database sluice')
  env = {
    DATABASE_URL: databaseUrl(server.url, 'sluice'),
    SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
  }
  emulator = await startEmulator()
  replicas = await startReplicas(REPLICAS, { dataDir, env })
  keys = await prepareGateway(replicas.urls()[0] ?? '', emulator.url)
})

afterAll(async () => {
  tally.report()
  await replicas.stop()
  await emulator.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const rounds = Array.from({ length: ROUNDS }, (_, at) => {
  const blow = BLOWS[at % BLOWS.length]
  if (blow === undefined) throw new Error('there is no such blow')
  return { ...blow, round: at + 1 }
})

describe('three replicas under load on PostgreSQL', () => {
  it.each(rounds)('round $round: $name; the ledger balances', async ({ round, strike, onLongStreams }) => {
    const load = startLoad(() => replicas.urls(), keys, { longStreams: onLongStreams ? LONG_STREAMS : 0 })
    if (onLongStreams) await delay(LONG_BEFORE_MS)
    // The point in the load, and how long the database is down, differ between rounds, but not between runs.
    await load.more(60 + ((round * 61) % 200), 20_000)
    await strike({ replicas, server, outageMs: 200 + ((round * 433) % 1_800) })
    await load.more(60, 20_000)
    const answered = await load.stop()

    const database = await openLedgerOf()
    try {
      const findings = await inspect(database, answered.answers, RECOVERY_MS)
      tally.add(answered, findings)
      expectNoFaults(findings)
    } finally {
      await database.close()
    }
  })

  it('in the end `sluice ledger verify` says so too', async () => {
    const verified = await runSluice(['ledger', 'verify'], { dataDir, env })
    expect(verified, verified.output).toMatchObject({ code: 0 })
  })
})

async function killDatabase(postgres: LocalPostgres, outageMs: number): Promise<void> {
  await postgres.kill()
  await delay(outageMs)
  await postgres.restart()
}

function openLedgerOf(): Promise<Database> {
  return openDatabase({ url: env['DATABASE_URL'] ?? '' })
}
