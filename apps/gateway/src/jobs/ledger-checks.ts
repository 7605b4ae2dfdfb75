import { type Lease, takeLease } from '@sluice/coordination/lease'
import type { Timers } from '@sluice/ledger/timers'
import { latestChecks, LEDGER_CHECK_JOB, sweepLedgerChecks } from '@sluice/store/queries/ledger/ledger-checks'
import type { Log } from '../logger.ts'
import type { Notify } from '../messages/mail.ts'
import { dueCheck } from './nightly.ts'
import {
  beginLedgerCheck,
  type BegunCheck,
  type EndedCheck,
  type LedgerCheckDeps,
  type LedgerCheckOrder,
} from './run-ledger-check.ts'

export interface LedgerChecksDeps extends LedgerCheckDeps {
  /** Name of this replica. */
  readonly replica: string
  /** Hour of the nightly check, UTC; undefined: none. */
  readonly hour: number | undefined
  readonly timers: Pick<Timers, 'every'>
  readonly notify: Notify
  readonly log: Pick<Log, 'info' | 'error'>
}

/** Proofs of the ledger by the running gateway: one at a time, whichever replica runs it. */
export interface LedgerChecks {
  /** Begins one and returns its id; `busy` while any replica runs one. */
  start(order: LedgerCheckOrder): Promise<number | 'busy'>
  /** Stops a running check. */
  close(): Promise<void>
}

const LEASE_MS = 60_000
const LOOK_MS = 600_000
/** More than a year of nights. */
const KEPT_CHECKS = 500

export function openLedgerChecks(deps: LedgerChecksDeps): LedgerChecks {
  const { database, now, timers, log } = deps
  const stop = new AbortController()
  let running: Promise<void> | undefined

  const lease = (): Promise<Lease | undefined> =>
    takeLease({
      database,
      job: LEDGER_CHECK_JOB,
      owner: deps.replica,
      lifeMs: LEASE_MS,
      now,
      every: (ms, task) => timers.every(ms, task),
    })

  /** Goes on after the caller that began it has its answer. */
  const begin = async (held: Lease, order: LedgerCheckOrder): Promise<number> => {
    const check = await beginLedgerCheck(deps, held, order)
    running = finish(check, held)
    return check.id
  }

  const finish = async (check: BegunCheck, held: Lease): Promise<void> => {
    try {
      await tell(deps, await check.run(stop.signal))
      await sweepLedgerChecks(database.kysely, KEPT_CHECKS)
    } catch (error) {
      log.error({ error, check: check.id }, 'the ledger could not be verified')
    } finally {
      await held.release()
    }
  }

  const start = async (order: LedgerCheckOrder, isWanted = async () => true): Promise<number | 'busy'> => {
    const held = stop.signal.aborted ? undefined : await lease()
    if (held === undefined) return 'busy'
    try {
      if (await isWanted()) return await begin(held, order)
    } catch (error) {
      await held.release()
      throw error
    }
    await held.release()
    return 'busy'
  }

  const look = async (hour: number): Promise<void> => {
    const due = async () => dueCheck(now(), hour, await latestChecks(database.kysely, now()))
    const mode = await due()
    // Checked again under the lease: another replica might have done it in between.
    if (mode !== undefined) await start({ mode, startedBy: 0 }, async () => (await due()) === mode)
  }

  const { hour } = deps
  const stopLooking =
    hour === undefined
      ? () => {}
      : timers.every(LOOK_MS, () => {
          look(hour).catch((error: unknown) => log.error({ error }, 'the nightly verification could not start'))
        })
  return {
    start,
    close: async () => {
      stopLooking()
      stop.abort()
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
