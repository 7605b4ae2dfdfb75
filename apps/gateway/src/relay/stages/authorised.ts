import type { Accepted } from '../../edge/exchange.ts'
import type { CallKind } from '../calls/calls.ts'
import type { ParsedCall } from '../calls/parsed-call.ts'
import type { Identity } from './identity.ts'

/** A request of a known caller whose body has not been read yet: stage 2 of twelve. */
export interface Authenticated {
  readonly accepted: Accepted
  readonly identity: Identity
}

/** A request of a known caller with a parsed body, for models that its key may use: stage 3 of twelve. */
export interface Authorised extends Authenticated {
  /**
   * The bytes as they arrived, but with the model of a deployment's path and without a list of further models; not changed after
   * this, so that every candidate can be sent its own version.
   */
  readonly body: Buffer
  /** Models that the client asks to try, in order, if the first one cannot answer. */
  readonly further?: readonly string[]
  readonly kind: CallKind
  readonly parsed: ParsedCall
  /** Records progress for the list of running calls. */
  readonly flight?: FlightNotes
}

/**
 * What the list of running calls shows of a call: events are recorded as they happen, progress is computed only when the list is
 * read.
 */
export interface FlightNotes {
  asks(candidate: { readonly route: { readonly channel: { readonly id: number; readonly name: string } } }): void
  streams(progress: () => Progress): void
}

/** The part of an answer that has arrived, and its cost in mq; both are estimates. */
export interface Progress {
  readonly tokens: number
  readonly amount: bigint
}

export const NOTHING_YET: Progress = { tokens: 0, amount: 0n }
