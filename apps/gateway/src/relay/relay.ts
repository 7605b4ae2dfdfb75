import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Accepted, AcceptedOnSocket } from '../edge/exchange.ts'
import { answerInBackground, type Stages } from './background/answer-in-background.ts'
import { authenticate, type AuthenticateDeps } from './caller/authenticate.ts'
import { identify } from './caller/identify.ts'
import { admit, type AdmitDeps, type Admitted } from './caller/limits/admit.ts'
import { type AddressLimitDeps, limitAddress } from './caller/limits/limit.ts'
import { RESPONSES_CALL } from './calls/calls.ts'
import { failedTrace } from './charge/ledger-rows.ts'
import { countMissing, lacksCounts } from './charge/own-counts.ts'
import { type ReserveDeps, reserveWithin } from './charge/reserve.ts'
import { release, settle, type SettleDeps } from './charge/settle.ts'
import { estimateTokens } from './charge/tokenizer/count.ts'
import { refuse } from './client/refuse.ts'
import { countTokens } from './count-tokens.ts'
import { deliver, type DeliverDeps } from './delivery/deliver.ts'
import { type CallEndpoint, type Endpoint, endpointOf } from './endpoints/endpoints.ts'
import type { RelayLedger } from './guard/guarded-ledger.ts'
import { type LoopDeps, refuseLoop } from './guard/paused.ts'
import type { InFlight } from './in-flight/in-flight.ts'
import { showModels } from './models/show-models.ts'
import { type RawProxyDeps, relayRaw } from './raw-proxy/raw-proxy.ts'
import { createRealtime, type RealtimeDeps } from './realtime/realtime.ts'
import { finishedElsewhere } from './record/finished.ts'
import { record, type RecordDeps, recordFailure, recordRefusal } from './record/record.ts'
import type { RelayOptions } from './relay-options.ts'
import { createResponsesSockets, type OpenResponsesSocketDeps } from './responses-socket/open-responses-socket.ts'
import { warmUp } from './responses-socket/warm-up.ts'
import { plan, type PlanDeps } from './routing/plan.ts'
import type { Authorised } from './stages/authorised.ts'
import type { Reserved } from './stages/planned.ts'
import { findStored, refersToStored } from './stored/find-stored.ts'
import { serveStored, type ServeStoredDeps } from './stored/serve-stored.ts'
import { storeAnswer, type StoreAnswerDeps, storesAnswer } from './stored/store-answer.ts'
import { dispatch, type DispatchDeps } from './upstream/dispatch.ts'
import type { UpstreamSockets } from './upstream/sockets/upstream-sockets.ts'

/** Everything that the twelve stages receive. `main.ts` wires it; nothing here reaches for more. */
export interface RelayDeps
  extends
    AuthenticateDeps,
    AddressLimitDeps,
    AdmitDeps,
    StoreAnswerDeps,
    ServeStoredDeps,
    PlanDeps,
    ReserveDeps,
    DispatchDeps,
    DeliverDeps,
    SettleDeps,
    RecordDeps,
    RawProxyDeps,
    RealtimeDeps,
    OpenResponsesSocketDeps {
  readonly ledger: RelayLedger
  readonly health: DispatchDeps['health']
  readonly times: DispatchDeps['times']
  readonly options: () => RelayOptions
  readonly inFlight: InFlight
  readonly upstreamSockets: UpstreamSockets
  readonly loops: LoopDeps['loops']
}

/** The paid path. The returned promise never rejects, unless there is a bug; even then nothing stays held. */
export function createRelay(deps: RelayDeps): (accepted: AcceptedOnSocket) => Promise<void> {
  const sockets: Sockets = {
    realtime: createRealtime(deps),
    responses: createResponsesSockets(deps, (accepted, isWarmUp) => serveFramed(deps, accepted, isWarmUp)),
  }
  return async (accepted) => {
    const endpoint = isResponsesSocket(accepted)
      ? RESPONSES_SOCKET
      : endpointOf(accepted.method, accepted.path, accepted.query)
    const refusal =
      (await limitAddress(deps, accepted)) ??
      (isRefusal(endpoint) ? endpoint : await serveEndpoint(deps, sockets, accepted, endpoint))
    if (refusal !== undefined) refuseRecorded(deps, accepted, refusal)
    else if (!isRefusal(endpoint) && endpoint.kind === 'call') return
    deps.onFinished?.(finishedElsewhere(accepted, endpoint, refusal, deps.now()))
  }
}

/** Websockets on which many requests are made. */
interface Sockets {
  readonly realtime: (accepted: Accepted) => Promise<Refusal | undefined>
  readonly responses: (accepted: Accepted) => Promise<Refusal | undefined>
}

const RESPONSES_SOCKET: Endpoint = { kind: 'responses_socket' }
const RESPONSES_ENDPOINT: CallEndpoint = { kind: 'call', call: RESPONSES_CALL, facts: {} }

/** Also where a proxy has taken the upgrade away: Codex goes on with POST at once when it is told so, and retries otherwise. */
function isResponsesSocket({ path, method }: Accepted): boolean {
  return method === 'GET' && path === RESPONSES_CALL.path
}

/** One of the requests on a websocket. */
async function serveFramed(deps: RelayDeps, accepted: Accepted, isWarmUp: boolean): Promise<void> {
  const serveIt = isWarmUp ? warmUp : relayCall
  const refusal = (await limitAddress(deps, accepted)) ?? (await serveIt(deps, accepted, RESPONSES_ENDPOINT))
  if (refusal !== undefined) refuseRecorded(deps, accepted, refusal)
  else if (!isWarmUp) return
  deps.onFinished?.(finishedElsewhere(accepted, RESPONSES_ENDPOINT, refusal, deps.now()))
}

function refuseRecorded(deps: RelayDeps, accepted: Accepted, refusal: Refusal): void {
  recordRefusal(deps, accepted, refusal)
  refuse(accepted, { refusal })
}

// Passes promises on: with an `async` function, each open stream would keep one more frame with all that is in it.
function serveEndpoint(
  deps: RelayDeps,
  sockets: Sockets,
  accepted: AcceptedOnSocket,
  endpoint: Endpoint,
): Promise<Refusal | undefined> | Refusal {
  if (endpoint.kind === 'realtime') return sockets.realtime(accepted)
  if (endpoint.kind === 'responses_socket') return sockets.responses(accepted)
  if (accepted.upgrade !== undefined) return { code: 'upgrade_refused', params: { path: accepted.path } }
  switch (endpoint.kind) {
    case 'call':
      return relayCall(deps, accepted, endpoint)
    case 'count':
      return countTokens(deps, accepted, endpoint.count, endpoint.facts)
    case 'raw':
      return relayRaw(deps, accepted, endpoint.target)
    case 'stored':
      return serveStored(deps, accepted, endpoint.target)
    case 'models':
    case 'model':
      return showModels(deps, accepted, endpoint)
  }
}

/** One request in twelve stages. Each takes the previous value and returns its own, or a refusal. The edge was the first. */
async function relayCall(deps: RelayDeps, accepted: Accepted, endpoint: CallEndpoint): Promise<Refusal | undefined> {
  const known = await authenticate(deps, accepted)
  if (isRefusal(known)) return known
  const { body, refusal } = await accepted.readBody(known.identity)
  if (body === undefined) return refusal
  const authorised = identify(known, endpoint, body)
  if (isRefusal(authorised)) return authorised
  const loop = authorised.identity.guard.repeatRpm === 0 ? undefined : await refuseLoop(deps, authorised)
  if (loop !== undefined) return loop
  if (authorised.parsed.foreground !== undefined) return await answerInBackground(deps, authorised, stagesOf(deps))
  const held = await hold(deps, authorised)
  // Not awaited: while a stream is open, the values of the earlier stages need not be kept.
  return isRefusal(held) ? held : serve(deps, held)
}

/** The stages up to the hold. */
async function hold(deps: RelayDeps, identified: Authorised): Promise<Held | Refusal> {
  const { accepted } = identified
  const authorised = { ...identified, flight: deps.inFlight.begin(identified) }
  const admitted = await admit(deps, accepted, authorised.identity, estimateTokens(authorised.parsed.promptBytes))
  if (isRefusal(admitted)) return admitted
  const resolved = refersToStored(authorised.parsed) ? await findStored(deps, authorised) : authorised
  if (isRefusal(resolved)) return resolved
  const planned = plan(deps, resolved)
  if (isRefusal(planned)) return planned
  const reserved = await reserveWithin(deps, planned)
  return isRefusal(reserved) ? reserved : { reserved, admitted }
}

interface Held {
  readonly reserved: Reserved
  readonly admitted: Admitted
}

/** For a client that gets the id of its answer before there is one: only when it is paid for. */
function stagesOf(deps: RelayDeps): Stages<Held> {
  return {
    hold: async (authorised) => {
      const held = await hold(deps, authorised)
      return isRefusal(held) ? held : ((await held.reserved.hold.pending) ?? held)
    },
    giveBack: ({ reserved }) => giveBack(deps, reserved),
    serve: (held) => serve(deps, held),
  }
}

/**
 * The stages after the hold: dispatch, deliver, store the answer, settle, record. Whatever happens in them, the hold ends exactly once:
 * charged, or given back. Giving back what was already charged changes nothing.
 */
async function serve(deps: RelayDeps, { reserved, admitted: { used } }: Held): Promise<undefined> {
  try {
    const answered = await dispatch(deps, reserved)
    if ('failure' in answered) {
      const settled = await release(deps, answered)
      used(settled.settlement?.tokens)
      recordFailure(deps, answered, settled)
      if (answered.failure !== undefined) refuse(reserved.accepted, answered.failure, answered.client)
    } else {
      const all = await deliver(deps, answered)
      const delivered = lacksCounts(all) ? await countMissing(deps, all) : all
      if (storesAnswer(delivered)) await storeAnswer(deps, delivered)
      const settled = await settle(deps, delivered)
      used(settled.settlement?.tokens)
      record(deps, delivered, settled)
    }
  } catch (error) {
    await giveBack(deps, reserved)
    throw error
  }
}

/** After a bug: a hold left open would block the caller's money until this process ends. */
async function giveBack({ ledger, now }: RelayDeps, { hold, accepted, ...rest }: Reserved): Promise<void> {
  const refusal = await hold.pending
  if (refusal !== undefined) return
  const times = { status: 500, forwarded: 0, completed: now() }
  await ledger.void(accepted.id, failedTrace({ hold, accepted, ...rest }, [], times))
}
