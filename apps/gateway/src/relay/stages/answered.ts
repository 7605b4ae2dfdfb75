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

/** What every outcome of this step has in common. */
interface Tried extends Reserved {
  /** Failed attempts, in order. */
  readonly attempts: readonly Attempt[]
  /** Unix milliseconds when the first call was sent; 0 when none was. */
  readonly forwarded: number
  /** The client's side of a streamed answer; undefined for a plain one. */
  readonly client: StreamedReply | undefined
}

/** A request with an answer on its way: stage 8 of twelve. Its hold is still in place. */
export interface Answered extends Tried {
  readonly candidate: Candidate
  readonly call: AnswerCall
  /** To be notified how the call ends. */
  readonly laneCall: LaneCall
  /** The whole reply; undefined when events are streaming. */
  readonly plain: PlainAnswer | undefined
  readonly reader: AnswerReader
  /** What the provider did not see as the client said it. */
  readonly losses: readonly Loss[]
}

/** A request that no channel answered, or that no client waits for any more. */
export interface Unanswered extends Tried {
  /** Undefined when the client has left. */
  readonly failure: FailureReply | undefined
  /** The channel that was at work when the client left, or that counted something with its error; undefined for none. */
  readonly atWork: Candidate | undefined
  /** What that channel counted with the error that it reported instead of an answer. */
  readonly usage: UsageReport | undefined
  /** False when the ledger refused the hold: then there is nothing to release. */
  readonly isHeld: boolean
}

/** A whole reply that is an answer. */
export interface PlainAnswer {
  /** As the client gets it. */
  readonly body: Buffer
  readonly answer: WholeAnswer
}

/** A call to a provider, as the stages after it know it. */
export interface AnswerCall {
  /** HTTP status; 0 before the head arrived. */
  readonly status: number
  /** Unix milliseconds; 0 when not reached. */
  readonly firstUpstream: number
  readonly completed: number
  /** A failing answer was dated far from our clock. */
  readonly clocksDiffer: boolean
  /** What its head says about the account of the key. */
  readonly windows: readonly AccountWindow[]
  /** Undefined for a plain call. */
  readonly stream: AnswerStream | undefined
  /** Undefined for a request of HTTP. */
  readonly transport: 'websocket' | undefined
  /** Hands a started stream over; what waited is delivered at once. */
  attach(sink: EventSink): void
  pause(): void
  resume(): void
  /** Gives the call up; the connection is closed. Ends a delivered stream as broken for `reason`. */
  cancel(reason: string): void
}

/** Receives the events of a stream, in order, then its end, once. */
export interface EventSink {
  onEvents(pieces: readonly Uint8Array[]): void
  onEnd(end: SseRelayEnd): void
  /** No client waits for the events any more. True when the sink still wants to read them to their end. */
  onAbandoned(): boolean
}

export type EndedCall = Pick<AnswerCall, 'status' | 'firstUpstream'> &
  Partial<Pick<AnswerCall, 'clocksDiffer' | 'windows'>>

/** A call to a provider, as reported to its lane's health and to the call counters. */
export interface LaneCall {
  /** Unix milliseconds. */
  readonly started: number
  /** Milliseconds that it has taken so far, however the clock is set meanwhile. */
  elapsed(): number
  /** The first byte of an answer arrived. */
  answered(call: Pick<AnswerCall, 'firstUpstream'> & Partial<Pick<AnswerCall, 'windows'>>): void
  /** Only the first end counts. `code` is empty on success; `waitMs`: as the provider asked. Returns the lane's new cooldown. */
  end(call: EndedCall, cause: CallCause, code: ErrorCode | '', waitMs?: number): Cooldown | undefined
}

/** The client's side of a streamed answer. */
export interface StreamedReply {
  /** Unix milliseconds of the first byte of the answer; 0 before. */
  firstByte: number
  /** The client has not read what was sent; writing more would only pile up. */
  isFull: boolean
  /** Called when a client that was behind has caught up. */
  onDrain: (() => void) | undefined
  /** Sends whole events. False when the client is behind: wait for `onDrain`. */
  write(pieces: readonly Uint8Array[]): boolean
  end(terminal: Uint8Array): void
  /** Ends the stream with an error event, never with silence. */
  fail(error: WireError, status: number, requestId: string): void
}
