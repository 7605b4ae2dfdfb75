import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Mq } from '@sluice/ledger/units'
import { holdRefusal } from '../../tokens/refusals.ts'
import { sessionDigest } from '../caller/session-name.ts'
import { isSessionRefusal, type RelayLedger } from '../guard/guarded-ledger.ts'
import { sessionClaim, sessionRefusal } from '../guard/paused.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { Candidate, Planned, Reservation, Hold, Reserved } from '../stages/planned.ts'
import { holdSize } from './hold-size.ts'

export interface Reservable extends Pick<Planned, 'identity'> {
  readonly candidates: readonly Pick<Candidate, 'quote' | 'groupRatio'>[]
  readonly accepted: Pick<Planned['accepted'], 'id' | 'headers'>
  readonly body?: Buffer
  readonly parsed: Pick<Planned['parsed'], 'bound' | 'stream' | 'steering'>
}

export interface ReserveDeps {
  readonly ledger: Pick<RelayLedger, 'hold' | 'isComfortable' | 'dead'>
  readonly now: () => number
  readonly options: () => RelayOptions
}

export type Reserve = <Request extends Reservable>(planned: Request) => Promise<(Request & Reservation) | Refusal>

/** Holds the worst-case price. Waits for the commit, unless the account is comfortable. */
export async function reserve<Request extends Reservable>(
  deps: ReserveDeps,
  planned: Request,
): Promise<(Request & Reservation) | Refusal> {
  if (deps.ledger.dead) return { code: 'ledger_unavailable', retryAfter: 1 }
  const { PreConsumedQuota: preConsumed, LogConsumeEnabled: logged } = deps.options()
  const { amount, open } = holdSize(planned.parsed, planned.candidates, preConsumed)
  const { account, limitAccount } = planned.identity
  // No provider is called for a paused session.
  const mayBegin = planned.identity.guard.sessionQuota === 0n
  const isComfortable =
    mayBegin && deps.ledger.isComfortable(account, amount) && deps.ledger.isComfortable(limitAccount, amount)
  const pending = openHold(deps, planned, amount)
  const session = sessionDigest(planned.accepted.headers, planned.identity, planned.body)
  if (isComfortable) {
    const hold: Hold = { amount, open, pending }
    // A rejection is a bug; it surfaces where the hold is awaited.
    pending.then(
      (refusal) => {
        if (refusal === undefined) hold.pending = undefined
      },
      () => {},
    )
    return { ...planned, hold, unlogged: !logged, session }
  }
  const refusal = await pending
  return refusal ?? { ...planned, hold: { amount, open, pending: undefined }, unlogged: !logged, session }
}

/**
 * As `reserve`, but a caller who cannot pay for the most expensive candidate is offered fewer candidates: those for the requested
 * model without fallbacks, then those of the first group alone, then those with the caller's own keys alone.
 */
export async function reserveWithin(deps: ReserveDeps, planned: Planned): Promise<Reserved | Refusal> {
  let { candidates } = planned
  let reserved = await reserve(deps, planned)
  for (const narrow of [ofModel(planned.parsed.model), ofGroup(candidates[0]?.group), isOwn]) {
    if (!isRefusal(reserved) || reserved.code === 'ledger_unavailable') return reserved
    const fewer = candidates.filter(narrow)
    if (fewer.length === 0 || fewer.length === candidates.length) continue
    candidates = fewer
    reserved = await reserve(deps, { ...planned, candidates })
  }
  return reserved
}

const ofModel = (model: string) => (candidate: Candidate) => candidate.model === model
const isOwn = ({ route }: Candidate) => route.caller !== undefined
const ofGroup = (group: string | undefined) => (candidate: Candidate) => candidate.group === group

async function openHold({ ledger, now }: ReserveDeps, planned: Reservable, amount: Mq): Promise<Refusal | undefined> {
  const { identity, accepted, body } = planned
  const { account, limitAccount } = identity
  const session = sessionClaim(accepted.headers, identity, body, now())
  // No byte of a plain answer leaves before its settlement is durable, so its hold need not be durable.
  const durable = planned.parsed.stream
  const hold = { requestId: accepted.id, account, limitAccount, amount, durable }
  const answer = await ledger.hold(session === undefined ? hold : { ...hold, session })
  return isSessionRefusal(answer) ? sessionRefusal(answer) : holdRefusal(answer)
}
