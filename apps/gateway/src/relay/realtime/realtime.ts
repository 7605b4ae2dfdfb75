import type { Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'
import { authenticateKey, type Identity } from '../authenticate.ts'
import { giveBackInTime } from '../charge-in-time.ts'
import { CLIENT_GONE, failedTrace } from '../ledger-rows.ts'
import { admit as admitRequest, type AdmitDeps } from '../limits/admit.ts'
import { plan, type PlanDeps } from '../plan.ts'
import { recordRefusal } from '../record.ts'
import { refuse, statusOf } from '../refuse.ts'
import type { RelayOptions } from '../relay-options.ts'
import { reserve } from '../reserve.ts'
import { connect, type ConnectDeps, MAX_FRAME } from './connect.ts'
import { Places } from './places.ts'
import { agreedProtocol, readRealtime, REALTIME_PATH } from './realtime-asked.ts'
import { runSession, type SessionDeps } from './session.ts'

export interface RealtimeDeps extends SessionDeps, ConnectDeps, PlanDeps, AdmitDeps {
  readonly options: () => RelayOptions
  readonly times: ConnectDeps['times']
  readonly health: ConnectDeps['health']
}

/** Sessions of this process, and of one user. Each has two sockets, with a message of at most 8 MiB under way on either side. */
const SESSIONS = { all: 1_000, perUser: 50 } as const
const NO_BODY = Buffer.alloc(0)
const KIND = { endpoint: 'realtime', path: REALTIME_PATH } as const

/**
 * `/v1/realtime`: OpenAI's sessions over a websocket. A session is let in as any request: the key's rules, its limits, a plan and a
 * hold, before anything is asked of a provider. Then frames pass both ways as they are, and every response is charged when
 * it ends.
 */
export function createRealtime(deps: RealtimeDeps): (accepted: Accepted) => Promise<Refusal | undefined> {
  const places = new Places(SESSIONS)
  return async (accepted) => {
    if (!places.take()) return noPlace(`${SESSIONS.all} realtime sessions`)
    try {
      return await admit(deps, places, accepted)
    } finally {
      places.giveBack()
    }
  }
}

async function admit(deps: RealtimeDeps, places: Places, accepted: Accepted): Promise<Refusal | undefined> {
  const identity = await authenticateKey(deps, accepted)
  if ('code' in identity) return identity
  if (!places.takeFor(identity.userId)) return noPlace(`${SESSIONS.perUser} realtime sessions per user`)
  try {
    return await openSession(deps, accepted, identity)
  } finally {
    places.giveBackFor(identity.userId)
  }
}

const noPlace = (limit: string): Refusal => ({ code: 'overloaded', params: { limit }, retryAfter: 1 })

async function openSession(deps: RealtimeDeps, accepted: Accepted, identity: Identity): Promise<Refusal | undefined> {
  const { upgrade, path } = accepted
  if (upgrade === undefined) return { code: 'upgrade_required', params: { path } }
  const asked = readRealtime(accepted)
  if ('code' in asked) return asked
  const { model } = asked
  if (identity.models?.has(model) === false) return { code: 'model_not_allowed', params: { model }, field: 'model' }
  const admitted = await admitRequest(deps, accepted, identity, 0)
  if ('code' in admitted) return admitted
  const planned = plan(deps, { accepted, identity, asked, kind: KIND })
  if ('code' in planned) return planned
  const reserved = await reserve(deps, planned)
  if ('code' in reserved) return reserved
  const unheld = await reserved.hold.pending
  if (unheld !== undefined) return unheld
  const connected = await connect(deps, asked, identity, reserved.candidates, accepted)
  const release = async (status: number, attempts: Parameters<typeof failedTrace>[1]) => {
    const times = { status, forwarded: 0, completed: deps.now() }
    await giveBackInTime(deps, accepted.id, failedTrace({ ...reserved, body: NO_BODY }, attempts, times))
  }
  if ('failure' in connected) {
    const { failure, attempts } = connected
    await release(accepted.reply.destroyed ? CLIENT_GONE : statusOf(failure), attempts)
    if (failure.refusal !== undefined) recordRefusal(deps, accepted, failure.refusal)
    refuse(accepted, failure)
    return undefined
  }
  const { candidate, upstream } = connected
  const protocol = agreedProtocol(accepted.headers)
  const client = upgrade.accept({ maxFrame: MAX_FRAME, protocol, headers: accepted.replyHeaders })
  if (client === undefined) {
    upstream.terminate()
    await release(CLIENT_GONE, [])
    return undefined
  }
  await runSession(deps, { ...reserved, model, candidate }, client, upstream)
  return undefined
}
