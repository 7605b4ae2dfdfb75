import type { Refusal } from '@sluice/contract/errors'
import type { SseRelayEnd } from '@sluice/dialects/framing/sse-relay'
import type { DeliveredText, DeltaText } from '@sluice/dialects/openai-chat/delta-text'
import type { WireError } from '@sluice/dialects/openai-chat/errors'
import { outputCounted } from '@sluice/dialects/token-counts'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { Mq } from '@sluice/ledger/units'
import type { CallCause, Rest } from '@sluice/routing/health'
import type { ClientStream, StreamTimes } from './client-stream.ts'
import type { Answered } from './dispatch.ts'
import { failureOfReport, wire } from './failure.ts'
import type { Pulse } from './pulse.ts'
import type { RelayOptions } from './relay-options.ts'
import type { UnseenOutput } from './unseen-output.ts'
import type { EventSink } from './upstream-call.ts'
import { openWatch, type StreamWatch, type WatchDeps } from './watch-hold.ts'

/**
 * How an answer ended, as the log row says it.
 * complete → all of it arrived · client_gone → the client left · upstream_broken → the provider broke off ·
 * quota_exhausted → the quota did not cover more of it · gateway_stopped → this process gave up waiting for its end, or could
 * not hold quota for it any more
 */
export type Ending = 'complete' | 'client_gone' | 'upstream_broken' | 'quota_exhausted' | 'gateway_stopped'

/** Everything but the end of an answer has been delivered: step 8 of ten. */
export interface Delivered extends Answered {
  readonly ending: Ending
  /** What the provider reported; without counts it must be counted here. */
  readonly usage: UsageReport | undefined
  /** What was delivered, for counting; undefined when a usage tells that there was something. */
  readonly text: DeliveredText | undefined
  /** Last bytes, to be sent when the charge is committed: the terminal event, or a plain body. */
  readonly last: Uint8Array
  /** What the client is told instead of a proper end. */
  readonly error: WireError | Refusal | undefined
  /** The client had left, and the answer was read on for its usage. */
  readonly isDrained: boolean
  /** The client left before anything of the answer had come to it, and before the provider had counted anything. */
  readonly gotNothing: boolean
  /** The provider ended the answer properly, whether or not the client was still there. */
  readonly isWhole: boolean
  /** The answer was given up here, and may have cost what nobody was told of. */
  readonly isCut: boolean
  /** Amount of the hold in the end. */
  readonly held: Mq
  /** What it says about its channel that it broke off; undefined when it did not. */
  readonly broke: CallCause | undefined
  /** What the channel's way was given for breaking off. */
  readonly rest: Rest | undefined
}

export interface DeliverDeps extends WatchDeps {
  readonly pulse: Pulse
  readonly options: () => Pick<RelayOptions, 'ClientLeftPolicy'>
  readonly times: Pick<StreamTimes, 'readOnMs'>
  readonly unseen: UnseenOutput
}

/** Bytes that are read of an answer after its client has left. */
const READ_ON_BYTES = 16_777_216

/**
 * Streams the events of an answer to the client as they come, keeping back the terminal one. A plain answer is left whole
 * for the next step: none of it leaves before its charge is committed.
 */
export async function deliver(deps: DeliverDeps, answered: Answered): Promise<Delivered> {
  const { plain, client, hold } = answered
  if (plain !== undefined) {
    const { usage, delivered: text } = plain.answer
    const [last, held] = [plain.body, hold.amount]
    const rest = answered.laneCall.end(answered.call, 'answered', '')
    const { length: bytes } = plain.body
    deps.unseen.learn(answered, usage?.counts, { bytes, shown: () => bytes })
    return {
      ...answered,
      ending: 'complete',
      usage,
      text,
      last,
      error: undefined,
      isDrained: false,
      gotNothing: false,
      isWhole: true,
      isCut: false,
      held,
      broke: undefined,
      rest,
    }
  }
  if (client === undefined) throw new Error('a stream of events for a plain request')
  return await new Promise((resolve) => {
    const delivery = new StreamDelivery(deps, answered, client, resolve)
    answered.call.attach(delivery)
  })
}

/** Passes events on, holds the provider back when the client is behind, and watches the hold. */
class StreamDelivery implements EventSink {
  private readonly answered: Answered
  private readonly client: ClientStream
  private readonly text: DeltaText
  private readonly watch: StreamWatch
  private readonly resolve: (delivered: Delivered) => void
  private readonly hasText: boolean
  private readonly now: () => number
  private readonly deps: DeliverDeps
  /** Set when the client has left. */
  private left: { readonly gotNothing: boolean } | undefined
  /** Set when the client has left and the rest is read for its usage. */
  private drain: NodeJS.Timeout | undefined
  /** Bytes that came, and those of them that came after the client had left. */
  private passed = 0
  private drained = 0
  private isCut = false

  constructor(deps: DeliverDeps, answered: Answered, client: ClientStream, resolve: (delivered: Delivered) => void) {
    this.answered = answered
    this.client = client
    this.resolve = resolve
    this.hasText = answered.asked.hasText
    this.now = deps.now
    this.deps = deps
    this.text = answered.asked.voice.openText()
    this.watch = openWatch(deps, answered, this.text)
    client.onDrain = () => {
      if (!this.watch.isHolding) answered.call.resume()
    }
  }

  onEvents(pieces: readonly Uint8Array[]): void {
    const { client, text, watch } = this
    if (client.firstByte === 0) client.firstByte = this.now()
    for (const piece of pieces) {
      if (this.hasText) text.add(piece)
      watch.count(piece.length)
      this.passed += piece.length
    }
    const isTaken = this.drain === undefined ? client.write(pieces) : this.drop(pieces)
    if (!isTaken || watch.isHolding) this.answered.call.pause()
  }

  onAbandoned(): boolean {
    const { answered, watch } = this
    if (this.drain !== undefined) return true
    if (!answered.accepted.reply.destroyed) return false
    const isRead = this.leave()
    if (!isRead) return false
    this.drain = setTimeout(() => this.giveUp('the client has left'), this.deps.times.readOnMs)
    answered.accepted.atStop(() => this.giveUp('the gateway stops'))
    // What it left unread must not hold the provider back.
    this.client.isFull = false
    if (!watch.isHolding) answered.call.resume()
    return true
  }

  /**
   * What becomes of an answer is decided when its client leaves. True to read it on for its usage: as the setting says, because its
   * end is here and only the usage is missing, or because it may have cost more than the text that came.
   */
  private leave(): boolean {
    const { answered, client, hasText } = this
    const { stream } = answered.call
    const { ClientLeftPolicy: policy } = this.deps.options()
    const report = stream?.report
    const unseen = this.deps.unseen.of(answered)
    const hasCome = client.firstByte > 0 && (!hasText || unseen === 'more' || this.text.measure() > 0)
    this.left = { gotNothing: !hasCome && report === undefined }
    if (policy === 'void' || this.left.gotNothing) return false
    if (policy === 'drain') return true
    return outputCounted(report?.counts) === 0 && (stream?.finished === true || unseen !== 'nothing')
  }

  private drop(pieces: readonly Uint8Array[]): boolean {
    for (const { length } of pieces) this.drained += length
    if (this.drained > READ_ON_BYTES) this.giveUp('the client has left')
    return true
  }

  private giveUp(reason: string): void {
    this.isCut = true
    this.answered.call.cancel(reason)
  }

  onEnd(end: SseRelayEnd): void {
    const { answered, watch, left } = this
    watch.close()
    clearTimeout(this.drain)
    const usage = answered.call.stream?.report
    const { ending, error, broke } = this.endingOf(end)
    const { laneCall, call } = answered
    const rest = broke === undefined ? laneCall.end(call, 'answered', '') : laneCall.end(call, broke, 'upstream_broken')
    const isWhole = end.outcome === 'complete'
    // Whether or not its client was still there.
    const isUncovered = watch.refusal !== undefined && watch.refusal.code !== 'ledger_unavailable'
    const isGivenUp = !isWhole && (this.isCut || isUncovered)
    if (isWhole && (left === undefined || this.drain !== undefined)) {
      this.deps.unseen.learn(answered, usage?.counts, { bytes: this.passed, shown: () => this.text.measure() })
    }
    const isUncounted = outputCounted(usage?.counts) === 0
    this.resolve({
      ...answered,
      ending,
      error,
      usage,
      text: this.hasText && isUncounted ? this.text.finish() : undefined,
      last: terminalOf(answered),
      isDrained: this.drain !== undefined && !isGivenUp,
      gotNothing: left?.gotNothing === true,
      isWhole,
      isCut: isUncounted && isGivenUp && this.deps.unseen.of(answered) !== 'nothing',
      held: watch.amount,
      broke,
      rest,
    })
  }

  private endingOf(end: SseRelayEnd): Pick<Delivered, 'ending' | 'error'> & { readonly broke?: CallCause } {
    if (this.left !== undefined) return { ending: 'client_gone', error: undefined }
    if (end.outcome === 'complete') return { ending: 'complete', error: undefined }
    const { refusal } = this.watch
    if (refusal !== undefined) {
      return { ending: refusal.code === 'ledger_unavailable' ? 'gateway_stopped' : 'quota_exhausted', error: refusal }
    }
    const { signal, reply } = this.answered.accepted
    if (reply.destroyed) return { ending: 'client_gone', error: undefined }
    if (signal.aborted) return { ending: 'gateway_stopped', error: { code: 'shutting_down' } }
    const reported = this.answered.call.stream?.error
    if (reported === undefined) {
      const error: Refusal = { code: 'upstream_broken', params: { reason: end.reason } }
      return { ending: 'upstream_broken', error, broke: 'provider' }
    }
    const { cause, reply: told } = failureOfReport(reported)
    return { ending: 'upstream_broken', error: told.vendor?.error ?? wire(reported), broke: cause }
  }
}

/** Some providers end their streams without the terminal event; clients of streamed text wait for it. */
function terminalOf({ asked, call }: Answered): Uint8Array {
  const terminal = call.stream?.terminal ?? NOTHING
  return terminal.length === 0 && asked.hasText ? asked.voice.terminal : terminal
}

const NOTHING = new Uint8Array(0)
