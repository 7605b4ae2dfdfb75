import { createJob, type JobDeps, type JobRun } from '@sluice/coordination/job'
import { openSchedule } from '@sluice/coordination/schedule'
import {
  latestChecks,
  LEDGER_CHECK_JOB,
  type LedgerCheckMode,
  sweepLedgerChecks,
} from '@sluice/store/queries/ledger/ledger-checks'
import type { Notify } from '../messages/mail.ts'
import type { Log } from '../process/logger.ts'
import {
  beginLedgerCheck,
  type BegunCheck,
  type EndedCheck,
  type LedgerCheckDeps,
  type LedgerCheckOrder,
} from './run-ledger-check.ts'

export interface LedgerChecksDeps extends LedgerCheckDeps, Pick<JobDeps, 'replica' | 'timers'> {
  /** Hour of the nightly check, UTC; undefined for none. */
  readonly hour: number | undefined
  readonly notify: Notify
  readonly log: Pick<Log, 'info' | 'error'>
}

/** The running gateway's proofs of the ledger: one at a time across all replicas. */
export interface LedgerChecks {
  /** Begins a check and returns its id; `busy` while any replica is running one. */
  start(order: LedgerCheckOrder): Promise<number | 'busy'>
  close(): Promise<void>
}

const LEASE_MS = 60_000
const LOOK_MS = 600_000
/** More than a year of nights. */
const KEPT_CHECKS = 500

export function openLedgerChecks(deps: LedgerChecksDeps): LedgerChecks {
  const { database, now, timers, log } = deps
  const closing = new AbortController()
  const job = createJob(deps, LEDGER_CHECK_JOB, LEASE_MS)
  let running: Promise<void> | undefined

  /** The check continues after its caller has the answer. */
  const begin = async (held: JobRun, order: LedgerCheckOrder): Promise<number> => {
    const check = await beginLedgerCheck(deps, held.epoch, order)
    running = held.work({ closing: closing.signal, work: (signal) => finish(check, signal) })
    return check.id
  }

  const finish = async (check: BegunCheck, signal: AbortSignal): Promise<void> => {
    try {
      await tell(deps, await check.run(signal))
      await sweepLedgerChecks(database.kysely, KEPT_CHECKS)
    } catch (error) {
      log.error({ error, check: check.id }, 'the ledger could not be verified')
    }
  }

  const start = async (order: LedgerCheckOrder): Promise<number | 'busy'> => {
    return closing.signal.aborted ? 'busy' : await job.begin((held) => begin(held, order))
  }

  const look = async (hour: number): Promise<void> => {
    const due = async () => dueCheck(now(), hour, await latestChecks(database.kysely, now()))
    const mode = await due()
    if (mode === undefined || closing.signal.aborted) return
    // Checked again under the lease: another replica might have done it in between.
    await job.begin(async (held) => ((await due()) === mode ? await begin(held, { mode, startedBy: 0 }) : undefined))
  }

  const { hour } = deps
  const nightly =
    hour === undefined
      ? undefined
      : openSchedule({
          every: (ms, task) => timers.every(ms, task),
          ms: LOOK_MS,
          look: () => look(hour),
          onError: (error) => log.error({ error }, 'the nightly verification could not start'),
        })
  return {
    start,
    close: async () => {
      closing.abort()
      await nightly?.close()
      await running
    },
  }
}

async function tell({ log, notify }: LedgerChecksDeps, { id, outcome, wrong }: EndedCheck): Promise<void> {
  if (outcome !== 'wrong') return log.info({ check: id, outcome }, 'the ledger was verified')
  const invariants = wrong.map((result) => result.id)
  log.error({ check: id, invariants }, 'the ledger is wrong')
  await notify({ kind: 'books_wrong', invariants })
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Half a day short of a week, so that a late night does not move the next full check by a day. */
const FULL_EVERY_MS = 6.5 * DAY_MS

/**
 * The check that is due: one a night from `hour` (0 to 23, UTC) on, or later if no replica was running; once a week it counts
 * everything. `latest` has the last start of checks; all times are unix milliseconds.
 */
export function dueCheck(
  now: number,
  hour: number,
  latest: { readonly any: number; readonly full: number },
): LedgerCheckMode | undefined {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS
  const night = today <= now ? today : today - DAY_MS
  if (latest.any >= night) return undefined
  return latest.full <= night - FULL_EVERY_MS ? 'full' : 'incremental'
}
