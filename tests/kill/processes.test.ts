import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompleteAnswer, startLoad } from './load.ts'
import { Tally } from './tally.ts'
import { expectNoFaults, inspect, prepareGateway } from './world.ts'

/** `sluice serve --processes 3` on one port and one PostgreSQL. */
const PROCESSES = 3
const CLIENTS = 16
const RECOVERY_MS = 40_000
/** Allows for a start on a busy machine, with its pause. */
const PATIENT = { timeout: 60_000, interval: 100 }

const tally = new Tally('gateway processes killed on one port')
let dataDir: string
let server: LocalPostgres
let emulator: Emulator
let env: Readonly<Record<string, string>>
let gateway: GatewayProcess
let database: Database
let keys: readonly string[]

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-processes-'))
  ;[server, emulator] = await Promise.all([startLocalPostgres(), startEmulator()])
  await administer(server.url, 'create database sluice')
  const url = databaseUrl(server.url, 'sluice')
  env = {
    DATABASE_URL: url,
    SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
    SLUICE_PROCESSES: String(PROCESSES),
    SLUICE_PUBLIC_RATE_LIMIT: '0',
  }
  gateway = await startGateway({ dataDir, env })
  database = await openDatabase({ url })
  keys = await prepareGateway(gateway.url, emulator.url)
})
afterAll(async () => {
  tally.report()
  await gateway.stop()
  await database.close()
  await emulator.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Process ids of the running gateways, according to the database. */
async function pids(): Promise<readonly number[]> {
  const rows = await database.kysely.selectFrom('replica').select('id').where('dead', '=', 0).execute()
  return rows.map(({ id }) => pidOf(id)).filter(isRunning)
}
const pidOf = (replica: string): number => Number(replica.split(':')[1])

/** One call on a new connection, so that any process can take it. Rejects if the connection is cut. */
async function chat(model: string): Promise<CompleteAnswer> {
  const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' }
  const sent = request(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, agent: false })
  sent.end(JSON.stringify({ model, messages: [{ role: 'user', content: 'Which way does the water go?' }] }))
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  const text = Buffer.concat(await reply.toArray()).toString()
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode}: ${text}`)
  return { requestId: String(reply.headers['x-request-id']), model, usage: JSON.parse(text).usage }
}

/** Clients that call until `isOver`; returns all answers and failures. */
async function callUntil(isOver: () => boolean) {
  const answers: CompleteAnswer[] = []
  const faults: string[] = []
  const client = async (): Promise<void> => {
    while (!isOver()) {
      await chat('emu-fast').then(
        (answer) => answers.push(answer),
        (error: unknown) => faults.push(String(error)),
      )
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { answers, faults, requests: answers.length + faults.length }
}

describe(`${PROCESSES} processes on one port`, () => {
  it('all get requests, and are named as one gateway at the start', async () => {
    expect(gateway.output().split('is ready').length).toBe(2)
    expect(await pids()).toHaveLength(PROCESSES)
    // Any idle process takes a connection, and the others learn of a new channel slightly later: until then they refuse its models.
    const calls: Promise<PromiseSettledResult<CompleteAnswer>>[] = []
    const serving = new Set<string>()
    for (let call = 0; call < 500 && serving.size < PROCESSES; call++) {
      calls.push(Promise.allSettled([chat('emu-pace-40-10')]).then(([outcome]) => outcome))
      await delay(10)
      const holds = await database.kysely.selectFrom('hold').select('replica').execute()
      for (const { replica } of holds) serving.add(replica)
    }
    expect(serving.size).toBe(PROCESSES)
    const outcomes = await Promise.all(calls)
    const answers = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(answers.length).toBeGreaterThan(PROCESSES)
    expectNoFaults(await inspect(database, answers, RECOVERY_MS))
  })

  it('are replaced one after the other on SIGHUP, without a failed call', async () => {
    const before = await pids()
    let isOver = false
    const called = callUntil(() => isOver)
    process.kill(gateway.pid, 'SIGHUP')
    await expect.poll(() => before.some(isRunning), PATIENT).toBe(false)
    isOver = true
    const { answers, faults, requests } = await called
    expect(faults).toEqual([])
    expect(answers.length).toBeGreaterThan(100)
    await expect.poll(async () => (await pids()).length, PATIENT).toBe(PROCESSES)
    const findings = await inspect(database, answers, RECOVERY_MS)
    tally.add({ requests, answers }, findings)
    expectNoFaults(findings)
  })

  it('come back when one of them is killed, and every whole answer is charged', async () => {
    const load = startLoad(() => [gateway.url], keys)
    await load.more(100, 20_000)
    const [killed = 0, ...others] = await pids()
    process.kill(killed, 'SIGKILL')
    // As the others would do after a minute of silence.
    await administer(
      env['DATABASE_URL'] ?? '',
      `update replica set dead = 1 where split_part(id, ':', 2)::integer = ${killed}`,
    )
    await load.more(100, 20_000)
    await expect.poll(async () => (await pids()).length, PATIENT).toBe(PROCESSES)
    expect(await pids()).toEqual(expect.arrayContaining([...others]))
    expect(gateway.output()).toContain('a gateway process ended unexpectedly')
    const answered = await load.stop()
    const findings = await inspect(database, answered.answers, RECOVERY_MS)
    tally.add(answered, findings)
    expectNoFaults(findings)
  })

  it('let their answers finish when the gateway is asked to stop', async () => {
    const all = await pids()
    const before = emulator.journal.received
    const calls = Promise.allSettled(Array.from({ length: 30 }, () => chat('emu-pace-40-10')))
    await expect.poll(() => emulator.journal.received - before, { interval: 10 }).toBe(30)
    expect(await gateway.stop(60_000)).toBe(0)
    const outcomes = await calls
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(all.some(isRunning)).toBe(false)
    expect(gateway.output().split('Sluice is stopping (SIGTERM)')).toHaveLength(2)
    const verified = await runSluice(['ledger', 'verify'], { dataDir, env })
    expect(verified, verified.output).toMatchObject({ code: 0 })
  })

  it('end when the process that started them is killed', async () => {
    gateway = await startGateway({ dataDir, env })
    const all = await pids()
    expect(all).toHaveLength(PROCESSES)
    await gateway.kill()
    await expect.poll(() => all.some(isRunning), PATIENT).toBe(false)
  })
})

it('several processes are refused on SQLite', async () => {
  const { code, output } = await runSluice(['serve', '--processes', '2'], { dataDir, env: { PORT: '0' } })
  expect(output).toContain('SLUICE_PROCESSES=2 needs PostgreSQL')
  expect(code).toBe(1)
})

it('relay threads are answered with what to use in their place', async () => {
  const { code, output } = await runSluice(['serve'], { dataDir, env: { SLUICE_RELAY_THREADS: '2' } })
  expect(output).toContain('with SLUICE_PROCESSES')
  expect(code).toBe(1)
})
