import { type Channel, CHANNEL_STATUS, type ChannelJob } from '@sluice/contract/channel'

/** Pause between two looks at work that runs in the gateway, in milliseconds. */
const LOOK_MS = 1_500

/** How long to wait before a job is asked for again; never while none runs. */
export function pauseBetweenLooks(job: ChannelJob | undefined): number | false {
  return job?.running === true ? LOOK_MS : false
}

/**
 * Whether the result of a running test of all channels is still to come for this one: its last test is older than the run.
 * Both times are the gateway's, so a page that was loaded in the middle of a run knows the same.
 */
export function isAwaited(job: ChannelJob | undefined, row: Pick<Channel, 'test_time' | 'status'>): boolean {
  if (job?.running !== true || row.test_time >= job.started_time) return false
  const scope = SCOPES[job.scope]
  return scope === undefined || scope.some((status) => status === row.status)
}

/** Channels that a test looks at, by its scope; of any other it is all. */
const SCOPES: Readonly<Record<string, readonly number[] | undefined>> = {
  enabled: [CHANNEL_STATUS.enabled],
  disabled: [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled],
  recovery: [CHANNEL_STATUS.autoDisabled],
}

/**
 * Whether a run is worth a line above the list: it goes on, or it has ended since the page was opened (`since`, unix seconds)
 * and somebody waits for it. Nobody waits for the schedule's.
 */
export function isShown(job: ChannelJob, since: number): boolean {
  return job.running || (job.started_time > since && !job.scheduled)
}

/** Whether channels may have changed since the last look: a short run may begin and end between two of them. */
export function hasMoved(before: ChannelJob | undefined, now: ChannelJob): boolean {
  return now.running || (before !== undefined && (before.running || before.started_time !== now.started_time))
}

/** From 0 to 1; nothing to do is done. */
export function shareDone({ done, total, running }: ChannelJob): number {
  if (total === 0) return running ? 0 : 1
  return Math.min(1, done / total)
}
