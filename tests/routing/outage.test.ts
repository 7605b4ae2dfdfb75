import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { updateOption } from '@sluice/contract/routes/options'
import { type Database, openDatabase } from '@sluice/store/database'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outageLine, type OutageReport, reportOutage } from './outage-report.ts'
import { startSteadyLoad } from './steady-load.ts'

/**
 * Three equal channels under an even load, one of which fails for a while. The short everyday run has an outage of some seconds;
 * `SLUICE_OUTAGE_SECONDS=60` runs a minute of every kind, at a higher rate, and watches the whole return.
 */
const LONG_SECONDS = Number(process.env['SLUICE_OUTAGE_SECONDS'] ?? 0)
const isLong = LONG_SECONDS > 0
const PER_SECOND = isLong ? 100 : 40
const BEFORE_MS = isLong ? 10_000 : 1_500
const OUTAGE_MS = isLong ? LONG_SECONDS * 1_000 : 3_000
/** A cooldown lasts up to a minute, and doubles after each failed trial. */
const RETURN_WITHIN_MS = isLong ? 70_000 : 12_000
/** How much of the return is watched: all of the 20 s in which a channel regains its load, or their beginning. */
const WATCHED_MS = isLong ? 25_000 : 4_000

interface Kind {
  readonly name: string
  readonly as: string
  /** Calls that the outage may affect: those in progress when it was noticed, and trials. */
  readonly most: number
}

const TRIALS = Math.ceil(OUTAGE_MS / 10_000) + 6
const KINDS: readonly Kind[] = [
  { name: 'status 500', as: 'emu-error-500', most: 25 + TRIALS },
  { name: 'connections reset', as: 'emu-cut-before', most: 2 * (25 + TRIALS) },
  { name: 'status 429 without Retry-After', as: 'emu-limited', most: 25 + TRIALS },
  // Silence is only noticed when it has lasted, so a third of two seconds' calls are affected too.
  { name: 'silence', as: 'emu-stall-before', most: PER_SECOND + 40 + TRIALS },
]
const MODEL = 'emu-pace-8-20'
const PLACES = ['one', 'two', 'three'] as const

let bench: Workbench
let database: Database
let key: string

beforeAll(async () => {
  bench = await openWorkbench(isLong ? { SLUICE_FIRST_BYTE_TIMEOUT: '2' } : {})
  database = await openDatabase({ sqliteFile: join(bench.dataDir, 'sluice.db') })
  await bench.root.call(updateOption, { body: { key: 'RetryTimes', value: 2 } })
  key = await bench.addToken()
})
afterAll(async () => {
  await database.close()
  await bench.close()
})

test.each(isLong ? KINDS : KINDS.slice(0, 1))(
  '$name: clients notice nothing, and the channel comes back bit by bit',
  async (kind) => {
    const report = await liveThrough(kind)
    tell(outageLine(kind.name, PER_SECOND, OUTAGE_MS / 1_000, report))
    expect(report.failed.map(({ problem }) => problem)).toEqual([])
    expect(report.affected).toBeGreaterThan(0)
    expect(report.affected).toBeLessThanOrEqual(kind.most)
    expect(report.returnedMs).toBeLessThan(RETURN_WITHIN_MS)
    const [first = NaN, second = NaN] = report.shares
    expect(first + second).toBeLessThan(1)
    expect(Math.max(...report.shares)).toBeLessThan(2)
    expect(await brokenInvariants(readRowsOf(database))).toEqual([])
  },
  BEFORE_MS + OUTAGE_MS + RETURN_WITHIN_MS + WATCHED_MS + 30_000,
)

async function liveThrough({ as }: Kind): Promise<OutageReport> {
  const { emulator } = bench
  const model = `${MODEL}-${as}`
  for (const place of PLACES) {
    emulator.faults.switchOn({ at: place, as: MODEL })
    await bench.addChannel([model], { name: `${place}, ${as}`, base_url: emulator.at(place) })
  }
  const failing = await database.kysely
    .selectFrom('channel')
    .select('id')
    .where('name', '=', `${PLACES[0]}, ${as}`)
    .executeTakeFirstOrThrow()
  const load = startSteadyLoad(bench.gateway.url, key, model, PER_SECOND)
  await delay(BEFORE_MS)
  const began = Date.now()
  emulator.faults.switchOn({ at: PLACES[0], as })
  await delay(OUTAGE_MS)
  const ended = Date.now()
  emulator.faults.switchOn({ at: PLACES[0], as: MODEL })
  await returned(PLACES[0])
  await delay(WATCHED_MS)
  const requests = await load.stop()
  const outage = { began, ended }
  return await reportOutage(database, requests, { channel: failing.id, channels: PLACES.length, outage })
}

async function returned(place: string): Promise<void> {
  const { places } = bench.emulator.journal
  const [before, until] = [places[place] ?? 0, Date.now() + RETURN_WITHIN_MS]
  while ((places[place] ?? 0) === before && Date.now() < until) await delay(50)
}

function tell(line: string): void {
  const summary = process.env['SLUICE_TEST_SUMMARY']
  if (summary === undefined) process.stdout.write(`${line}\n`)
  else appendFileSync(summary, `\n${line}\n`)
}
