import { randomUUID } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import { createMemoryLimits, type Limits } from '@sluice/coordination/limits'
import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import type { Ledger } from '@sluice/ledger/ledger'
import { systemTimers, type Timers } from '@sluice/ledger/timers'
import type { CalledLane } from '@sluice/routing/called-lane'
import type { Health } from '@sluice/routing/health'
import { createRetryBudgets } from '@sluice/routing/retry-budget'
import type { Database } from '@sluice/store/database'
import { loadChannels } from '@sluice/store/snapshots/channels'
import { findTokenByKeyHash } from '@sluice/store/snapshots/tokens'
import type { Vault } from '@sluice/store/vault'
import type { Accepted } from '../edge/exchange.ts'
import { addressGuard, type PrivatePolicy } from '../outbound/address-guard.ts'
import { guardedAgent, type StageTimeouts } from '../outbound/guarded-agent.ts'
import type { FetchOutside } from '../outbound/outside.ts'
import { authenticateKey, type Identity } from './authenticate.ts'
import type { StreamTimes } from './client-stream.ts'
import type { RetryTimes } from './dispatch.ts'
import { explain, type Explanation, type NamedLane, namedLanes, type ThoughtOfRequest } from './explain.ts'
import { openKeptResponses } from './kept/kept-responses.ts'
import { openRememberedResponses } from './kept/remembered-responses.ts'
import { limitAddress } from './limit.ts'
import { countRequest } from './limits/admit.ts'
import { createFairQueue, type FairQueue } from './limits/fair-queue.ts'
import { createOpenCalls } from './limits/open-calls.ts'
import type { PlanDeps } from './plan.ts'
import { createDraftProbe, type DraftChannel } from './probe-draft.ts'
import { createProbe, type Probe, type ProbeResult } from './probe.ts'
import { createPulse } from './pulse.ts'
import { rawChannels } from './raw-proxy/raw-channels.ts'
import type { RecordDeps, RelayLog } from './record.ts'
import type { RelayOptions } from './relay-options.ts'
import { createRelay } from './relay.ts'
import { buildRoutingTable } from './routing-table.ts'
import { tokenDirectory } from './token-directory.ts'
import { createTokenizer } from './tokenizer/tokenizer.ts'
import { UnseenOutput } from './unseen-output.ts'
import { openUpstreamTokens } from './upstream-tokens.ts'

/** The paid path and the channel test, on one set of connections. */
export interface Relay {
  /** One request, from its socket to its charge. */
  readonly handle: (accepted: Accepted) => Promise<void>
  /** Requests under way and waiting. */
  readonly places: Pick<FairQueue, 'running' | 'waiting'>
  /** Whose key a request carries that only looks at what there is. */
  readonly holderOfKey: (caller: Pick<Accepted, 'headers' | 'client'>) => Promise<Identity | Refusal>
  readonly probe: Probe
  /** The way of a request that nobody has sent. */
  readonly explain: (request: ThoughtOfRequest) => Explanation
  /** How the ways to providers stand. */
  readonly lanes: () => readonly NamedLane[]
  /** The same through a channel that is stored nowhere. */
  readonly probeDraft: (draft: DraftChannel, model: string | null, signal: AbortSignal) => Promise<ProbeResult>
  close(): Promise<void>
}

export interface RelayConfig extends StageTimeouts, StreamTimes, RetryTimes {
  readonly answerLimit: number
  readonly upstreamConnections: number
  readonly upstreamPrivate: PrivatePolicy
  readonly relayRateLimit: number
  readonly maxRequests: number
  readonly queueTimeoutMs: number
}

export interface RelayParts {
  readonly database: Database
  readonly vault: Vault
  readonly ledger: Ledger
  readonly versions: Pick<VersionWatch, 'onChange'>
  /** The settings as they are now. */
  readonly options: () => RelayOptions
  readonly config: RelayConfig
  /** Unix milliseconds. */
  readonly now: () => number
  /** For addresses that are no provider's: where tokens are given out. */
  readonly fetchOutside: FetchOutside
  /** 0 to 1. */
  readonly random: () => number
  /** 32 hex characters. */
  readonly newId: () => string
  readonly log: RelayLog
  readonly health: Health
  readonly limits: Limits
  /** The part of each limit that is this process's own: 1 alone, 1/3 among three. */
  readonly shareOf: () => number
  /** Told of every call to a provider that is over; must return at once. */
  readonly onCalled: (called: CalledLane) => void
  /** Told when a model without a price is asked for; must return at once. */
  readonly onUnpriced: PlanDeps['onUnpriced']
  /** Told of every charge; must return at once. */
  readonly onCharged: RecordDeps['onCharged']
  /** Told what a charge had no price for; must return at once. */
  readonly onUncharged: RecordDeps['onUncharged']
  readonly onFinished: RecordDeps['onFinished']
  readonly onRefused: RecordDeps['onRefused']
}

/** Tokens of channels with a limit, and addresses, at the same time. */
const LIMITED_KEYS = 100_000
/** Models that keep a budget of further tries. */
const BUDGETED_MODELS = 1_000
/** Silences are measured in beats of at most this length. */
const LONGEST_BEAT_MS = 1_000
/** How long a remembered response may outlive its time. */
const SWEEP_MS = 60_000

/** Loads the channels, keeps what is cached in step with the database, and opens the relay. */
export async function openRelay(parts: RelayParts): Promise<Relay> {
  const { database, vault, ledger, versions, options, config, now, random, log } = parts
  const tokens = tokenDirectory({
    find: (digest) => findTokenByKeyHash(database.kysely, digest),
    onError: (error) => log.error({ error }, 'a token could not be looked up'),
  })
  const openKey = (sealed: string) => {
    const opened = vault.open('channel_key', sealed)
    return opened.ok ? opened.text : undefined
  }
  const loadRouting = async () => {
    const channels = await loadChannels(database.kysely)
    const raw = rawChannels(channels, openKey)
    const { table, problems } = buildRoutingTable(channels, openKey)
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

  const guard = addressGuard(config.upstreamPrivate)
  const upstreams = guardedAgent(guard, config, config.upstreamConnections)
  const tokenizer = createTokenizer()
  const own = { capacity: LIMITED_KEYS, now, shareOf: parts.shareOf }
  const addressLimits = createMemoryLimits(own)
  const steady = () => performance.now()
  const after: Timers['after'] = (ms, task) => systemTimers.after(ms, task)
  const queue = createFairQueue({
    places: config.maxRequests,
    mostWaiting: config.maxRequests,
    patienceMs: config.queueTimeoutMs,
    now: steady,
    after,
  })
  const counted = { limits: parts.limits, relayRateLimit: config.relayRateLimit, options, now }
  const upstreamTokens = openUpstreamTokens({ fetch: parts.fetchOutside, now, nonce: randomUUID })
  const remembered = openRememberedResponses(now)
  const sweeping = setInterval(() => remembered.sweep(), SWEEP_MS).unref()
  const { answerLimit } = config
  const shared = { upstreams, upstreamTokens, now, steady, routing: () => routing.table, times: config, answerLimit }
  const chosenBy = { health: parts.health, options, random, onUnpriced: parts.onUnpriced }
  const handle = createRelay({
    ...shared,
    ...chosenBy,
    ledger,
    after,
    log,
    onCalled: parts.onCalled,
    retryBudgets: createRetryBudgets(BUDGETED_MODELS),
    kept: openKeptResponses(database, now),
    remembered,
    unseen: new UnseenOutput(),
    onCharged: parts.onCharged,
    onUncharged: parts.onUncharged,
    onFinished: parts.onFinished,
    onRefused: parts.onRefused,
    rawChannels: () => routing.raw,
    guard,
    newId: parts.newId,
    tokens,
    tokenizer,
    ...counted,
    shareOf: parts.shareOf,
    openCalls: createOpenCalls(),
    queue,
    addressLimits,
    channelLimits: createMemoryLimits(own),
    pulse: createPulse(Math.min(LONGEST_BEAT_MS, config.keepAliveMs / 2), steady),
    onError: (error, requestId) => log.error({ error, requestId }, 'the hold of a stream could not be kept up'),
  })
  return {
    handle,
    places: queue,
    holderOfKey: async (caller) => {
      const limited = limitAddress({ addressLimits, options }, caller)
      if (limited !== undefined) return limited
      const identity = await authenticateKey({ tokens, ledger, now }, caller, 'look')
      return 'code' in identity ? identity : ((await countRequest(counted, identity, undefined)) ?? identity)
    },
    explain: (request) => explain({ ...shared, ...chosenBy }, request),
    lanes: () => namedLanes(routing.table, parts.health.views(now())),
    probe: createProbe(shared),
    probeDraft: createDraftProbe(shared),
    close: async () => {
      for (const end of subscriptions) end()
      clearInterval(sweeping)
      await Promise.all([upstreams.destroy(), tokenizer.close()])
    },
  }
}
