import { systemTimers } from '@sluice/ledger/timers'
import { addToPause, readPause, sweepPauses } from '@sluice/store/queries/token-pauses'
import { type ChannelSwitch, openChannelSwitch } from '../channel-switch/channel-switch.ts'
import { newRequestId } from '../edge/request-id.ts'
import { openChannelSchedule } from '../jobs/channel-schedule.ts'
import { openGiftPayments } from '../management/account/gifts.ts'
import { createChannelKinds } from '../management/channel-kinds.ts'
import { type ChannelBalances, createChannelBalances } from '../management/channels/jobs/channel-balance.ts'
import { type ChannelTests, createChannelTests } from '../management/channels/jobs/channel-test.ts'
import { type CallerLimits, createCallerLimits } from '../relay/caller/limits/caller-limits.ts'
import { openTokenizer, type Tokenizer } from '../relay/charge/tokenizer/tokenizer.ts'
import { createGuardedLedger, type RelayLedger } from '../relay/guard/guarded-ledger.ts'
import { createTokenGuard, type TokenGuard } from '../relay/guard/token-guard.ts'
import { openRelay, type Relay } from '../relay/open-relay.ts'
import { createRelayRows, type RelayParts, type RelayRows } from '../relay/relay-parts.ts'
import { type CachedResponses, createCachedResponses } from '../relay/stored/cached-responses.ts'
import type { TestChannel } from '../relay/upstream/channel-test.ts'
import { createLatestRefusals, type LatestRefusals } from '../tokens/refusals.ts'
import { createEndingModelWatch } from './ending-models.ts'
import type { Data, Start } from './open-data.ts'
import type { Upkeep } from './open-upkeep.ts'

/** Everything that calls providers: the relay, and the jobs over all channels. */
export interface Traffic {
  readonly relay: Relay
  readonly rows: RelayRows
  readonly cachedResponses: CachedResponses
  readonly callerLimits: CallerLimits
  readonly guard: TokenGuard
  readonly guardedLedger: RelayLedger
  readonly tokenizer: Tokenizer
  readonly reports: RelayReports
  readonly background: Background
  readonly kinds: ReturnType<typeof createChannelKinds>
  readonly channelTests: ChannelTests
  readonly channelBalances: ChannelBalances
  readonly latestRefusals: LatestRefusals
}

/** How long a cached response can outlive its expiry. */
const SWEEP_MS = 60_000
/** Interval between removals of old session costs, and how long these are kept after the last charge. */
const FORGET_MS = 3_600_000
const PAUSE_LIFE_MS = 2_592_000_000

export type RelayReports = Pick<
  RelayParts,
  'onFinished' | 'onRefused' | 'onTokenRefused' | 'onCalled' | 'onUnpriced' | 'onCharged' | 'onUncharged'
>

/** Third stage. */
export async function openTraffic(start: Start, data: Data, upkeep: Upkeep): Promise<Traffic> {
  const { config, log, opening } = start
  const { places, database, vault, ledger, options, now, sharing } = data
  const { health, versions } = sharing
  const channelSwitch = openChannelSwitch(channelParts(start, data, upkeep))
  opening.defer(() => channelSwitch.close())
  const rows = createRelayRows(database, now)
  const cachedResponses = createCachedResponses(now)
  const stopSweeping = systemTimers.every(SWEEP_MS, () => cachedResponses.sweep())
  opening.defer(() => stopSweeping())
  const tokenizer = openTokenizer()
  opening.defer(() => tokenizer.close())
  const callerLimits = createCallerLimits(sharing.limits, () => 1 / sharing.replicas.count(), now)
  const latestRefusals = createLatestRefusals(now)
  const reports = reportsOf(data, upkeep, channelSwitch, latestRefusals)
  const guard = openTokenGuard(start, data)
  const guardedLedger = createGuardedLedger(ledger, guard)
  const relay = await openRelay({
    vault,
    options,
    log,
    now,
    random: Math.random,
    ledger: guardedLedger,
    loops: guard,
    ...reports,
    rows,
    cachedResponses,
    health,
    callerLimits,
    tokenizer,
    newId: newRequestId,
    fetchGuarded: upkeep.fetchGuarded,
    versions,
    config: { ...config, maxRequests: places.requests },
  })
  opening.defer(() => relay.close())
  const background = openBackground((error) => log.error({ error }, 'a background task failed'))
  opening.defer(() => background.close())
  const kinds = createChannelKinds(now, () => options().PriceOverrides)
  const jobs = openChannelJobs(start, data, upkeep, { relay, background, kinds })
  return {
    relay,
    rows,
    cachedResponses,
    callerLimits,
    guard,
    guardedLedger,
    tokenizer,
    reports,
    latestRefusals,
    background,
    kinds,
    ...jobs,
  }
}

function channelParts({ log }: Start, data: Data, { messages }: Upkeep) {
  const { database, vault, options, now, sharing } = data
  return {
    database,
    vault,
    options,
    log,
    now,
    random: Math.random,
    versions: sharing.versions,
    notify: messages.notify,
    forget: (channel: number): void => sharing.health.forget(channel),
    timers: systemTimers,
  }
}

function openChannelJobs(
  start: Start,
  data: Data,
  upkeep: Upkeep,
  { relay, background, kinds }: Pick<Traffic, 'relay' | 'background' | 'kinds'>,
): Pick<Traffic, 'channelTests' | 'channelBalances'> {
  const jobs = {
    ...channelParts(start, data, upkeep),
    kinds,
    replica: data.replica,
    inBackground: background.run,
    testChannel: testOf(relay, data, upkeep),
  }
  const channelTests = createChannelTests(jobs)
  const channelBalances = createChannelBalances({ ...jobs, fetchGuarded: upkeep.fetchGuarded })
  openSchedules(start, data, channelTests, channelBalances)
  return { channelTests, channelBalances }
}

function reportsOf(
  { sharing, now }: Data,
  { alarms, history, telemetry }: Upkeep,
  channelSwitch: ChannelSwitch,
  latestRefusals: LatestRefusals,
): RelayReports {
  return {
    onFinished: telemetry.onFinished,
    onRefused: telemetry.onRefused,
    onTokenRefused: (refusal) => latestRefusals.note(refusal),
    onCalled: (call) => {
      telemetry.onCalled(call)
      history.count({ channel: call.channel, cause: call.cause, ended: call.started + call.elapsedMs })
      // Each replica makes its own guesses, so they are not shared.
      if (call.cooldown !== undefined && call.cooldown.isGuess !== true) sharing.reportCooldown(call.cooldown)
      channelSwitch.onCalled(call)
    },
    onUnpriced: ({ channel, model }) => alarms.raise({ kind: 'unpriced_model', subject: model, channelId: channel }),
    onCharged: createEndingModelWatch((event) => alarms.raise(event), now),
    onUncharged: ({ channel, model, unit }) =>
      alarms.raise({ kind: 'unpriced_unit', subject: `${model}: ${unit}`, channelId: channel }),
  }
}

function openTokenGuard({ log, opening }: Start, { database, sharing, now }: Data): TokenGuard {
  const guard = createTokenGuard({
    read: (key) => readPause(database.kysely, key),
    add: (change) => addToPause(database.kysely, change, now()),
    replicas: () => sharing.replicas.count(),
    now,
    after: (ms, task) => systemTimers.after(ms, task),
    onError: (error) => log.error({ error }, 'the costs of sessions could not be read or written'),
  })
  opening.defer(() => guard.close())
  const stopForgetting = systemTimers.every(FORGET_MS, () => {
    sweepPauses(database.kysely, now() - PAUSE_LIFE_MS).catch((error: unknown) => {
      log.error({ error }, 'old sums of sessions could not be removed')
    })
  })
  opening.defer(() => stopForgetting())
  return guard
}

/** Tests a single channel, for the jobs over all channels. */
function testOf(relay: Relay, { now }: Data, { history }: Upkeep): TestChannel {
  return async (channel, model, signal, key) => {
    const result = await relay.testChannel(channel, model, signal, key)
    const cause = result.ok ? 'answered' : (result.cause ?? 'provider')
    // A test of one key among several says little about the channel.
    if (key === undefined) history.count({ channel, cause, ended: now() })
    return result
  }
}

function openSchedules(
  { log, opening }: Start,
  { database, ledger, options, now }: Data,
  tests: ChannelTests,
  balances: ChannelBalances,
): void {
  const channelSchedule = openChannelSchedule({
    options,
    tests,
    balances,
    timers: systemTimers,
    now,
    log,
  })
  opening.defer(() => channelSchedule.close())
  const giftPayments = openGiftPayments({
    database,
    ledger,
    now,
    timers: systemTimers,
    onError: (error) => log.error({ error }, 'gifts could not be paid; they will be retried'),
  })
  opening.defer(() => giftPayments.close())
}

export interface Background {
  readonly run: (work: (signal: AbortSignal) => Promise<void>) => void
  /** Asks running work to stop and waits for it. */
  close(): Promise<void>
}

function openBackground(onError: (error: unknown) => void): Background {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    run: (work) => {
      const task: Promise<void> = work(stop.signal)
        .catch(onError)
        .finally(() => running.delete(task))
      running.add(task)
    },
    close: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}
