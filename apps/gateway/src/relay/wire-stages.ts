import type { Timers } from '@sluice/ledger/timers'
import { createRetryBudgets, type RetryBudgets } from '@sluice/routing/retry-budget'
import type { AddressGuard } from '../outbound/address-guard.ts'
import { answerInBackground } from './background/answer-in-background.ts'
import type { BackgroundRuns } from './background/background-runs.ts'
import { type Authenticate, authenticate } from './caller/authenticate.ts'
import { type IdentifyCall, identifyCall } from './caller/identify.ts'
import { type CallerCounts, type Admit, admit, countRequest, countTokensUsed } from './caller/limits/admit.ts'
import type { FairQueue } from './caller/limits/fair-queue.ts'
import { type LimitAddress, type LimitChannel, limitAddress, limitChannel } from './caller/limits/limit.ts'
import type { TokenDirectory } from './caller/token-directory.ts'
import { failedTrace } from './charge/ledger-rows.ts'
import { countMissing } from './charge/own-counts.ts'
import { type ReserveDeps, reserveWithin, type Reserve, reserve } from './charge/reserve.ts'
import { settle, release } from './charge/settle.ts'
import { openPlainWatch } from './charge/watch-plain.ts'
import type { Pulse } from './client/pulse.ts'
import { countTokens } from './count-tokens.ts'
import { type DeliverDeps, deliver } from './delivery/deliver.ts'
import { UnseenOutput } from './delivery/unseen-output.ts'
import { openWatch } from './delivery/watch-hold.ts'
import type { RelayLedger } from './guard/guarded-ledger.ts'
import { refuseLoop } from './guard/paused.ts'
import type { InFlight } from './in-flight/in-flight.ts'
import { showModels } from './models/show-models.ts'
import type { RawChannels } from './raw-proxy/raw-channels.ts'
import { relayRaw } from './raw-proxy/raw-proxy.ts'
import { createRealtime } from './realtime/realtime.ts'
import { type RecordDeps, type RecordRefusal, recordRefusal, record, recordFailure } from './record/record.ts'
import type { RelayParts } from './relay-parts.ts'
import type { RelayDeps, CallStages, BesideStages } from './relay.ts'
import { createResponsesSockets } from './responses-socket/open-responses-socket.ts'
import { warmUp } from './responses-socket/warm-up.ts'
import { type Plan, plan } from './routing/plan.ts'
import type { RoutingTable } from './routing/routing-table.ts'
import type { Reserved } from './stages/planned.ts'
import { type FindStored, type FindStoredDeps, findStored, refuseForeign } from './stored/find-stored.ts'
import { serveStored } from './stored/serve-stored.ts'
import { storeAnswer } from './stored/store-answer.ts'
import { createSummaries } from './stored/summaries.ts'
import { type AskDeps, type AskUpstream, askUpstream } from './upstream/ask-upstream.ts'
import { type DispatchDeps, dispatch } from './upstream/dispatch.ts'
import type { UpstreamSockets } from './upstream/sockets/upstream-sockets.ts'

export interface OpenedParts {
  readonly tokens: TokenDirectory
  readonly routing: () => RoutingTable
  readonly rawChannels: () => RawChannels
  readonly calls: AskDeps
  readonly guard: AddressGuard
  readonly upstreamSockets: UpstreamSockets
  readonly queue: FairQueue
  readonly inFlight: InFlight
  readonly backgroundRuns: BackgroundRuns
  readonly pulse: Pulse
  readonly after: Timers['after']
}

export interface WiredStages {
  readonly relay: RelayDeps
  readonly authenticate: Authenticate
  readonly callerCounts: CallerCounts
}

const BUDGETED_MODELS = 1_000

export function wireStages(parts: RelayParts, opened: OpenedParts): WiredStages {
  const shared = wireShared(parts, opened)
  const { limitAddress, recordRefusal, authenticate, callerCounts } = shared
  const relay: RelayDeps = {
    stages: wireCall(parts, opened, shared),
    beside: wireBeside(parts, opened, shared),
    limitAddress,
    recordRefusal,
    onFinished: parts.onFinished,
    now: parts.now,
  }
  return { relay, authenticate, callerCounts }
}

/** The stages shared by calls and other traffic. */
interface SharedStages {
  readonly authenticate: Authenticate
  readonly identify: IdentifyCall
  readonly admit: Admit
  readonly callerCounts: CallerCounts
  readonly limitAddress: LimitAddress
  readonly limitChannel: LimitChannel
  readonly findStored: FindStored
  readonly plan: Plan
  readonly reserving: ReserveDeps
  readonly recording: RecordDeps
  readonly recordRefusal: RecordRefusal
  readonly retryBudgets: RetryBudgets
  readonly storing: FindStoredDeps
}

function wireShared(parts: RelayParts, { tokens, queue, routing }: OpenedParts): SharedStages {
  const { rows, callerLimits, ledger, options, now, log } = parts
  const { limits, openCalls } = callerLimits
  const addresses = { addressLimits: callerLimits.addressLimits, options }
  const knowing = { tokens, ledger, options, now }
  const counting = { limits, relayRateLimit: parts.config.relayRateLimit, options, now }
  const admitting = { ...counting, openCalls, queue }
  const planning = { health: parts.health, routing, options, random: parts.random, now, onUnpriced: parts.onUnpriced }
  const storing: FindStoredDeps = {
    storedResponses: rows.storedResponses,
    backgroundResponses: rows.backgroundResponses,
    cachedResponses: parts.cachedResponses,
    summaries: createSummaries(parts.vault),
    routing,
    log,
    options,
  }
  const recording: RecordDeps = { ...parts, tokens }
  const known: Authenticate = (caller, purpose) => authenticate(knowing, caller, purpose)
  return {
    authenticate: known,
    identify: (accepted, endpoint) => identifyCall(known, accepted, endpoint),
    admit: (accepted, caller, estimate) => admit(admitting, accepted, caller, estimate),
    callerCounts: {
      request: (caller, estimate) => countRequest(counting, caller, estimate),
      tokensUsed: (caller, used) => countTokensUsed(counting, caller, used),
    },
    limitAddress: (caller) => limitAddress(addresses, caller),
    limitChannel: (tokenId, route) => limitChannel(callerLimits, tokenId, route),
    findStored: (authorised) => findStored(storing, authorised),
    plan: (request) => plan(planning, request),
    reserving: { ledger, now, options },
    recording,
    recordRefusal: (accepted, refusal) => recordRefusal(recording, accepted, refusal),
    retryBudgets: createRetryBudgets(BUDGETED_MODELS),
    storing,
  }
}

function wireCall(parts: RelayParts, opened: OpenedParts, shared: SharedStages): CallStages {
  const { ledger, options, config: times, now, log } = parts
  const { calls, pulse, after, inFlight } = opened
  const { identify, admit, findStored, plan, reserving, recording, limitChannel, retryBudgets, storing } = shared
  const onError = (error: unknown, requestId: string) =>
    log.error({ error, requestId }, 'the hold of a stream could not be renewed')
  const watching = { ledger, pulse, now, onError }
  const dispatching: DispatchDeps = {
    ...calls,
    limitChannel,
    watchPlain: (reserved) => openPlainWatch(watching, reserved),
    upstreamSockets: opened.upstreamSockets,
    health: parts.health,
    onCalled: parts.onCalled,
    retryBudgets,
    times,
    pulse,
    options,
  }
  const delivering: DeliverDeps = {
    openWatch: (answered, text) => openWatch(watching, answered, text),
    unseen: new UnseenOutput(),
    times,
    options,
    now,
  }
  const looping = { loops: parts.loops, now }
  const settling = { ledger, after, tokenizer: parts.tokenizer, times, options, now }
  return {
    identify,
    refuseLoop: (authorised) => refuseLoop(looping, authorised),
    begin: (facts) => inFlight.begin(facts),
    admit,
    findStored,
    plan,
    reserve: (planned) => reserveWithin(reserving, planned),
    dispatch: (reserved) => dispatch(dispatching, reserved),
    deliver: (answered) => deliver(delivering, answered),
    countMissing: (delivered) => countMissing(settling, delivered),
    storeAnswer: (delivered) => storeAnswer(storing, delivered),
    settle: (delivered) => settle(settling, delivered),
    record: (delivered, settled) => record(recording, delivered, settled),
    release: (unanswered) => release(settling, unanswered),
    recordFailure: (unanswered, settled) => recordFailure(recording, unanswered, settled),
    giveBack: (reserved) => giveBack(ledger, reserved, now),
  }
}

async function giveBack(ledger: RelayLedger, reserved: Reserved, now: () => number): Promise<void> {
  const refusal = await reserved.hold.pending
  if (refusal !== undefined) return
  const times = { status: 500, forwarded: 0, completed: now() }
  await ledger.void(reserved.accepted.id, failedTrace(reserved, [], times))
}

function wireBeside(parts: RelayParts, opened: OpenedParts, shared: SharedStages): BesideStages {
  const { rows, vault, ledger, options, config: times, now, log, newId } = parts
  const { calls, guard, routing, inFlight, pulse, after, upstreamSockets, backgroundRuns } = opened
  const { authenticate, identify, admit, limitChannel, findStored, plan, recordRefusal, storing } = shared
  const ask: AskUpstream = (request, running) => askUpstream(calls, request, running)
  const reserving: Reserve = (planned) => reserve(shared.reserving, planned)
  const entry = { authenticate, admit, reserve: reserving, recordRefusal, inFlight }
  const charging = { ledger, after, options, now }
  const background = { backgroundResponses: rows.backgroundResponses, backgroundRuns, vault, log }
  const counting = { identify, admit, findStored, plan, limitChannel, ask, tokenizer: parts.tokenizer, now }
  const raw = {
    ...entry,
    ...charging,
    limitChannel,
    rawChannels: opened.rawChannels,
    upstreams: calls.upstreams,
    times,
  }
  const stored = { ...storing, authenticate, admit, ask, limitChannel, recordRefusal, background }
  const { callerCounts, retryBudgets } = shared
  const { health, onCalled, onUnpriced } = parts
  const realtime = createRealtime({
    ...entry,
    plan,
    connecting: { ...calls, guard, limitChannel, health, onCalled, retryBudgets, times },
    session: {
      ...charging,
      authenticate,
      callerCounts,
      reserve: reserving,
      refuseForeign: (identity, objects) => refuseForeign({ options }, identity, objects),
      onUnpriced,
      routing,
      pulse,
      times,
      newId,
      log,
    },
  })
  const models = { authenticate, admit, routing }
  const warming = { identify, admit, findStored, plan }
  const sockets = { authenticate, recordRefusal, log, pulse, times, upstreamSockets, now, newId }
  return {
    answerInBackground: (authorised, stages) => answerInBackground(background, authorised, stages),
    countTokens: (accepted, { count, facts }) => countTokens(counting, accepted, count, facts),
    relayRaw: (accepted, { target }) => relayRaw(raw, accepted, target),
    serveStored: (accepted, { target }) => serveStored(stored, accepted, target),
    showModels: (accepted, endpoint) => showModels(models, accepted, endpoint),
    warmUp: (accepted, endpoint) => warmUp(warming, accepted, endpoint),
    realtime,
    responsesSockets: (answer) => createResponsesSockets(sockets, answer),
  }
}
