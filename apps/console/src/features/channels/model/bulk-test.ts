import type { Channel } from '@sluice/contract/channel'
import { testState } from './channel-status.ts'

/** How long a list waits for the results of a bulk test, in milliseconds. */
const PATIENCE_MS = 120_000

/** A test of all channels as the list that started it follows it. */
export interface BulkTest {
  /** Time of each listed channel's last test when the run was started; unix seconds, as the gateway's clock says. */
  readonly before: ReadonlyMap<number, number>
  /** Unix milliseconds at which the list stops waiting. */
  readonly until: number
}

type Tested = Pick<Channel, 'id' | 'test_time' | 'response_time'>

export function startBulkTest(rows: readonly Tested[], now: number): BulkTest {
  return { before: new Map(rows.map((row) => [row.id, row.test_time])), until: now + PATIENCE_MS }
}

/** Whether a channel's result is still to come. Channels that were not listed when the run began do not count. */
export function isAwaited(run: BulkTest | undefined, row: Tested, now: number): boolean {
  return run !== undefined && now < run.until && run.before.get(row.id) === row.test_time
}

/** How far a run has come among the listed channels. */
export function bulkProgress({ before }: BulkTest, rows: readonly Tested[]) {
  const followed = rows.filter((row) => before.has(row.id))
  const done = followed.filter((row) => before.get(row.id) !== row.test_time)
  return {
    total: followed.length,
    tested: done.length,
    failed: done.filter((row) => testState(row).state === 'failed').length,
  }
}
