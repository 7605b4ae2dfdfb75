import { randomUUID } from 'node:crypto'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import { systemTimers, type Timers } from '@sluice/ledger/timers'
import { createPriceOverrides } from '@sluice/providers/prices/price-overrides'
import type { CalledLane } from '@sluice/routing/called-lane'
import type { Health } from '@sluice/routing/health'
import { createRetryBudgets } from '@sluice/routing/retry-budget'
import type { Database } from '@sluice/store/database'
import { openOwnKey as readOwnKey } from '@sluice/store/own-key-seal'
import { type ChannelSnapshot, loadChannels } from '@sluice/store/snapshots/channels'
import { findTokenByKeyHash, type TokenSnapshot } from '@sluice/store/snapshots/tokens'
import type { Vault } from '@sluice/store/vault'
import type { AcceptedOnSocket } from '../edge/exchange.ts'
import type { Log } from '../logger.ts'
import { createAddressGuard, type PrivatePolicy } from '../outbound/address-guard.ts'
import { openGuardedAgent, type StageTimeouts } from '../outbound/guarded-agent.ts'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { type BackgroundResponses, createBackgroundResponses } from './background/background-responses.ts'
import { createBackgroundRuns } from './background/background-runs.ts'
import { authenticateKey } from './caller/authenticate.ts'
import { countRequest } from './caller/limits/admit.ts'
import type { CallerLimits } from './caller/limits/caller-limits.ts'
import { createFairQueue, type FairQueue } from './caller/limits/fair-queue.ts'
import { limitAddress } from './caller/limits/limit.ts'
import type { OpenOwnKey } from './caller/own-keys.ts'
import { createTokenDirectory } from './caller/token-directory.ts'
import type { Tokenizer } from './charge/tokenizer/tokenizer.ts'
import type { StreamTimes } from './client/client-stream.ts'
import { createPulse } from './client/pulse.ts'
import { UnseenOutput } from './delivery/unseen-output.ts'
import type { RelayLedger } from './guard/guarded-ledger.ts'
import type { LoopDeps } from './guard/paused.ts'
import { createInFlight, type InFlight } from './in-flight/in-flight.ts'
import { createRawChannels } from './raw-proxy/raw-channels.ts'
import type { RecordDeps } from './record/record.ts'
import type { RelayOptions } from './relay-options.ts'
import { createRelay } from './relay.ts'
import { explain, type Explanation, type NamedLane, namedLanes, type ThoughtOfRequest } from './routing/explain.ts'
import type { PlanDeps } from './routing/plan.ts'
import { createRoutingTable } from './routing/routing-table.ts'
import type { Identity } from './stages/identity.ts'
import type { ResponseCache } from './stored/cached-responses.ts'
import { createStoredResponses, type StoredResponses } from './stored/stored-responses.ts'
import { createSummaries } from './stored/summaries.ts'
import type { RetryTimes } from './upstream/attempts.ts'
import { createChannelTest, type TestChannel, type ChannelTestResult } from './upstream/channel-test.ts'
import { createDraftTest, type DraftChannel } from './upstream/draft-test.ts'
import { UpstreamSockets } from './upstream/sockets/upstream-sockets.ts'
import { createUpstreamTokens } from './upstream/upstream-tokens.ts'

/** The paid path and the channel test, on one set of connections. */
export interface Relay {
  /** One request, from its socket to its charge. */
  readonly handle: (accepted: AcceptedOnSocket) => Promise<void>
  /** Requests under way and waiting. */
  readonly slots: Pick<FairQueue, 'running' | 'waiting'>
  /** The holder of the key in a request that only looks something up. */
  readonly holderOfKey: (
    caller: Pick<AcceptedOnSocket, 'headers' | 'client' | 'path' | 'query'>,
  ) => Promise<Identity | Refusal>
  /** The calls that run now. */
  readonly inFlight: Pick<InFlight, 'list' | 'stop'>
  readonly testChannel: TestChannel
  /** The route of a request without sending it. */
  readonly explain: (request: ThoughtOfRequest) => Explanation
  readonly lanes: () => readonly NamedLane[]
  /** The same through a channel that is not stored. */
  readonly testDraft: (draft: DraftChannel, model: string | null, signal: AbortSignal) => Promise<ChannelTestResult>
  close(): Promise<void>
}

export interface RelayConfig extends StageTimeouts, StreamTimes, RetryTimes {
  readonly answerLimit: number
  readonly upstreamConnections: number
  readonly upstreamPrivate: PrivatePolicy
  readonly callerKeyOrigins: readonly string[]
  readonly relayRateLimit: number
  readonly maxRequests: number
  readonly queueTimeoutMs: number
}

/** What the relay reads and writes besides the ledger. */
export interface RelayRows {
  /** By the SHA-256 of the key, in hex. */
  findToken(keyHash: string): Promise<TokenSnapshot | undefined>
  loadChannels(): Promise<readonly ChannelSnapshot[]>
  readonly storedResponses: StoredResponses
  readonly backgroundResponses: BackgroundResponses
}

export function createRelayRows({ kysely }: Pick<Database, 'kysely'>, now: () => number): RelayRows {
  return {
    findToken: (keyHash) => findTokenByKeyHash(kysely, keyHash),
    loadChannels: () => loadChannels(kysely),
    storedResponses: createStoredResponses({ kysely }, now),
    backgroundResponses: createBackgroundResponses({ kysely }, now),
  }
}

export interface RelayParts {
  readonly rows: RelayRows
  readonly vault: Vault
  readonly ledger: RelayLedger
  readonly loops: LoopDeps['loops']
  readonly versions: Pick<VersionWatch, 'onChange'>
  /** The settings as they are now. */
  readonly options: () => RelayOptions
  readonly config: RelayConfig
  /** Unix milliseconds. */
  readonly now: () => number
  /** For addresses that are not a provider's own: where tokens are issued. */
  readonly fetchGuarded: FetchGuarded
  /** 0 to 1. */
  readonly random: () => number
  /** 32 hex characters. */
  readonly newId: () => string
  readonly log: Log
  readonly health: Health
  readonly cachedResponses: ResponseCache
  readonly callerLimits: CallerLimits
  readonly tokenizer: Pick<Tokenizer, 'count'>
  /** Called after every call to a provider; must return at once. */
  readonly onCalled: (called: CalledLane) => void
  /** Called when a model without a price is requested; must return at once. */
  readonly onUnpriced: PlanDeps['onUnpriced']
  /** Called for every charge; must return at once. */
  readonly onCharged: RecordDeps['onCharged']
  /** Called with what a charge had no price for; must return at once. */
  readonly onUncharged: RecordDeps['onUncharged']
  readonly onFinished: RecordDeps['onFinished']
  readonly onRefused: RecordDeps['onRefused']
  readonly onTokenRefused: RecordDeps['onTokenRefused']
}

/** Models for which a budget of further tries is kept. */
const BUDGETED_MODELS = 1_000
/** Silences are measured in beats of at most this length. */
const LONGEST_BEAT_MS = 1_000

/** Loads the channels, keeps the caches in step with the database, and opens the relay. */
export async function openRelay(parts: RelayParts): Promise<Relay> {
  const { rows, vault, ledger, versions, options, config, now, random, log } = parts
  const openOwnKey: OpenOwnKey = (place, sealed) => readOwnKey(vault, place, sealed)
  const tokens = createTokenDirectory({
    find: (keyHash) => rows.findToken(keyHash),
    openOwnKey,
    onError: (error) => log.error({ error }, 'a token could not be looked up'),
  })
  const openKey = (sealed: string) => {
    const opened = vault.open('channel_key', sealed)
    return opened.ok ? opened.text : undefined
  }
  const overrides = createPriceOverrides(
    () => options().PriceOverrides,
    (problem) => log.warn({ problem }, 'the price overrides are left out'),
  )
  const loadRouting = async () => {
    const channels = await rows.loadChannels()
    const raw = createRawChannels(channels, openKey, overrides)
    const { table, problems } = createRoutingTable(channels, openKey, overrides, config.callerKeyOrigins)
    const unusable = problems.filter(({ channel }) => raw.find(channel) === undefined)
    for (const problem of [...unusable, ...raw.problems]) log.warn(problem, 'a channel cannot be used')
    return { table, raw }
  }
  let routing = await loadRouting()
  const forgetTokens = async () => tokens.clear()
  const subscriptions = [
    versions.onChange('tokens', forgetTokens),
    versions.onChange('users', forgetTokens),
    versions.onChange('channels', async () => void (routing = await loadRouting())),
  ]

  const guard = createAddressGuard(config.upstreamPrivate)
  const upstreams = openGuardedAgent(guard, config, config.upstreamConnections)
  const unseen = new UnseenOutput()
  const steady = () => performance.now()
  const upstreamSockets = new UpstreamSockets({ guard, times: config, steady })
  const after: Timers['after'] = (ms, task) => systemTimers.after(ms, task)
  const queue = createFairQueue({
    slots: config.maxRequests,
    mostWaiting: config.maxRequests,
    patienceMs: config.queueTimeoutMs,
    now: steady,
    after,
  })
  const { callerLimits } = parts
  const counted = { limits: callerLimits.limits, relayRateLimit: config.relayRateLimit, options, now }
  const upstreamTokens = createUpstreamTokens({ fetch: parts.fetchGuarded, now, nonce: randomUUID })
  const { answerLimit } = config
  const shared = { upstreams, upstreamTokens, now, steady, routing: () => routing.table, times: config, answerLimit }
  const { backgroundResponses } = rows
  const every: Timers['every'] = (ms, task) => systemTimers.every(ms, task)
  const backgroundRuns = createBackgroundRuns({ backgroundResponses, every, log })
  const chosenBy = { health: parts.health, options, random, onUnpriced: parts.onUnpriced }
  const inFlight = createInFlight()
  const handle = createRelay({
    inFlight,
    loops: parts.loops,
    ...shared,
    ...chosenBy,
    ledger,
    after,
    log,
    onCalled: parts.onCalled,
    retryBudgets: createRetryBudgets(BUDGETED_MODELS),
    storedResponses: rows.storedResponses,
    backgroundResponses,
    backgroundRuns,
    vault,
    cachedResponses: parts.cachedResponses,
    summaries: createSummaries(vault),
    unseen,
    onCharged: parts.onCharged,
    onUncharged: parts.onUncharged,
    onFinished: parts.onFinished,
    onRefused: parts.onRefused,
    onTokenRefused: parts.onTokenRefused,
    rawChannels: () => routing.raw,
    guard,
    upstreamSockets,
    newId: parts.newId,
    tokens,
    tokenizer: parts.tokenizer,
    ...counted,
    ...callerLimits,
    queue,
    pulse: createPulse(Math.min(LONGEST_BEAT_MS, config.keepAliveMs / 2), steady),
    onError: (error, requestId) => log.error({ error, requestId }, 'the hold of a stream could not be kept up'),
  })
  return {
    handle,
    slots: queue,
    inFlight,
    holderOfKey: async (caller) => {
      const limited = await limitAddress({ ...callerLimits, options }, caller)
      if (limited !== undefined) return limited
      const identity = await authenticateKey({ tokens, ledger, options, now }, caller, 'look')
      return isRefusal(identity) ? identity : ((await countRequest(counted, identity, undefined)) ?? identity)
    },
    explain: (request) => explain({ ...shared, ...chosenBy, openOwnKey }, request),
    lanes: () => namedLanes(routing.table, parts.health.views(now())),
    testChannel: createChannelTest(shared),
    testDraft: createDraftTest({ ...shared, callerKeyOrigins: config.callerKeyOrigins }),
    close: async () => {
      for (const end of subscriptions) end()
      backgroundRuns.close()
      upstreamSockets.close()
      await upstreams.destroy()
    },
  }
}
