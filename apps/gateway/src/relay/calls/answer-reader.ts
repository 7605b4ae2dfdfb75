import type { FollowUp } from '@sluice/dialects/canon/codec'
import type { DeliveredText } from '@sluice/dialects/canon/delta-text'
import type { UpstreamError } from '@sluice/dialects/canon/upstream-error'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'

export interface AnswerReader {
  openStream(): AnswerStream
  /** Reads a whole answer with a success status. */
  readAnswer(
    body: Buffer,
    contentType: string,
  ): WholeAnswer | { readonly invalid: string } | { readonly follow: FollowUp }
  /** Turns a whole answer into the requested events, for providers that do not stream. `counted` is its usage if counted here. */
  asEvents(body: Buffer, counted?: TokenCounts): Uint8Array
}

export interface WholeAnswer {
  readonly usage: UsageReport | undefined
  /** An error with a success status: the answer is treated as an error. */
  readonly error: UpstreamError | undefined
  /** The text, for counting; undefined if it need not be counted. */
  readonly delivered: DeliveredText | undefined
  /** The provider's ids for the answer and its parts, where it stores them. */
  readonly ids?: readonly string[]
  /** Containers and files that the answer was created with and that can be reused. */
  readonly objects?: readonly string[] | undefined
  /** What the client gets; absent if the provider's bytes pass through. */
  readonly body?: Buffer
  /** For the client; absent for JSON. */
  readonly contentType?: string
}
