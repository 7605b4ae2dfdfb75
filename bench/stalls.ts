import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createChannel } from '@sluice/contract/routes/channels'
import { listLedgerChecks, startLedgerCheck } from '@sluice/contract/routes/ledger'
import { clearLogs } from '@sluice/contract/routes/logs'
import { createToken } from '@sluice/contract/routes/tokens'
import { openDatabase } from '@sluice/store/database'
import { runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { clientWith } from '@sluice/testkit/management-client'
import { addSession } from './history/add-session.ts'
import { startProviderProcess } from './provider/provider-process.ts'
import { percentile } from './statistics.ts'
import { CHAT, JSON_BODY } from './targets.ts'
import { Caller } from './wire/caller.ts'

/**
 * `node bench/stalls.ts --data data/large`: how long calls take while that database is verified, backed up and cleared of half of
 * its rows, against the same calls without such work (`--only nothing,backup` makes these two). The backup is that of the schedule:
 * copied, checked, hashed, stored in a folder and read back. A call waits for its charge, so a stall of the ledger shows in its
 * latency. The database is changed; its ledger stays correct.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    'per-second': { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
})
if (values.data === undefined) throw new Error('--data names the folder of the database')
const dataDir = resolve(values.data)
const PER_SECOND = Number(values['per-second'])
const QUIET_MS = Number(values.seconds) * 1_000
/** A name that no earlier run has used, because earlier runs' providers no longer exist. */
const MODEL = `stalls-${Date.now()}`
const ENDING = Buffer.from('"usage"')
const BACKUP_MS = 3_600_000
/** A client that starts a call late measures its own delay, not the gateway's. */
const LATE_MS = 2

const place = join(dataDir, 'backups')
const half = await middleOfLogs()
const provider = await startProviderProcess()
const gateway = await startGateway({ dataDir, isCollecting: true })
try {
  const root = clientWith(gateway.url, await sessionOfRoot())
  const channel = { name: MODEL, type: 50, key: 'sk-bench', base_url: provider.url, models: MODEL }
  const model_mapping = JSON.stringify({ [MODEL]: 'emu-fast' })
  const model_configs = JSON.stringify({ [MODEL]: { ratio: 1 }, 'emu-fast': { ratio: 1 } })
  await root.call(createChannel, { body: { ...channel, model_mapping, model_configs } })
  const { key } = await root.call(createToken, { body: { name: 'bench', unlimited_quota: true } })
  const body = JSON.stringify({ model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] })
  const caller = new Caller(gateway.url + CHAT, [{ ...JSON_BODY, authorization: `Bearer ${key}` }], body)

  await callDuring(caller, delay(5_000))
  console.log(`${PER_SECOND} calls a second; milliseconds from request to whole answer`)
  console.log('during'.padEnd(34) + ['seconds', 'calls', 'p50', 'p99', 'p99.9', 'longest', 'late'].map(right).join(''))
  await report(caller, 'nothing else', () => delay(QUIET_MS))
  await report(caller, 'a verification of the whole ledger', async () => {
    const { id } = await root.call(startLedgerCheck, { body: { mode: 'full' } })
    for (;;) {
      await delay(500)
      const [check] = await root.call(listLedgerChecks, { query: { p: '0', size: '1' } })
      if (check?.id === id && check.outcome !== 'running') return
    }
  })
  await report(caller, 'sluice backup', async () => {
    const env = { SLUICE_BACKUP_TO: place }
    const { code, output } = await runSluice(['backup'], { dataDir, env, timeoutMs: BACKUP_MS })
    if (code !== 0) throw new Error(output)
  })
  // Not during measured calls, because removing a large file keeps the disk busy.
  await rm(place, { recursive: true, force: true })
  await report(caller, 'half of the log rows being cleared', async () => {
    // The call returns at once and deletes afterwards.
    await root.call(clearLogs, { query: { target_timestamp: String(half) } })
    await delay(QUIET_MS)
  })
} finally {
  await gateway.stop(60_000)
  await provider.stop()
}

interface Calls {
  readonly latenciesMs: readonly number[]
  readonly late: number
}

async function callDuring(caller: Caller, work: Promise<unknown>): Promise<Calls> {
  const over = new AbortController()
  const ending = work.finally(() => over.abort())
  // Awaited below, after the calls.
  ending.catch(() => {})
  const latenciesMs: number[] = []
  const calls: Promise<void>[] = []
  let late = 0
  const started = performance.now()
  for (let n = 0; !over.signal.aborted; n++) {
    const due = started + (n * 1_000) / PER_SECOND
    const wait = due - performance.now()
    if (wait > 0) await delay(wait)
    if (performance.now() - due > LATE_MS) late++
    calls.push(call(caller).then((ms) => void latenciesMs.push(ms)))
  }
  await Promise.all(calls)
  await ending
  return { latenciesMs, late }
}

async function call(caller: Caller): Promise<number> {
  const started = performance.now()
  let isWhole = false
  const failure = await caller.call((piece) => (isWhole ||= piece.includes(ENDING)))
  if (failure !== '' || !isWhole) throw new Error(`a call failed: ${failure}`)
  return performance.now() - started
}

async function report(caller: Caller, name: string, work: () => Promise<unknown>): Promise<void> {
  if (!values.only.split(',').some((part) => name.includes(part))) return
  const started = performance.now()
  const { latenciesMs, late } = await callDuring(caller, work())
  const seconds = (performance.now() - started) / 1_000
  const figures = [0.5, 0.99, 0.999, 1].map((share) => percentile(latenciesMs, share).toFixed(1))
  console.log(
    name.padEnd(34) + [seconds.toFixed(0), String(latenciesMs.length), ...figures, String(late)].map(right).join(''),
  )
}

function right(text: string): string {
  return text.padStart(9)
}

async function sessionOfRoot(): Promise<string> {
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  const cookie = await addSession(database, 1)
  await database.close()
  return cookie
}

/** Unix seconds before which half of the rows were written. */
async function middleOfLogs(): Promise<number> {
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  const { last } = await database.kysely
    .selectFrom('log')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  const { created_at: at } = await database.kysely
    .selectFrom('log')
    .select('created_at')
    .where('id', '>=', Math.floor(Number(last) / 2))
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await database.close()
  return at
}
