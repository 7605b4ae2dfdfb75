import { type Channel, CHANNEL_STATUS, type ChannelJob } from '@sluice/contract/channel'

/** Pause between two polls of a job that runs in the gateway, in milliseconds. */
const LOOK_MS = 1_500

/** How long to wait before the next poll of a job; never while none runs. */
export function pauseBetweenLooks(job: ChannelJob | undefined): number | false {
  return job?.running === true ? LOOK_MS : false
}

/**
 * Whether this channel still awaits its result from a running test of all channels: its last test is older than the run. Both times
 * are the gateway's, so a page that was loaded in the middle of a run comes to the same result.
 */
export function isAwaited(job: ChannelJob | undefined, row: Pick<Channel, 'test_time' | 'status'>): boolean {
  if (job?.running !== true || row.test_time >= job.started_time) return false
  const scope = SCOPES[job.scope]
  return scope === undefined || scope.some((status) => status === row.status)
}

/** Channels that a test covers, by its scope; with any other scope, all of them. */
const SCOPES: Readonly<Record<string, readonly number[] | undefined>> = {
  enabled: [CHANNEL_STATUS.enabled],
  disabled: [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled],
  recovery: [CHANNEL_STATUS.autoDisabled],
}

/**
 * Whether a run deserves a line above the list: it is still running, or it has ended since the page was opened (`since`, unix
 * seconds) and a user is waiting for it. No user waits for scheduled runs.
 */
export function isShown(job: ChannelJob, since: number): boolean {
  return job.running || (job.started_time > since && !job.scheduled)
}

/** Whether channels may have changed since the last poll: a short run can start and finish between two polls. */
export function hasMoved(before: ChannelJob | undefined, now: ChannelJob): boolean {
  return now.running || (before !== undefined && (before.running || before.started_time !== now.started_time))
}

/** From 0 to 1; an empty job counts as done. */
export function shareDone({ done, total, running }: ChannelJob): number {
  if (total === 0) return running ? 0 : 1
  return Math.min(1, done / total)
}
