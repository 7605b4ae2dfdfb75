import type { Accepted } from '../../edge/exchange.ts'
import type { CallKind } from '../calls/calls.ts'
import type { ParsedCall } from '../calls/parsed-call.ts'
import type { Identity } from './identity.ts'

/** A request of a known caller whose body has not been read yet: stage 2 of twelve. */
export interface Authenticated {
  readonly accepted: Accepted
  readonly identity: Identity
}

/** A request of a known caller whose shape is known, for models that its key may use: stage 3 of twelve. */
export interface Authorised extends Authenticated {
  /**
   * The bytes as they arrived, but with the model of a deployment's path and without a list of further models; never changed after
   * this, so every candidate can be sent its own version of them.
   */
  readonly body: Buffer
  /** Models that the client wants tried, in order, when the first one cannot answer. */
  readonly further?: readonly string[]
  readonly kind: CallKind
  readonly parsed: ParsedCall
  /** Where what becomes of it is noted, for the list of running calls. */
  readonly flight?: FlightNotes
}

/** What the list of running calls shows of a call; written as it happens, computed only for the list. */
export interface FlightNotes {
  /** It is sent to this channel. */
  asks(candidate: { readonly route: { readonly channel: { readonly id: number; readonly name: string } } }): void
  /** Its answer has begun to arrive. */
  streams(progress: () => Progress): void
}

/** What has arrived of an answer, and what that costs, in mq; both are estimates. */
export interface Progress {
  readonly tokens: number
  readonly amount: bigint
}

export const NOTHING_YET: Progress = { tokens: 0, amount: 0n }
