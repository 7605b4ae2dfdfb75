import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemTimers } from '@sluice/ledger/timers'
import { mqFromQuota } from '@sluice/ledger/units'
import type { Database } from '@sluice/store/database'
import { createChannelKinds } from '../channel-kinds.ts'
import type { Config } from '../config.ts'
import { openConfiguredClock, openConfiguredLedger, openConfiguredVault, openMigrated } from '../configured.ts'
import { newRequestId } from '../edge/request-id.ts'
import { createImportRunner, type EndedImport, type ImportOrder, type ImportRunner } from '../import/open-importing.ts'
import { optionsOf, proveLedger } from '../jobs/prove-ledger.ts'
import { createLog } from '../logger.ts'
import { planNew } from '../management/channels/channel-changes.ts'
import { createPasswords } from '../management/sessions/passwords.ts'
import { DEFAULT_ROOT_PASSWORD, ensureRoot } from '../management/sessions/root-account.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { replicaName } from '../replica.ts'
import { openSnapshotReads } from '../snapshot-reads.ts'
import { printImportReport } from './import-report.ts'

/** What the command line says. */
export interface ImportFlags {
  readonly dryRun?: true
  readonly name: string
  readonly logs: 'none' | 'sums' | 'rows'
  /** Unix seconds. */
  readonly since: number
  readonly debts: 'refuse' | 'keep' | 'forgive'
  readonly prices: 'keep' | 'book'
  readonly leaveOut?: true
  /** Seconds between two passes; undefined: one pass. */
  readonly watch?: number | undefined
  /** File that the report is written to, as JSON. */
  readonly json?: string
}

/**
 * Checks or imports another gateway, and prints what becomes of it. A SQLite file of ours belongs to the command meanwhile; on
 * PostgreSQL it runs beside the gateways. Returns the exit code: 0 when everything was done and holds.
 */
export async function importGateway(config: Config, source: string, flags: ImportFlags): Promise<number> {
  await using opened = new AsyncDisposableStack()
  const log = createLog(config.logLevel)
  const database = await openMigrated(config, console.log)
  opened.defer(() => database.close())
  const clock = await openConfiguredClock(database, log)
  opened.defer(() => clock.close())
  const { now } = clock
  const vault = await openConfiguredVault(config, database)
  const stop = new AbortController()
  const replica = replicaName(newRequestId())
  const ledger = await openConfiguredLedger(config, database, {
    replica,
    now,
    remindBelow: () => mqFromQuota(0),
    log,
    onDead: () => stop.abort(),
    onCharged: () => {},
  })
  opened.defer(() => ledger.close())
  await ensureRoot({ database, ledger, now, randomBytes }, config.rootPassword)
  const kinds = createChannelKinds(now)
  const guard = createAddressGuard(config.upstreamPrivate)
  const passwords = createPasswords(randomBytes)
  const runner = createImportRunner({
    database,
    ledger,
    vault,
    now,
    replica,
    timers: systemTimers,
    directory: join(config.dataDir, 'import'),
    planChannel: (form) => planNew({ kinds, isHostAllowed: (host) => isIP(host) === 0 || guard.allows(host) }, form),
    isWellKnownPassword: async (hash) => (await passwords.verify(DEFAULT_ROOT_PASSWORD, hash)) === true,
    prove: async () => await proveHere(database, now),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return await passes(runner, orderOf(source, flags), flags, stop.signal)
}

function orderOf(source: string, flags: ImportFlags): ImportOrder {
  const { name, logs, since, debts, prices, leaveOut = false, dryRun } = flags
  return {
    source,
    mode: dryRun ? 'check' : 'import',
    name,
    choices: { logs, since, debts, prices, leaveOut },
    startedBy: 0,
  }
}

/** One pass, or one after the other until the command is stopped or a pass is refused. */
async function passes(
  runner: ImportRunner,
  order: ImportOrder,
  { watch, json }: ImportFlags,
  signal: AbortSignal,
): Promise<number> {
  for (let pass = 1; ; pass += 1) {
    const ended = await onePass(runner, order, signal)
    if (ended === undefined) return 1
    if (json !== undefined) await writeFile(json, `${JSON.stringify(ended, null, 2)}\n`)
    if (watch === undefined || ended.outcome !== 'done' || signal.aborted) return ended.outcome === 'done' ? 0 : 1
    console.log(`\nPass ${pass} is done; the next one begins in ${watch} s. Press Ctrl-C to end.`)
    await delay(watch * 1_000, undefined, { signal }).catch(() => {})
    if (signal.aborted) return 0
  }
}

async function onePass(
  runner: ImportRunner,
  order: ImportOrder,
  signal: AbortSignal,
): Promise<EndedImport | undefined> {
  const begun = await runner.begin(order, {
    onProblem: ({ table, id, field, problem, effect }) =>
      console.log(`${effect === 'left_out' ? 'left out' : 'adapted '}  ${table} ${id}: ${field} ${problem}`),
    onStage: (stage, total) => console.log(`${stage}${total === 0 ? '' : ` (${total} rows)`}`),
  })
  if (begun === 'busy') {
    console.error('Another import is running.')
    return undefined
  }
  const ended = await begun.run(signal)
  printImportReport(ended, order.mode, (line) => console.log(line))
  return ended
}

async function proveHere(database: Database, now: () => number) {
  const reads = await openSnapshotReads(database)
  try {
    const options = await optionsOf(database.kysely, 'incremental', now())
    const lines = []
    for await (const { id, statement, firstWrong } of proveLedger(reads, options, now)) {
      lines.push({ id, statement, ok: firstWrong === undefined })
    }
    return lines
  } finally {
    await reads.close()
  }
}
