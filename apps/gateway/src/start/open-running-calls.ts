import { setTimeout as delay } from 'node:timers/promises'
import { openSharedRunning } from '@sluice/coordination/sharing/running-calls'
import { systemTimers } from '@sluice/ledger/timers'
import { RUNNING_MOST, type RunningCall, type RunningCalls } from '@sluice/observe/running-call'
import type { Data, Start } from './open-data.ts'
import type { Traffic } from './open-traffic.ts'

export function openRunningCalls(
  { log, opening }: Start,
  { database, replica, sharing }: Data,
  { relay: { inFlight } }: Traffic,
): RunningCalls {
  const shared = openSharedRunning<RunningCall>({
    database,
    replica,
    replicas: () => sharing.replicas.count(),
    list: async () => inFlight.list(undefined, RUNNING_MOST),
    stop: async (id, userId) => inFlight.stop(id, userId),
    read: readCall,
    every: (ms, task) => systemTimers.every(ms, task),
    pause: (ms) => delay(ms),
    onError: (error) => log.error({ error }, 'the running calls of the replicas could not be shared'),
  })
  opening.defer(() => shared.close())
  return {
    list: async (userId) => {
      const others = await shared.others()
      const own = others.filter((call) => userId === undefined || call.userId === userId)
      return [...inFlight.list(userId, RUNNING_MOST), ...own]
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, RUNNING_MOST)
    },
    stop: async (id, userId) => inFlight.stop(id, userId) || (await shared.stopElsewhere(id, userId)),
  }
}

/** Reads a call from another replica, which may run another version. */
function readCall(value: unknown): RunningCall | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const isWhole = Object.entries(SAMPLE).every(([name, like]) => typeof Reflect.get(value, name) === typeof like)
  return isWhole ? (value as RunningCall) : undefined
}

const SAMPLE: RunningCall = {
  id: '',
  userId: 0,
  username: '',
  tokenName: '',
  model: '',
  channel: 0,
  channelName: '',
  stage: 'waiting',
  isStream: false,
  started: 0,
  tokens: 0,
  amount: 0,
  session: '',
}
