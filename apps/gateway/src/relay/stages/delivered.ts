import type { Refusal } from '@sluice/contract/errors'
import type { DeliveredText } from '@sluice/dialects/canon/delta-text'
import type { WireError } from '@sluice/dialects/canon/upstream-error'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { Settlement } from '@sluice/ledger/operation'
import type { Mq } from '@sluice/ledger/units'
import type { CallCause, Cooldown } from '@sluice/routing/health'
import type { Answered } from './answered.ts'

/**
 * How much of an answer its provider has generated. whole → it ended properly, whether or not the client was still there · part →
 * only the part that arrived · unclear → the gateway abandoned the answer, which may have cost more than was reported
 */
export type AnswerExtent = 'whole' | 'part' | 'unclear'

/**
 * How an answer ended, as named in log rows. complete → all of it arrived · client_gone → the client left · upstream_broken → the
 * provider interrupted it · quota_exhausted → the quota was used up · gateway_stopped → this process gave up waiting for its end,
 * or could no longer hold quota for it · stopped → its owner or an administrator stopped it
 */
export type AnswerOutcome =
  | { readonly ending: 'complete' }
  /** The client left before any of the answer had reached it, and before the provider had counted anything. */
  | { readonly ending: 'client_gone'; readonly left: 'before_start' }
  /** `isReadOn`: the rest of the answer was read for its usage. */
  | {
      readonly ending: 'client_gone'
      readonly left: 'after_start'
      readonly extent: AnswerExtent
      readonly isReadOn: boolean
    }
  /** `cause`: what this says about the channel. `error`: what the client gets instead of a proper end. */
  | { readonly ending: 'upstream_broken'; readonly cause: CallCause; readonly error: WireError | Refusal }
  | {
      readonly ending: 'quota_exhausted' | 'gateway_stopped' | 'stopped'
      readonly extent: Exclude<AnswerExtent, 'whole'>
      readonly error: Refusal
    }

/** Everything but the end of an answer has been delivered: stage 9 of twelve. */
export interface Delivered extends Answered {
  readonly outcome: AnswerOutcome
  /** The provider's report; if it has no counts, the usage must be counted here. */
  readonly usage: UsageReport | undefined
  /** Our count combined with the provider's report; undefined if the report is complete, or nothing has been counted yet. */
  readonly counted?: TokenCounts | undefined
  /** The delivered text, for counting; undefined if the reported usage already shows that there was some. */
  readonly text: DeliveredText | undefined
  /** Last bytes, to be sent when the charge is committed: the terminal event, or a plain body. */
  readonly last: Uint8Array
  readonly held: Mq
  /** The cooldown of the lane after an interrupted answer, or because of its account information. */
  readonly cooldown: Cooldown | undefined
}

/** The request is settled and the client has received everything: stage 11 of twelve. */
export interface Settled {
  /** Undefined when nothing was charged. */
  readonly settlement: Settlement | undefined
  /** Milliseconds that the end of the answer waited for its charge. */
  readonly commitMs: number
}
