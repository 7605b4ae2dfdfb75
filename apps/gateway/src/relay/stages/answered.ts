import type { ErrorCode } from '@sluice/contract/errors'
import type { Loss } from '@sluice/dialects/canon/losses'
import type { WireError } from '@sluice/dialects/canon/upstream-error'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import type { SseRelayEnd } from '@sluice/dialects/framing/sse-relay'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { AccountWindow } from '@sluice/routing/account-window'
import type { CallCause, Cooldown } from '@sluice/routing/health'
import type { AnswerReader, WholeAnswer } from '../calls/answer-reader.ts'
import type { Attempt } from './attempt.ts'
import type { FailureReply } from './failure-reply.ts'
import type { Candidate, Reserved } from './planned.ts'

interface Tried extends Reserved {
  readonly attempts: readonly Attempt[]
  /** Unix milliseconds when the first call was sent; 0 when none was. */
  readonly forwarded: number
  /** Undefined for a plain answer. */
  readonly client: StreamedReply | undefined
}

/** A request whose answer is arriving: stage 8 of twelve. Its hold is still open. */
export interface Answered extends Tried {
  readonly candidate: Candidate
  readonly call: AnswerCall
  /** Must be told how the call ends. */
  readonly laneCall: LaneCall
  /** Undefined when events are streaming. */
  readonly plain: PlainAnswer | undefined
  readonly reader: AnswerReader
  readonly losses: readonly Loss[]
}

/** A request that no channel answered, or whose client has left. */
export interface Unanswered extends Tried {
  /** Undefined when the client has left. */
  readonly failure: FailureReply | undefined
  /** The channel that was being called when the client left, or that reported usage with its error; undefined for none. */
  readonly atWork: Candidate | undefined
  readonly usage: UsageReport | undefined
  /** False if the ledger refused the hold, in which case there is nothing to release. */
  readonly isHeld: boolean
}

export interface PlainAnswer {
  readonly body: Buffer
  readonly answer: WholeAnswer
}

export interface AnswerCall {
  /** HTTP status; 0 before the headers have arrived. */
  readonly status: number
  /** Unix milliseconds; 0 when not reached. */
  readonly firstUpstream: number
  readonly completed: number
  /** The date of a failing answer was far from our clock. */
  readonly clocksDiffer: boolean
  /** What the headers say about the key's account. */
  readonly windows: readonly AccountWindow[]
  /** Undefined for a plain call. */
  readonly stream: AnswerStream | undefined
  /** Undefined for an HTTP request. */
  readonly transport: 'websocket' | undefined
  /** Delivers waiting events at once. */
  attach(sink: EventSink): void
  pause(): void
  resume(): void
  /** Abandons the call; the connection is closed. Ends a delivered stream as broken for `reason`. */
  cancel(reason: string): void
}

/** Receives a stream's events in order, then its end once. */
export interface EventSink {
  onEvents(pieces: readonly Uint8Array[]): void
  onEnd(end: SseRelayEnd): void
  /** No client is waiting any more. True if the sink still wants to read the events to their end. */
  onAbandoned(): boolean
}

export type EndedCall = Pick<AnswerCall, 'status' | 'firstUpstream'> &
  Partial<Pick<AnswerCall, 'clocksDiffer' | 'windows'>>

/** A call to a provider, as reported to its lane's health and to the call counters. */
export interface LaneCall {
  /** Unix milliseconds. */
  readonly started: number
  /** Milliseconds so far, independent of clock changes. */
  elapsed(): number
  answered(call: Pick<AnswerCall, 'firstUpstream'> & Partial<Pick<AnswerCall, 'windows'>>): void
  /**
   * Only the first end counts. `code` is empty on success; `waitMs` is the wait that the provider requested. Returns the lane's new
   * cooldown.
   */
  end(call: EndedCall, cause: CallCause, code: ErrorCode | '', waitMs?: number): Cooldown | undefined
}

export interface StreamedReply {
  /** Unix milliseconds of the first byte of the answer; 0 before. */
  firstByte: number
  /** The client has not read what was sent, so further writes would pile up. */
  isFull: boolean
  /** Called when a client that was behind has caught up. */
  onDrain: (() => void) | undefined
  /** Sends whole events. False if the client is behind: wait for `onDrain`. */
  write(pieces: readonly Uint8Array[]): boolean
  end(terminal: Uint8Array): void
  /** Ends the stream with an error event, never silently. */
  fail(error: WireError, status: number, requestId: string): void
}
