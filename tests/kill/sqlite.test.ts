import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createToken, listTokens } from '@sluice/contract/routes/tokens'
import { openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoad } from './load.ts'
import { Tally } from './tally.ts'
import { startVisits, type Visits } from './visitors.ts'
import { expectNoFaults, inspect, prepareGateway } from './world.ts'

/**
 * The process is killed without warning while clients stream and other programs read and copy its files, repeatedly on the same
 * database. After each restart the ledger must balance and every answer that a client received whole must be charged exactly once,
 * with the exact amount. `SLUICE_KILL_ROUNDS=200` is the long run; see `tests/kill/README.md`.
 */
const ROUNDS = Number(process.env['SLUICE_KILL_ROUNDS'] ?? 2)
const VISIT_MS = Number(process.env['SLUICE_KILL_VISIT_MS'] ?? 300)

const tally = new Tally('killed on SQLite')
let dataDir: string
let emulator: Emulator
let gateway: GatewayProcess
let keys: readonly string[]
let visits: Visits

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-kill-'))
  emulator = await startEmulator()
  gateway = await start()
  keys = await prepareGateway(gateway.url, emulator.url)
  visits = startVisits(dataDir, VISIT_MS)
})

afterAll(async () => {
  tally.report()
  await gateway.stop()
  await emulator.close()
  await rm(dataDir, { recursive: true, force: true })
})

const start = () => startGateway({ dataDir })

const REFUSED = [true, true]

/** Starts two more gateways on the same files, as if by mistake; returns whether each was refused. */
function startIntruders(): Promise<readonly boolean[]> {
  const env = { PORT: '0', SLUICE_TAKEOVER_TIMEOUT: '0' }
  const start = async (): Promise<boolean> => {
    const { code, output } = await runSluice(['serve'], { dataDir, env })
    return code === 1 && output.includes('Sluice is already running on this data')
  }
  return Promise.all([start(), start()])
}

const rounds = Array.from({ length: ROUNDS }, (_, at) => at + 1)

describe('killed under load on SQLite', () => {
  it.each(rounds)('round %i leaves a ledger that balances', async (round) => {
    const load = startLoad(() => [gateway.url], keys)
    // Starting them takes as long as a round.
    const intruders = round % 3 === 1 ? startIntruders() : REFUSED
    // The point in the load differs between rounds, but not between runs.
    await load.more(60 + ((round * 61) % 250), 20_000)
    expect(await intruders).toEqual(REFUSED)
    await gateway.kill()
    const answered = await load.stop()

    gateway = await start()
    const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
    try {
      const findings = await inspect(database, answered.answers, 15_000)
      tally.add(answered, findings)
      expectNoFaults(findings)
    } finally {
      await database.close()
    }
  })

  it('a limit that is nearly spent is not exceeded meanwhile', { tags: 'S23' }, async () => {
    const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
    const limit = 10_000
    const { key } = await root.call(createToken, { body: { name: 'nearly spent', remain_quota: limit } })
    const load = startLoad(() => [gateway.url], [key])
    expect(await startIntruders()).toEqual(REFUSED)
    await load.more(1_000, 5_000)
    const { requests, answers } = await load.stop()
    const tokens = await root.call(listTokens, { query: { size: '100' } })
    const token = tokens.find(({ name }) => name === 'nearly spent')
    expect(requests).toBeGreaterThan(answers.length)
    expect(token?.remain_quota).toBeGreaterThanOrEqual(0)
    expect(token?.used_quota).toBeLessThanOrEqual(limit)
  })

  it('other programs read and copied the files all the while, and each of them could', { tags: 'S38' }, async () => {
    const counts = await visits.stop()
    expect(Object.values(counts).every((count) => count > 0)).toBe(true)
    tally.remark(
      `visited by ${Object.entries(counts)
        .map(([name, count]) => `${name} (${count})`)
        .join(', ')}`,
    )
  })

  it('in the end `sluice ledger verify` says so too', async () => {
    const verified = await runSluice(['ledger', 'verify'], { dataDir })
    expect(verified, verified.output).toMatchObject({ code: 0 })
  })
})
