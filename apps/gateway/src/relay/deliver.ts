import type { Refusal } from '@sluice/contract/errors'
import type { SseRelayEnd } from '@sluice/dialects/framing/sse-relay'
import { type DeliveredText, type DeltaText, openDeltaText } from '@sluice/dialects/openai-chat/delta-text'
import { doneEvent, type WireError } from '@sluice/dialects/openai-chat/errors'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { ClientStream } from './client-stream.ts'
import type { Answered } from './dispatch.ts'
import { wire } from './failure.ts'
import type { Pulse } from './pulse.ts'
import type { EventSink } from './upstream-call.ts'
import { openWatch, type StreamWatch, type WatchDeps } from './watch-hold.ts'

/**
 * How an answer ended, as the log row says it.
 * complete → all of it arrived · client_gone → the client left · upstream_broken → the provider broke off ·
 * quota_exhausted → the quota did not cover more of it · gateway_stopped → this process gave up waiting for its end
 */
export type Ending = 'complete' | 'client_gone' | 'upstream_broken' | 'quota_exhausted' | 'gateway_stopped'

/** Everything but the end of an answer has been delivered: step 8 of ten. */
export interface Delivered extends Answered {
  readonly ending: Ending
  /** What the provider reported; undefined when it must be counted here. */
  readonly usage: TokenCounts | undefined
  /** What was delivered, for counting; undefined when the usage is known. */
  readonly text: DeliveredText | undefined
  /** Last bytes, to be sent when the charge is committed: the terminal event, or a plain body. */
  readonly last: Uint8Array
  /** What the client is told instead of a proper end. */
  readonly error: WireError | Refusal | undefined
}

export interface DeliverDeps extends WatchDeps {
  readonly pulse: Pulse
}

/**
 * Streams the events of an answer to the client as they come, keeping back the terminal one. A plain answer is left whole
 * for the next step: none of it leaves before its charge is committed.
 */
export async function deliver(deps: DeliverDeps, answered: Answered): Promise<Delivered> {
  const { plain, client } = answered
  if (plain !== undefined) {
    const { usage, delivered } = plain.reply
    return { ...answered, ending: 'complete', usage, text: delivered, last: plain.body, error: undefined }
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
  private readonly text: DeltaText = openDeltaText()
  private readonly watch: StreamWatch
  private readonly resolve: (delivered: Delivered) => void
  private readonly now: () => number

  constructor(deps: DeliverDeps, answered: Answered, client: ClientStream, resolve: (delivered: Delivered) => void) {
    this.answered = answered
    this.client = client
    this.resolve = resolve
    this.now = deps.now
    this.watch = openWatch(deps, answered, this.text)
    client.onDrain = () => {
      if (!this.watch.isHolding) answered.call.resume()
    }
  }

  onEvents(pieces: readonly Uint8Array[]): void {
    const { client, text, watch } = this
    if (client.firstByte === 0) client.firstByte = this.now()
    for (const piece of pieces) {
      text.add(piece)
      watch.count(piece.length)
    }
    const isTaken = client.write(pieces)
    if (!isTaken || watch.isHolding) this.answered.call.pause()
  }

  onEnd(end: SseRelayEnd): void {
    const { answered, watch } = this
    watch.close()
    const usage = answered.call.stream?.usage
    const { ending, error } = this.endingOf(end)
    this.resolve({
      ...answered,
      ending,
      error,
      usage,
      text: usage === undefined ? this.text.finish() : undefined,
      last: terminalOf(answered.call.stream?.terminal),
    })
  }

  private endingOf(end: SseRelayEnd): Pick<Delivered, 'ending' | 'error'> {
    if (end.outcome === 'complete') return { ending: 'complete', error: undefined }
    if (this.watch.refusal !== undefined) return { ending: 'quota_exhausted', error: this.watch.refusal }
    const { signal, reply } = this.answered.accepted
    if (reply.destroyed) return { ending: 'client_gone', error: undefined }
    if (signal.aborted) return { ending: 'gateway_stopped', error: { code: 'shutting_down' } }
    const reported = this.answered.call.stream?.error
    const error: WireError | Refusal =
      reported === undefined ? { code: 'upstream_broken', params: { reason: end.reason } } : wire(reported)
    return { ending: 'upstream_broken', error }
  }
}

/** Some providers end their streams without the terminal event; clients of this dialect wait for it. */
function terminalOf(terminal: Uint8Array | undefined): Uint8Array {
  return terminal === undefined || terminal.length === 0 ? doneEvent() : terminal
}
