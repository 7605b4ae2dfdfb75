import type { Refusal } from '@sluice/contract/errors'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Accepted } from '../edge/exchange.ts'
import { authenticate, type AuthenticateDeps } from './authenticate.ts'
import { RESPONSES_PATH } from './calls/responses.ts'
import { countTokens } from './count-tokens.ts'
import { deliver, type DeliverDeps } from './deliver.ts'
import { dispatch, type DispatchDeps } from './dispatch.ts'
import { type CallEndpoint, type Endpoint, endpointOf } from './endpoints.ts'
import { finishedElsewhere } from './finished.ts'
import { identify } from './identify.ts'
import { keepAnswer, type KeepDeps, keepsSomething } from './kept/keep-answer.ts'
import { locate, refersToKept } from './kept/locate.ts'
import { serveKept, type ServeKeptDeps } from './kept/serve-kept.ts'
import { failedTrace } from './ledger-rows.ts'
import { type AddressLimitDeps, limitAddress } from './limit.ts'
import { admit, type AdmitDeps, type Admitted } from './limits/admit.ts'
import { showModels } from './models/show-models.ts'
import { plan, type PlanDeps } from './plan.ts'
import { type RawProxyDeps, relayRaw } from './raw-proxy/raw-proxy.ts'
import { createRealtime, type RealtimeDeps } from './realtime/realtime.ts'
import { record, type RecordDeps, recordFailure, recordRefusal } from './record.ts'
import { refuse } from './refuse.ts'
import type { RelayOptions } from './relay-options.ts'
import { type ReserveDeps, type Reserved, reserveWithin } from './reserve.ts'
import { release, settle, type SettleDeps } from './settle.ts'
import { estimateTokens } from './tokenizer/count.ts'

/** Everything that the ten steps are given. `main.ts` wires it; nothing here reaches for more. */
export interface RelayDeps
  extends
    AuthenticateDeps,
    AddressLimitDeps,
    AdmitDeps,
    KeepDeps,
    ServeKeptDeps,
    PlanDeps,
    ReserveDeps,
    DispatchDeps,
    DeliverDeps,
    SettleDeps,
    RecordDeps,
    RawProxyDeps,
    RealtimeDeps {
  readonly ledger: Ledger
  readonly health: DispatchDeps['health']
  readonly times: DispatchDeps['times']
  readonly options: () => RelayOptions
}

/** The paid path. The answer never rejects, unless there is a bug; then nothing stays held either. */
export function createRelay(deps: RelayDeps): (accepted: Accepted) => Promise<void> {
  const realtime = createRealtime(deps)
  return async (accepted) => {
    const endpoint =
      NO_WEBSOCKET.has(accepted.path) && accepted.upgrade !== undefined
        ? refusedUpgrade(accepted)
        : endpointOf(accepted.method, accepted.path, accepted.query)
    const refusal =
      limitAddress(deps, accepted) ??
      ('code' in endpoint ? endpoint : await serveEndpoint(deps, realtime, accepted, endpoint))
    if (refusal !== undefined) {
      recordRefusal(deps, accepted, refusal)
      refuse(accepted, { refusal })
    } else if (!('code' in endpoint) && endpoint.kind === 'call') return
    deps.onFinished?.(finishedElsewhere(accepted, endpoint, refusal, deps.now()))
  }
}

/** Where clients try a websocket first. Codex falls back at once on 426 alone, and tries again for seconds on all else. */
const NO_WEBSOCKET: ReadonlySet<string> = new Set([RESPONSES_PATH])

function refusedUpgrade({ path }: Accepted): Refusal {
  return { code: 'websocket_not_offered', params: { path } }
}

async function serveEndpoint(
  deps: RelayDeps,
  realtime: ReturnType<typeof createRealtime>,
  accepted: Accepted,
  endpoint: Endpoint,
): Promise<Refusal | undefined> {
  if (endpoint.kind === 'realtime') return await realtime(accepted)
  if (accepted.upgrade !== undefined) return { code: 'upgrade_refused', params: { path: accepted.path } }
  switch (endpoint.kind) {
    case 'call':
      return await relayCall(deps, accepted, endpoint)
    case 'count':
      return await countTokens(deps, accepted, endpoint.count, endpoint.facts)
    case 'raw':
      return await relayRaw(deps, accepted, endpoint.target)
    case 'kept':
      return await serveKept(deps, accepted, endpoint.target)
    case 'models':
    case 'model':
      return await showModels(deps, accepted, endpoint)
  }
}

/**
 * One request in ten steps. Each takes the value of the one before and answers its own, or a refusal. Step 1, the edge,
 * made `accepted`.
 */
async function relayCall(deps: RelayDeps, accepted: Accepted, endpoint: CallEndpoint): Promise<Refusal | undefined> {
  const known = await authenticate(deps, accepted)
  if ('code' in known) return known
  const { body, refusal } = await accepted.readBody(known.identity)
  if (body === undefined) return refusal
  const authorised = identify(known, endpoint, body)
  if ('code' in authorised) return authorised
  const admitted = await admit(deps, accepted, authorised.identity, estimateTokens(authorised.asked.promptBytes))
  if ('code' in admitted) return admitted
  const located = refersToKept(authorised.asked) ? await locate(deps, authorised) : authorised
  if ('code' in located) return located
  const planned = plan(deps, located)
  if ('code' in planned) return planned
  const reserved = await reserveWithin(deps, planned)
  if ('code' in reserved) return reserved
  await serve(deps, reserved, admitted)
  return undefined
}

/**
 * The steps after the hold: prepare and dispatch, deliver, settle, record. Whatever happens in them, the hold ends exactly
 * once: charged, or given back. Giving back what was charged already changes nothing.
 */
async function serve(deps: RelayDeps, reserved: Reserved, { used }: Admitted): Promise<void> {
  try {
    const answered = await dispatch(deps, reserved)
    if ('failure' in answered) {
      const settled = await release(deps, answered)
      used(settled.settlement?.tokens)
      recordFailure(deps, answered, settled)
      if (answered.failure !== undefined) refuse(reserved.accepted, answered.failure, answered.client)
    } else {
      const delivered = await deliver(deps, answered)
      if (keepsSomething(delivered)) await keepAnswer(deps, delivered)
      const settled = await settle(deps, delivered)
      used(settled.settlement?.tokens)
      record(deps, delivered, settled)
    }
  } catch (error) {
    await giveBack(deps, reserved)
    throw error
  }
}

/** After a bug: an unanswered hold would block the caller's money until this process ends. */
async function giveBack({ ledger, now }: RelayDeps, { hold, accepted, ...rest }: Reserved): Promise<void> {
  const refusal = await hold.pending
  if (refusal !== undefined) return
  const times = { status: 500, forwarded: 0, completed: now() }
  await ledger.void(accepted.id, failedTrace({ hold, accepted, ...rest }, [], times))
}
