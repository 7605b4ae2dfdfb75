import type { Refusal } from '@sluice/contract/errors'
import type { RoutingDecision } from '@sluice/contract/routing'
import type { Mq } from '@sluice/ledger/units'
import type { Quote } from '@sluice/providers/prices/quote'
import type { Lane } from '@sluice/routing/lane'
import type { Authorised } from './authorised.ts'
import type { Route } from './route.ts'

/** A channel that can serve the request, and the price there. */
export interface Candidate {
  /** The requested model, or the fallback that replaces it. */
  readonly model: string
  readonly route: Route
  readonly lane: Lane
  readonly upstreamModel: string
  readonly quote: Quote
  /** The token's group that it serves; undefined if the token has none. */
  readonly group: string | undefined
  /** The ratio of that group, or of the caller's own, in millionths of the list price. */
  readonly groupRatio: bigint
}

/** Stage 6 of twelve. */
export interface Planned extends Authorised {
  /** In the order in which they are tried; never empty. */
  readonly candidates: readonly Candidate[]
  /** Why these were chosen, and no others. */
  readonly decision: RoutingDecision
}

/** A request whose worst case is reserved, or about to be: stage 7 of twelve. */
export interface Reserved extends Planned, Reservation {}

export interface Reservation {
  readonly hold: Hold
  /** True when charges must not leave a log row. */
  readonly unlogged: boolean
  /** Digest of the session named by the client, or empty. */
  readonly session: string
}

export interface Hold {
  /** Grows while the gateway waits for a long plain answer. */
  amount: Mq
  /** True if the answer can exceed the amount; final once its provider is known. */
  open: boolean
  /**
   * Undefined once the hold is in place; before that, the promise that waits for it. No byte of an answer leaves while it is
   * pending, and a refusal means that nothing is held. A stream's hold is in place once it is durable; a plain answer waits for its
   * settlement anyway.
   */
  pending: Promise<Refusal | undefined> | undefined
}
