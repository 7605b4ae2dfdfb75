import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Ledger } from '@sluice/ledger/ledger'
import type { Mq } from '@sluice/ledger/units'
import { holdRefusal } from '../../hold-refusal.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { Candidate } from '../routing/choose.ts'
import type { Planned } from '../routing/plan.ts'
import { holdSize } from './hold-size.ts'

/** A request whose worst case is reserved, or about to be: stage 7 of twelve. */
export interface Reserved extends Planned, Reservation {}

/** What a reservation adds to its request. */
export interface Reservation {
  readonly hold: Hold
  /** Group ratio of the caller's group in millionths. */
  readonly groupRatio: bigint
  /** True when charges must not leave a log row. */
  readonly unlogged: boolean
}

/** What a worst case is computed from. */
export interface Reservable extends Pick<Planned, 'identity'> {
  readonly candidates: readonly Pick<Candidate, 'quote'>[]
  readonly accepted: Pick<Planned['accepted'], 'id'>
  readonly parsed: Pick<Planned['parsed'], 'bound' | 'stream' | 'steering'>
}

/** The reservation of one request. */
export interface Hold {
  /** Grows while the gateway waits for a long plain answer. */
  amount: Mq
  /** True when the answer can outgrow the amount; final once its provider is known. */
  open: boolean
  /**
   * Undefined once the hold stands; before that, the promise that waits for it. No byte of an answer leaves while it is pending,
   * and a refusal means that nothing is held. A stream's hold stands when it is durable; a plain answer waits for its settlement
   * anyway.
   */
  pending: Promise<Refusal | undefined> | undefined
}

export interface ReserveDeps {
  readonly ledger: Pick<Ledger, 'hold' | 'isComfortable' | 'dead'>
  readonly options: () => RelayOptions
}

const LIST_PRICE = 1_000_000n

/**
 * Prices the worst case and holds it. For a comfortable account, the call to the provider can start while the hold commits; all
 * others wait for the commit here.
 */
export async function reserve<Request extends Reservable>(
  deps: ReserveDeps,
  planned: Request,
): Promise<(Request & Reservation) | Refusal> {
  if (deps.ledger.dead) return { code: 'ledger_unavailable', retryAfter: 1 }
  const { GroupRatio: ratios, PreConsumedQuota: preConsumed, LogConsumeEnabled: logged } = deps.options()
  const groupRatio = ratios.get(planned.identity.group) ?? LIST_PRICE
  const { amount, open } = holdSize(planned.parsed, planned.candidates, groupRatio, preConsumed)
  const { account, limitAccount } = planned.identity
  const isComfortable = deps.ledger.isComfortable(account, amount) && deps.ledger.isComfortable(limitAccount, amount)
  const pending = openHold(deps, planned, amount)
  if (isComfortable) {
    const hold: Hold = { amount, open, pending }
    // A rejection is a bug; it surfaces where the hold is awaited.
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

/** The same, but a caller who cannot pay for the dearest fallback is served by the requested model, without fallbacks. */
export function reserveWithin(deps: ReserveDeps, planned: Planned): Promise<Reserved | Refusal> {
  const { model } = planned.parsed
  const hasFallback = planned.candidates.some((candidate) => candidate.model !== model)
  return hasFallback ? reserveOrWithout(deps, planned, model) : reserve(deps, planned)
}

async function reserveOrWithout(deps: ReserveDeps, planned: Planned, model: string): Promise<Reserved | Refusal> {
  const reserved = await reserve(deps, planned)
  if (!isRefusal(reserved) || reserved.code === 'ledger_unavailable') return reserved
  const candidates = planned.candidates.filter((candidate) => candidate.model === model)
  return candidates.length === 0 ? reserved : await reserve(deps, { ...planned, candidates })
}

async function openHold({ ledger }: ReserveDeps, planned: Reservable, amount: Mq): Promise<Refusal | undefined> {
  const { account, limitAccount } = planned.identity
  // No byte of a plain answer leaves before its settlement is durable, so its hold need not be durable.
  const durable = planned.parsed.stream
  return holdRefusal(await ledger.hold({ requestId: planned.accepted.id, account, limitAccount, amount, durable }))
}
