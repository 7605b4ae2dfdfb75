import type { ChannelJob } from '@sluice/contract/channel'
import {
  stopChannelBalance,
  stopChannelTest,
  testAllChannels,
  updateAllBalances,
} from '@sluice/contract/routes/channels'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { balanceJobQuery, testJobQuery } from '~/features/channels/calls.ts'
import { hasMoved, isShown, pauseBetweenLooks } from '~/features/channels/model/channel-jobs.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useTellFailure } from '~/ui/toast/use-tell-failure.ts'

export type JobKind = 'test' | 'balance'

/** Jobs on many channels that run in the gateway, as this page follows them. */
export interface ChannelJobs {
  /** Undefined while unknown. */
  readonly test: ChannelJob | undefined
  readonly balance: ChannelJob | undefined
  readonly starting: JobKind | undefined
  readonly startTest: (scope: 'all' | 'disabled') => Promise<void>
  readonly startBalances: () => Promise<void>
  /** What the list shows above it: running jobs, and those that have ended since the page was opened and were not dismissed. */
  readonly shown: readonly { readonly kind: JobKind; readonly job: ChannelJob }[]
  readonly dismiss: (kind: JobKind) => void
  /** Ends a run early, whichever replica runs it. */
  readonly stop: (kind: JobKind) => Promise<void>
}

/** Follows the gateway's jobs on all pages of the list, including runs that another user started or that began before a reload. */
export function useChannelJobs(): ChannelJobs {
  const t = useTexts(channelTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const tell = useTellFailure()
  const [starting, setStarting] = useState<JobKind>()
  /**
   * Start of the newest run of each kind that is not news: it ended before this page was opened, or was dismissed. Unix seconds.
   */
  const [old, setOld] = useState<Readonly<Partial<Record<JobKind, number>>>>({})

  const test = useJob('test')
  const balance = useJob('balance')
  const follow = async (kind: JobKind) => {
    await cache.invalidateQueries({ queryKey: ['channel-jobs', kind] })
  }
  const startTest = async (scope: 'all' | 'disabled') => {
    setStarting('test')
    const reply = await call(testAllChannels, { query: { scope } })
    setStarting(undefined)
    if (reply.ok) toasts.show({ tone: 'info', title: t.bulkStarted })
    else tell(t.bulkFailed, reply)
    await follow('test')
  }
  const startBalances = async () => {
    setStarting('balance')
    const reply = await call(updateAllBalances, {})
    setStarting(undefined)
    if (!reply.ok) tell(t.balancesFailed, reply)
    await follow('balance')
  }
  const stop = async (kind: JobKind) => {
    const reply = await call(kind === 'test' ? stopChannelTest : stopChannelBalance, {})
    if (!reply.ok) tell(t.jobNotStopped, reply)
    await follow(kind)
  }
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
    starting,
    startTest,
    startBalances,
    shown: known.flatMap(({ kind, job }) =>
      job !== undefined && isShown(job, old[kind] ?? Infinity) ? [{ kind, job }] : [],
    ),
    dismiss: (kind) => {
      const job = kind === 'test' ? test : balance
      setOld((before) => ({ ...before, [kind]: job?.started_time ?? 0 }))
    },
    stop,
  }
}

/** One job; while it runs, the lists of channels are refetched with it. */
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
