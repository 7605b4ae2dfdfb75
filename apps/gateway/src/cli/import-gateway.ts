import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../environment/environment.ts'
import type { EndedImport, ImportOrder, ImportRunner } from '../import/import-runner.ts'
import { createLog } from '../process/logger.ts'
import { openImportRunner } from '../start/import-runner.ts'
import { printImportReport } from './import-report.ts'

export interface ImportFlags {
  readonly dryRun?: true
  readonly name: string
  readonly logs: 'none' | 'sums' | 'rows'
  /** Unix seconds. */
  readonly since: number
  readonly debts: 'refuse' | 'keep' | 'forgive'
  readonly prices: 'keep' | 'book'
  readonly leaveOut?: true
  readonly roots: 'one' | 'all'
  /** Seconds between two passes; undefined for one pass. */
  readonly watch?: number | undefined
  readonly json?: string
}

/**
 * Checks or imports another gateway, and prints the result. A SQLite database must not be in use; on PostgreSQL the command can run
 * beside the gateways. Returns the exit code: 0 when everything was done and the proof holds.
 */
export async function importGateway(config: Config, source: string, flags: ImportFlags): Promise<number> {
  const stop = new AbortController()
  await using runner = await openImportRunner(config, createLog(config.logLevel), {
    tell: console.log,
    onDead: () => stop.abort(),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return await passes(runner, orderOf(source, flags), flags, stop.signal)
}

function orderOf(source: string, flags: ImportFlags): ImportOrder {
  const { name, logs, since, debts, prices, leaveOut = false, roots, dryRun } = flags
  return {
    source,
    mode: dryRun ? 'check' : 'import',
    name,
    choices: { logs, since, debts, prices, leaveOut, roots },
    startedBy: 0,
  }
}

/** Runs one pass, or with `watch` pass after pass until the command is stopped or a pass is refused. */
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
    console.log(`\nPass ${pass} is done; the next one starts in ${watch} s. Press Ctrl-C to stop.`)
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
