import { type ChannelJob, type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import {
  stopChannelBalance,
  stopChannelTest,
  testAllChannels,
  updateAllBalances,
} from '@sluice/contract/routes/channels'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { balanceJobQuery, testJobQuery } from '~/features/channels/calls.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useChange } from '~/ui/use-change.ts'

export type JobKind = 'test' | 'balance'

export interface ChannelJobs {
  readonly test: ChannelJob | undefined
  readonly balance: ChannelJob | undefined
  readonly starting: JobKind | undefined
  readonly startTest: (scope: 'all' | 'disabled') => Promise<void>
  readonly startBalances: () => Promise<void>
  /** Running jobs, and those that ended after the page was opened and were not dismissed. */
  readonly shown: readonly { readonly kind: JobKind; readonly job: ChannelJob }[]
  readonly dismiss: (kind: JobKind) => void
  /** Ends a run early, whichever replica runs it. */
  readonly stop: (kind: JobKind) => Promise<void>
}

/** Includes runs that another user started or that began before a reload. */
export function useChannelJobs(): ChannelJobs {
  const t = useTexts(channelTexts)
  const call = useCall()
  /**
   * Start of the newest run of each kind that is no longer shown: it ended before the page was opened, or was dismissed. Unix
   * seconds.
   */
  const [old, setOld] = useState<Readonly<Partial<Record<JobKind, number>>>>({})

  const test = useJob('test')
  const balance = useJob('balance')
  const testing = useChange({
    send: (scope: 'all' | 'disabled') => call(testAllChannels, { query: { scope } }),
    failed: t.bulkFailed,
    done: () => ({ tone: 'info', title: t.bulkStarted }),
    stale: [['channel-jobs', 'test']],
  })
  const askingBalances = useChange({
    send: () => call(updateAllBalances, {}),
    failed: t.balancesFailed,
    stale: [['channel-jobs', 'balance']],
  })
  const stopping = useChange({
    send: (kind: JobKind) => call(kind === 'test' ? stopChannelTest : stopChannelBalance, {}),
    failed: t.jobNotStopped,
    stale: [['channel-jobs']],
  })
  const known = [
    { kind: 'test', job: test },
    { kind: 'balance', job: balance },
  ] as const
  for (const { kind, job } of known) {
    if (job !== undefined && old[kind] === undefined) setOld({ ...old, [kind]: job.running ? 0 : job.started_time })
  }
  return {
    test,
    balance,
    starting: testing.busy ? 'test' : askingBalances.busy ? 'balance' : undefined,
    startTest: testing.run,
    startBalances: askingBalances.run,
    shown: known.flatMap(({ kind, job }) =>
      job !== undefined && isShown(job, old[kind] ?? Infinity) ? [{ kind, job }] : [],
    ),
    dismiss: (kind) => {
      const job = kind === 'test' ? test : balance
      setOld((before) => ({ ...before, [kind]: job?.started_time ?? 0 }))
    },
    stop: stopping.run,
  }
}

/** While the job runs, the channel lists are refetched along with it. */
function useJob(kind: JobKind): ChannelJob | undefined {
  const call = useCall()
  const cache = useQueryClient()
  const { queryFn, ...spec } = kind === 'test' ? testJobQuery(call) : balanceJobQuery(call)
  return useQuery({
    ...spec,
    queryFn: async (context) => {
      const before = cache.getQueryData<ChannelJob>(spec.queryKey)
      const job = await queryFn(context)
      if (hasMoved(before, job)) void cache.invalidateQueries({ queryKey: ['channels'] })
      return job
    },
    refetchInterval: ({ state }) => pauseBetweenLooks(state.data),
  }).data
}

/** Pause between two polls of a job that runs in the gateway, in milliseconds. */
const LOOK_MS = 1_500

/** `false` while no job runs. */
export function pauseBetweenLooks(job: ChannelJob | undefined): number | false {
  return job?.running === true ? LOOK_MS : false
}

/**
 * Whether the channel's result from a running test is pending. Compares only times of the gateway, so that a page loaded during a
 * run agrees.
 */
export function isAwaited(job: ChannelJob | undefined, row: Pick<Channel, 'test_time' | 'status'>): boolean {
  if (job?.running !== true || row.test_time >= job.started_time) return false
  const scope = SCOPES[job.scope]
  return scope === undefined || scope.some((status) => status === row.status)
}

/** Channel statuses that a test covers, by its scope; any other scope covers all channels. */
const SCOPES: Readonly<Record<string, readonly number[] | undefined>> = {
  enabled: [CHANNEL_STATUS.enabled],
  disabled: [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled],
  recovery: [CHANNEL_STATUS.autoDisabled],
}

/**
 * Whether to show a run above the list: it is in progress, or it ended after the page was opened (`since`, unix seconds) and was
 * not started by a schedule.
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
