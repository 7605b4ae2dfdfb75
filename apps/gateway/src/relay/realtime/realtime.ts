import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'
import type { Authenticate } from '../caller/authenticate.ts'
import type { Admit } from '../caller/limits/admit.ts'
import { SessionSlots } from '../caller/limits/session-slots.ts'
import { giveBackInTime } from '../charge/charge-in-time.ts'
import { CLIENT_GONE, failedTrace } from '../charge/ledger-rows.ts'
import type { Reserve } from '../charge/reserve.ts'
import { tellGroup } from '../client/group-header.ts'
import { refuse, statusOf } from '../client/refuse.ts'
import { REALTIME_PATH } from '../endpoints/endpoints.ts'
import type { InFlight } from '../in-flight/in-flight.ts'
import type { RecordRefusal } from '../record/record.ts'
import type { Plan } from '../routing/plan.ts'
import type { Identity } from '../stages/identity.ts'
import { connect, type ConnectDeps, MAX_FRAME } from './connect.ts'
import { agreedProtocol, readRealtime } from './realtime-request.ts'
import { runSession, type SessionDeps } from './session.ts'

export interface RealtimeDeps {
  readonly authenticate: Authenticate
  readonly admit: Admit
  readonly plan: Plan
  readonly reserve: Reserve
  readonly recordRefusal: RecordRefusal
  readonly inFlight: Pick<InFlight, 'begin'>
  readonly connecting: ConnectDeps
  readonly session: SessionDeps
}

/** Sessions of this process, and of one user. Each has two sockets, with a message of at most 8 MiB in transit on either side. */
const SESSIONS = { all: 1_000, perUser: 50 } as const
const NO_BODY = Buffer.alloc(0)
const KIND = { endpoint: 'realtime', path: REALTIME_PATH } as const

/**
 * `/v1/realtime`: OpenAI's sessions over a websocket. A session is admitted like any request, before any provider is called. Then
 * frames pass both ways unchanged, and every response is charged when it ends.
 */
export function createRealtime(deps: RealtimeDeps): (accepted: Accepted) => Promise<Refusal | undefined> {
  const slots = new SessionSlots(SESSIONS)
  return async (accepted) => {
    if (!slots.take()) return noSlot(`${SESSIONS.all} realtime sessions`)
    try {
      return await admit(deps, slots, accepted)
    } finally {
      slots.giveBack()
    }
  }
}

async function admit(deps: RealtimeDeps, slots: SessionSlots, accepted: Accepted): Promise<Refusal | undefined> {
  const identity = await deps.authenticate(accepted)
  if (isRefusal(identity)) return identity
  if (!slots.takeFor(identity.userId)) return noSlot(`${SESSIONS.perUser} realtime sessions per user`)
  try {
    return await openSession(deps, accepted, identity)
  } finally {
    slots.giveBackFor(identity.userId)
  }
}

const noSlot = (limit: string): Refusal => ({ code: 'overloaded', params: { limit }, retryAfter: 1 })

async function openSession(deps: RealtimeDeps, accepted: Accepted, identity: Identity): Promise<Refusal | undefined> {
  const { upgrade, path } = accepted
  if (upgrade === undefined) return { code: 'upgrade_required', params: { path } }
  const request = readRealtime(accepted)
  if (isRefusal(request)) return request
  const { model } = request
  if (identity.models?.has(model) === false) return { code: 'model_not_allowed', params: { model }, field: 'model' }
  const flight = deps.inFlight.begin({ accepted, identity, parsed: request })
  const admitted = await deps.admit(accepted, identity, 0)
  if (isRefusal(admitted)) return admitted
  const planned = deps.plan({ accepted, identity, parsed: request, kind: KIND })
  if (isRefusal(planned)) return planned
  const reserved = await deps.reserve(planned)
  if (isRefusal(reserved)) return reserved
  const unheld = await reserved.hold.pending
  if (unheld !== undefined) return unheld
  const connected = await connect(deps.connecting, request, identity, reserved.candidates, accepted)
  const release = async (status: number, attempts: Parameters<typeof failedTrace>[1]) => {
    const times = { status, forwarded: 0, completed: deps.session.now() }
    await giveBackInTime(deps.session, accepted.id, failedTrace({ ...reserved, body: NO_BODY }, attempts, times))
  }
  if ('failure' in connected) {
    const { failure, attempts } = connected
    await release(accepted.reply.destroyed ? CLIENT_GONE : statusOf(failure), attempts)
    if (failure.refusal !== undefined) deps.recordRefusal(accepted, failure.refusal)
    refuse(accepted, failure)
    return undefined
  }
  const { candidate, upstream } = connected
  flight.asks(candidate)
  const protocol = agreedProtocol(accepted.headers)
  tellGroup(accepted, candidate.group)
  const client = upgrade.accept({ maxFrame: MAX_FRAME, protocol, headers: accepted.replyHeaders })
  if (client === undefined) {
    upstream.terminate()
    await release(CLIENT_GONE, [])
    return undefined
  }
  flight.stage = 'streaming'
  await runSession(deps.session, { ...reserved, model, candidate }, client, upstream)
  return undefined
}
