import type { Refusal } from '@sluice/contract/errors'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Mq } from '@sluice/ledger/units'
import { holdRefusal } from '../hold-refusal.ts'
import type { Candidate } from './choose.ts'
import { holdSize } from './hold-size.ts'
import type { Planned } from './plan.ts'
import type { RelayOptions } from './relay-options.ts'

/** A request whose worst case is reserved, or about to be: step 5 of ten. */
export interface Reserved extends Planned, Reservation {}

/** What a reservation adds to its request. */
export interface Reservation {
  readonly hold: Hold
  /** Group ratio of the caller's group in millionths. */
  readonly groupRatio: bigint
  /** True when charges shall leave no log row. */
  readonly unlogged: boolean
}

/** What a worst case is worked out from. */
export interface Reservable extends Pick<Planned, 'identity'> {
  readonly candidates: readonly Pick<Candidate, 'quote'>[]
  readonly accepted: Pick<Planned['accepted'], 'id'>
  readonly asked: Pick<Planned['asked'], 'bound' | 'stream' | 'steering'>
}

/** The reservation of one request. */
export interface Hold {
  /** Grows while a long plain answer is waited for. */
  amount: Mq
  /** True when the answer may outgrow the amount; known at last when its provider is. */
  open: boolean
  /**
   * Undefined once the hold stands; before that, the wait for it. No byte of an answer leaves while it is pending, and a
   * refusal means that nothing is held. For a stream it stands when it is durable; a plain answer waits for its settlement anyway.
   */
  pending: Promise<Refusal | undefined> | undefined
}

export interface ReserveDeps {
  readonly ledger: Pick<Ledger, 'hold' | 'isComfortable' | 'dead'>
  readonly options: () => RelayOptions
}

const LIST_PRICE = 1_000_000n

/**
 * Prices the worst case and holds it. The call to the provider may start while the hold of a comfortable account commits;
 * everybody else waits for the commit here.
 */
export async function reserve<Request extends Reservable>(
  deps: ReserveDeps,
  planned: Request,
): Promise<(Request & Reservation) | Refusal> {
  if (deps.ledger.dead) return { code: 'ledger_unavailable', retryAfter: 1 }
  const { GroupRatio: ratios, PreConsumedQuota: preConsumed, LogConsumeEnabled: logged } = deps.options()
  const groupRatio = ratios.get(planned.identity.group) ?? LIST_PRICE
  const { amount, open } = holdSize(planned.asked, planned.candidates, groupRatio, preConsumed)
  const { account, limitAccount } = planned.identity
  const isComfortable = deps.ledger.isComfortable(account, amount) && deps.ledger.isComfortable(limitAccount, amount)
  const pending = openHold(deps, planned, amount)
  if (isComfortable) {
    const hold: Hold = { amount, open, pending }
    // A rejection is a bug; whoever waits for the hold meets it.
    pending.then(
      (refusal) => {
        if (refusal === undefined) hold.pending = undefined
      },
      () => {},
    )
    return { ...planned, hold, groupRatio, unlogged: !logged }
  }
  const refusal = await pending
  return refusal ?? { ...planned, hold: { amount, open, pending: undefined }, groupRatio, unlogged: !logged }
}

/**
 * The same for a request whose fallbacks may cost more: who cannot pay for the dearest of them is served by the model that was
 * asked for, without them.
 */
export function reserveWithin(deps: ReserveDeps, planned: Planned): Promise<Reserved | Refusal> {
  const { model } = planned.asked
  const hasFallback = planned.candidates.some((candidate) => candidate.model !== model)
  return hasFallback ? reserveOrWithout(deps, planned, model) : reserve(deps, planned)
}

async function reserveOrWithout(deps: ReserveDeps, planned: Planned, model: string): Promise<Reserved | Refusal> {
  const reserved = await reserve(deps, planned)
  if (!('code' in reserved) || reserved.code === 'ledger_unavailable') return reserved
  const candidates = planned.candidates.filter((candidate) => candidate.model === model)
  return candidates.length === 0 ? reserved : await reserve(deps, { ...planned, candidates })
}

async function openHold({ ledger }: ReserveDeps, planned: Reservable, amount: Mq): Promise<Refusal | undefined> {
  const { account, limitAccount } = planned.identity
  // Nothing of a plain answer leaves before its settlement is durable, so its hold need not be.
  const durable = planned.asked.stream
  return holdRefusal(await ledger.hold({ requestId: planned.accepted.id, account, limitAccount, amount, durable }))
}
