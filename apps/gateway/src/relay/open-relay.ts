import { randomUUID } from 'node:crypto'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { systemTimers, type Timers } from '@sluice/ledger/timers'
import { createPriceOverrides } from '@sluice/providers/prices/price-overrides'
import { openOwnKey as readOwnKey } from '@sluice/store/own-key-seal'
import type { AcceptedOnSocket } from '../edge/exchange.ts'
import { type AddressGuard, createAddressGuard } from '../outbound/address-guard.ts'
import { openGuardedAgent } from '../outbound/guarded-agent.ts'
import { createBackgroundRuns } from './background/background-runs.ts'
import { createFairQueue, type FairQueue } from './caller/limits/fair-queue.ts'
import type { OpenOwnKey } from './caller/own-keys.ts'
import { createTokenDirectory } from './caller/token-directory.ts'
import { createPulse } from './client/pulse.ts'
import { createInFlight, type InFlight } from './in-flight/in-flight.ts'
import { createRawChannels, type RawChannels } from './raw-proxy/raw-channels.ts'
import type { RelayParts } from './relay-parts.ts'
import { createRelay } from './relay.ts'
import { explain, type Explanation, type NamedLane, namedLanes, type ThoughtOfRequest } from './routing/explain.ts'
import { createRoutingTable, type RoutingTable } from './routing/routing-table.ts'
import type { Identity } from './stages/identity.ts'
import type { AskDeps } from './upstream/ask-upstream.ts'
import { createChannelTest, type TestChannel, type ChannelTestResult } from './upstream/channel-test.ts'
import { createDraftTest, type DraftChannel } from './upstream/draft-test.ts'
import { UpstreamSockets } from './upstream/sockets/upstream-sockets.ts'
import { createUpstreamTokens } from './upstream/upstream-tokens.ts'
import { wireStages } from './wire-stages.ts'

/** The paid path and the channel test, which share one set of connections. */
export interface Relay {
  readonly handle: (accepted: AcceptedOnSocket) => Promise<void>
  readonly slots: Pick<FairQueue, 'running' | 'waiting'>
  /** For a request that only looks something up. */
  readonly holderOfKey: (
    caller: Pick<AcceptedOnSocket, 'headers' | 'client' | 'path' | 'query'>,
  ) => Promise<Identity | Refusal>
  readonly inFlight: Pick<InFlight, 'list' | 'stop'>
  readonly testChannel: TestChannel
  /** The route that a request would take, without sending it. */
  readonly explain: (request: ThoughtOfRequest) => Explanation
  readonly lanes: () => readonly NamedLane[]
  /** As `testChannel`, through a channel that is not stored. */
  readonly testDraft: (draft: DraftChannel, model: string | null, signal: AbortSignal) => Promise<ChannelTestResult>
  close(): Promise<void>
}

/** Maximum length of a beat, in which silences are measured. */
const LONGEST_BEAT_MS = 1_000

/** Loads the channels, keeps the caches in step with the database, and opens the relay. */
export async function openRelay(parts: RelayParts): Promise<Relay> {
  const { rows, vault, versions, config, now, log } = parts
  const openOwnKey: OpenOwnKey = (place, sealed) => readOwnKey(vault, place, sealed)
  const tokens = createTokenDirectory({
    find: (keyHash) => rows.findToken(keyHash),
    openOwnKey,
    onError: (error) => log.error({ error }, 'a token could not be looked up'),
  })
  const loadRouting = createRoutingLoader(parts)
  let routing = await loadRouting()
  const forgetTokens = async () => tokens.clear()
  const subscriptions = [
    versions.onChange('tokens', forgetTokens),
    versions.onChange('users', forgetTokens),
    versions.onChange('channels', async () => void (routing = await loadRouting())),
  ]

  const { guard, calls, upstreamSockets, close: closeUpstreams } = openUpstreams(parts)
  const { steady } = calls
  const after: Timers['after'] = (ms, task) => systemTimers.after(ms, task)
  const queue = createFairQueue({
    slots: config.maxRequests,
    mostWaiting: config.maxRequests,
    patienceMs: config.queueTimeoutMs,
    now: steady,
    after,
  })
  const { backgroundResponses } = rows
  const every: Timers['every'] = (ms, task) => systemTimers.every(ms, task)
  const backgroundRuns = createBackgroundRuns({ backgroundResponses, every, log })
  const inFlight = createInFlight()
  const routingTable = () => routing.table
  const wired = wireStages(parts, {
    tokens,
    routing: routingTable,
    rawChannels: () => routing.raw,
    calls,
    guard,
    upstreamSockets,
    queue,
    inFlight,
    backgroundRuns,
    pulse: createPulse(Math.min(LONGEST_BEAT_MS, config.keepAliveMs / 2), steady),
    after,
  })
  return {
    handle: createRelay(wired.relay),
    slots: queue,
    inFlight,
    holderOfKey: async (caller) => {
      const limited = await wired.relay.limitAddress(caller)
      if (limited !== undefined) return limited
      const identity = await wired.authenticate(caller, 'look')
      return isRefusal(identity) ? identity : ((await wired.callerCounts.request(identity, undefined)) ?? identity)
    },
    explain: (request) => explain({ ...parts, routing: routingTable, openOwnKey }, request),
    lanes: () => namedLanes(routing.table, parts.health.views(now())),
    testChannel: createChannelTest({ ...calls, routing: routingTable }),
    testDraft: createDraftTest({ ...calls, callerKeyOrigins: config.callerKeyOrigins }),
    close: async () => {
      for (const end of subscriptions) end()
      backgroundRuns.close()
      await closeUpstreams()
    },
  }
}

interface Upstreams {
  readonly guard: AddressGuard
  readonly calls: AskDeps
  readonly upstreamSockets: UpstreamSockets
  readonly close: () => Promise<void>
}

function openUpstreams({ config, now, fetchGuarded }: RelayParts): Upstreams {
  const guard = createAddressGuard(config.upstreamPrivate)
  const upstreams = openGuardedAgent(guard, config, config.upstreamConnections)
  const steady = () => performance.now()
  const upstreamSockets = new UpstreamSockets({ guard, times: config, steady })
  return {
    guard,
    upstreamSockets,
    calls: {
      upstreams,
      upstreamTokens: createUpstreamTokens({ fetch: fetchGuarded, now, nonce: randomUUID }),
      times: config,
      answerLimit: config.answerLimit,
      now,
      steady,
    },
    close: async () => {
      upstreamSockets.close()
      await upstreams.destroy()
    },
  }
}

interface LoadedRouting {
  readonly table: RoutingTable
  readonly raw: RawChannels
}

function createRoutingLoader({ rows, vault, options, config, log }: RelayParts): () => Promise<LoadedRouting> {
  const openKey = (sealed: string) => {
    const opened = vault.open('channel_key', sealed)
    return opened.ok ? opened.text : undefined
  }
  const overrides = createPriceOverrides(
    () => options().PriceOverrides,
    (problem) => log.warn({ problem }, 'the price overrides are ignored'),
  )
  return async () => {
    const channels = await rows.loadChannels()
    const raw = createRawChannels(channels, openKey, overrides)
    const { table, problems } = createRoutingTable(channels, openKey, overrides, config.callerKeyOrigins)
    const unusable = problems.filter(({ channel }) => raw.find(channel) === undefined)
    for (const problem of [...unusable, ...raw.problems]) log.warn(problem, 'a channel cannot be used')
    return { table, raw }
  }
}
