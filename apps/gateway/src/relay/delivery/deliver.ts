import type { Refusal } from '@sluice/contract/errors'
import type { DeltaText } from '@sluice/dialects/canon/delta-text'
import type { SseRelayEnd } from '@sluice/dialects/framing/sse-relay'
import { outputCounted } from '@sluice/dialects/token-counts'
import { progressSoFar } from '../charge/ledger-rows.ts'
import type { StreamTimes } from '../client/client-stream.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { Answered, EventSink, StreamedReply } from '../stages/answered.ts'
import { NOTHING_YET } from '../stages/authorised.ts'
import { endedRefusal, isStopped } from '../stages/call-stopped.ts'
import type { Delivered, AnswerOutcome } from '../stages/delivered.ts'
import { failureOfReport, wire } from '../upstream/failure.ts'
import type { UnseenOutput } from './unseen-output.ts'
import { type StreamWatch } from './watch-hold.ts'

export interface DeliverDeps {
  readonly openWatch: (answered: Answered, text: DeltaText) => StreamWatch
  readonly options: () => Pick<RelayOptions, 'ClientLeftPolicy'>
  readonly times: Pick<StreamTimes, 'readOnMs'>
  readonly unseen: UnseenOutput
  readonly now: () => number
}

/** Bytes of an answer that are read after its client has left. */
const READ_ON_BYTES = 16_777_216

/** Streams the events as they arrive, except the terminal one. A plain answer is left whole until its charge is committed. */
export function deliver(deps: DeliverDeps, answered: Answered): Promise<Delivered> | Delivered {
  const { plain, client, hold } = answered
  if (plain !== undefined) {
    const { usage, delivered: text } = plain.answer
    const [last, held] = [plain.body, hold.amount]
    const cooldown = answered.laneCall.end(answered.call, 'answered', '')
    const { length: bytes } = plain.body
    deps.unseen.learn(answered, usage?.counts, { bytes, shown: () => bytes })
    return {
      ...answered,
      outcome: COMPLETE,
      usage,
      text,
      last,
      held,
      cooldown,
    }
  }
  if (client === undefined) throw new Error('a stream of events for a plain request')
  return new Promise((resolve) => {
    const delivery = new StreamDelivery(deps, answered, client, resolve)
    answered.call.attach(delivery)
  })
}

const COMPLETE: AnswerOutcome = { ending: 'complete' }

class StreamDelivery implements EventSink {
  readonly #answered: Answered
  readonly #client: StreamedReply
  readonly #text: DeltaText
  readonly #watch: StreamWatch
  readonly #resolve: (delivered: Delivered) => void
  readonly #hasText: boolean
  readonly #now: () => number
  readonly #deps: DeliverDeps
  /** Set when the client has left; `before_start`: before anything had reached it or been counted. */
  #left: 'before_start' | 'after_start' | undefined
  /** Set when the client has left and the rest is read for its usage. */
  #drain: NodeJS.Timeout | undefined
  /** Bytes that arrived, and how many of them arrived after the client had left. */
  #passed = 0
  #drained = 0
  #isCut = false

  constructor(deps: DeliverDeps, answered: Answered, client: StreamedReply, resolve: (delivered: Delivered) => void) {
    this.#answered = answered
    this.#client = client
    this.#resolve = resolve
    this.#hasText = answered.parsed.hasText
    this.#now = deps.now
    this.#deps = deps
    this.#text = answered.parsed.format.openText()
    this.#watch = deps.openWatch(answered, this.#text)
    // An answer that is not text is worth nothing before it is whole.
    answered.flight?.streams(() => (this.#hasText ? progressSoFar(answered, this.#text.measure()) : NOTHING_YET))
    client.onDrain = () => {
      if (!this.#watch.isHolding) answered.call.resume()
    }
  }

  onEvents(pieces: readonly Uint8Array[]): void {
    const client = this.#client
    const text = this.#text
    const watch = this.#watch
    if (client.firstByte === 0) client.firstByte = this.#now()
    for (const piece of pieces) {
      if (this.#hasText) text.add(piece)
      watch.count(piece.length)
      this.#passed += piece.length
    }
    const isTaken = this.#drain === undefined ? client.write(pieces) : this.#drop(pieces)
    if (!isTaken || watch.isHolding) this.#answered.call.pause()
  }

  onAbandoned(): boolean {
    const answered = this.#answered
    const watch = this.#watch
    if (this.#drain !== undefined) return true
    if (!answered.accepted.reply.destroyed) return false
    const isRead = this.#leave()
    if (!isRead) return false
    this.#drain = setTimeout(() => this.#giveUp('the client has left'), this.#deps.times.readOnMs)
    answered.accepted.atStop(() => this.#giveUp('the gateway stops'))
    // The client's unread bytes must not hold the provider back.
    this.#client.isFull = false
    if (!watch.isHolding) answered.call.resume()
    return true
  }

  /**
   * Decides what happens to an answer when its client leaves. True to keep reading for its usage: because the setting requires it,
   * because the end has arrived and only the usage is missing, or because the answer may have cost more than the text that arrived.
   */
  #leave(): boolean {
    const answered = this.#answered
    const client = this.#client
    const hasText = this.#hasText
    const { stream } = answered.call
    const { ClientLeftPolicy: policy } = this.#deps.options()
    const report = stream?.report
    const unseen = this.#deps.unseen.of(answered)
    const hasCome = client.firstByte > 0 && (!hasText || unseen === 'more' || this.#text.measure() > 0)
    this.#left = hasCome || report !== undefined ? 'after_start' : 'before_start'
    if (policy === 'void' || this.#left === 'before_start') return false
    if (policy === 'drain') return true
    return outputCounted(report?.counts) === 0 && (stream?.finished === true || unseen !== 'nothing')
  }

  #drop(pieces: readonly Uint8Array[]): boolean {
    for (const { length } of pieces) this.#drained += length
    if (this.#drained > READ_ON_BYTES) this.#giveUp('the client has left')
    return true
  }

  #giveUp(reason: string): void {
    this.#isCut = true
    this.#answered.call.cancel(reason)
  }

  onEnd(end: SseRelayEnd): void {
    const answered = this.#answered
    const watch = this.#watch
    watch.close()
    clearTimeout(this.#drain)
    const { laneCall, call } = answered
    const usage = call.stream?.report
    const outcome = this.#outcomeOf(end)
    const cooldown =
      outcome.ending === 'upstream_broken'
        ? laneCall.end(call, outcome.cause, outcome.ending)
        : laneCall.end(call, 'answered', '')
    if (end.outcome === 'complete' && (this.#left === undefined || this.#drain !== undefined)) {
      this.#deps.unseen.learn(answered, usage?.counts, { bytes: this.#passed, shown: () => this.#text.measure() })
    }
    const isUncounted = outputCounted(usage?.counts) === 0
    this.#resolve({
      ...answered,
      outcome,
      usage,
      text: this.#hasText && isUncounted ? this.#text.finish() : undefined,
      last: terminalOf(answered),
      held: watch.amount,
      cooldown,
    })
  }

  #outcomeOf(end: SseRelayEnd): AnswerOutcome {
    const left = this.#left
    if (left === 'before_start') return { ending: 'client_gone', left }
    if (left === 'after_start') return this.#outcomeOfLeaving(end)
    if (end.outcome === 'complete') return COMPLETE
    const { refusal } = this.#watch
    if (refusal !== undefined) {
      return isUncovered(refusal)
        ? { ending: 'quota_exhausted', extent: this.#extentGivenUp(), error: refusal }
        : { ending: 'gateway_stopped', extent: 'part', error: refusal }
    }
    const { signal, reply } = this.#answered.accepted
    if (reply.destroyed) return { ending: 'client_gone', left: 'after_start', extent: 'part', isReadOn: false }
    if (!signal.aborted) return this.#outcomeOfBreak(end.reason)
    const error = endedRefusal(signal)
    // Stopping an answer must not be cheaper than leaving it.
    return isStopped(signal)
      ? { ending: 'stopped', extent: this.#extentGivenUp(), error }
      : { ending: 'gateway_stopped', extent: 'part', error }
  }

  #outcomeOfLeaving(end: SseRelayEnd): AnswerOutcome {
    const gone = { ending: 'client_gone', left: 'after_start' } as const
    const isReadOn = this.#drain !== undefined
    if (end.outcome === 'complete') return { ...gone, extent: 'whole', isReadOn }
    const isGivenUp = this.#isCut || isUncovered(this.#watch.refusal)
    return isGivenUp
      ? { ...gone, extent: this.#extentGivenUp(), isReadOn: false }
      : { ...gone, extent: 'part', isReadOn }
  }

  #outcomeOfBreak(reason: string): AnswerOutcome {
    const { call, candidate } = this.#answered
    const reported = call.stream?.error
    if (reported === undefined) {
      const error: Refusal = { code: 'upstream_broken', params: { reason } }
      return { ending: 'upstream_broken', cause: 'provider', error }
    }
    const { cause, reply } = failureOfReport(candidate.route.kind, reported)
    return { ending: 'upstream_broken', cause, error: reply.vendor?.error ?? wire(reported) }
  }

  #extentGivenUp(): 'part' | 'unclear' {
    const answered = this.#answered
    const isUncounted = outputCounted(answered.call.stream?.report?.counts) === 0
    return isUncounted && this.#deps.unseen.of(answered) !== 'nothing' ? 'unclear' : 'part'
  }
}

/** Whether the quota is exhausted, rather than the ledger unavailable. */
function isUncovered(refusal: Refusal | undefined): boolean {
  return refusal !== undefined && refusal.code !== 'ledger_unavailable'
}

/** Some providers end their streams without the terminal event; clients of streamed text wait for it. */
function terminalOf({ parsed, call }: Answered): Uint8Array {
  const terminal = call.stream?.terminal ?? NOTHING
  return terminal.length === 0 && parsed.hasText ? parsed.format.terminal : terminal
}

const NOTHING = new Uint8Array(0)
