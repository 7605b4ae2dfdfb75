import type { Refusal } from '@sluice/contract/errors'
import type { SseRelayEnd } from '@sluice/dialects/framing/sse-relay'
import type { DeliveredText, DeltaText } from '@sluice/dialects/openai-chat/delta-text'
import type { WireError } from '@sluice/dialects/openai-chat/errors'
import { outputCounted } from '@sluice/dialects/token-counts'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { Mq } from '@sluice/ledger/units'
import type { CallCause, Rest } from '@sluice/routing/health'
import type { ClientStream } from './client-stream.ts'
import type { Answered } from './dispatch.ts'
import { failureOfReport, wire } from './failure.ts'
import type { Pulse } from './pulse.ts'
import type { RelayOptions } from './relay-options.ts'
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
}

/** A stream whose client has left is read on for its usage at most this long. */
const DRAIN_MS = 30_000

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
    return {
      ...answered,
      ending: 'complete',
      usage,
      text,
      last,
      error: undefined,
      isDrained: false,
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
  private readonly options: DeliverDeps['options']
  /** Set when the client has left and the rest is read for its usage. */
  private drain: NodeJS.Timeout | undefined

  constructor(deps: DeliverDeps, answered: Answered, client: ClientStream, resolve: (delivered: Delivered) => void) {
    this.answered = answered
    this.client = client
    this.resolve = resolve
    this.hasText = answered.asked.hasText
    this.now = deps.now
    this.options = deps.options
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
    }
    const isTaken = this.drain !== undefined || client.write(pieces)
    if (!isTaken || watch.isHolding) this.answered.call.pause()
  }

  onAbandoned(): boolean {
    const { answered, watch } = this
    if (!answered.accepted.reply.destroyed || this.options().ClientLeftPolicy !== 'drain') return false
    this.drain ??= setTimeout(() => answered.call.cancel('the client has left'), DRAIN_MS)
    // What it left unread must not hold the provider back.
    this.client.isFull = false
    if (!watch.isHolding) answered.call.resume()
    return true
  }

  onEnd(end: SseRelayEnd): void {
    const { answered, watch } = this
    watch.close()
    clearTimeout(this.drain)
    const usage = answered.call.stream?.report
    const { ending, error, broke } = this.endingOf(end)
    const { laneCall, call } = answered
    const rest = broke === undefined ? laneCall.end(call, 'answered', '') : laneCall.end(call, broke, 'upstream_broken')
    this.resolve({
      ...answered,
      ending,
      error,
      usage,
      text: this.hasText && outputCounted(usage?.counts) === 0 ? this.text.finish() : undefined,
      last: terminalOf(answered),
      isDrained: this.drain !== undefined,
      held: watch.amount,
      broke,
      rest,
    })
  }

  private endingOf(end: SseRelayEnd): Pick<Delivered, 'ending' | 'error'> & { readonly broke?: CallCause } {
    if (this.drain !== undefined) return { ending: 'client_gone', error: undefined }
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
