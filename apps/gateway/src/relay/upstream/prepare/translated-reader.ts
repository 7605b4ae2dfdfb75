import { uniqueCallIds, withUniqueCallIds } from '@sluice/dialects/canon/calls/answer-call-ids'
import { freeTextEvents, withFreeText } from '@sluice/dialects/canon/calls/free-text-tools'
import { clientNames, type TakenNames, withClientNames } from '@sluice/dialects/canon/calls/tool-aliases'
import type {
  AnswerContext,
  AnswerDecoder,
  AnswerEncoder,
  ClientCodec,
  UpstreamCodec,
} from '@sluice/dialects/canon/codec'
import type { DeliveredText } from '@sluice/dialects/canon/delta-text'
import type { AnswerEvent } from '@sluice/dialects/canon/events'
import { type CanonReply, fold } from '@sluice/dialects/canon/reply'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import { type FrameReader, type Framing, openFrames } from '@sluice/dialects/framing/frames'
import { openTranslatedStream } from '@sluice/dialects/framing/translated-stream'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { AnswerReader, WholeAnswer } from '../../calls/answer-reader.ts'

export class TranslatedReader implements AnswerReader {
  readonly #framing: Framing
  readonly #upstream: UpstreamCodec
  readonly #client: ClientCodec
  readonly #context: AnswerContext
  readonly #aliases: TakenNames['aliases']
  #events: readonly AnswerEvent[] = []

  constructor(
    framing: Framing,
    upstream: UpstreamCodec,
    client: ClientCodec,
    context: AnswerContext,
    aliases: TakenNames['aliases'],
  ) {
    this.#framing = framing
    this.#upstream = upstream
    this.#client = client
    this.#context = context
    this.#aliases = aliases
  }

  openStream(): AnswerStream {
    const encoder = this.#client.openEncoder(this.#context)
    return openTranslatedStream(openFrames(this.#framing), this.#openDecoder(), encoder)
  }

  readAnswer(body: Buffer, contentType: string) {
    if (STREAMED.test(contentType)) return this.#tell(this.#readStream(body))
    const reply = asObject(parseJson(body.toString()))
    if (reply === undefined) return { invalid: 'it is not a JSON object' }
    const follow = this.#upstream.followUp?.(reply)
    return follow === undefined ? this.#tell(this.#forClient(this.#upstream.decodeReply(reply))) : { follow }
  }

  #forClient(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    const named = clientNames(uniqueCallIds(events, this.#context), this.#aliases)
    return freeTextEvents(named, this.#context.request)
  }

  #tell(events: readonly AnswerEvent[]): WholeAnswer | { readonly invalid: string } {
    const reply = fold(events)
    const { usage, error } = reply
    if (error !== undefined) return { usage, error, delivered: undefined }
    if (reply.finish === undefined) return { invalid: 'it ends without a finish reason' }
    const invalid = this.#client.faultOf?.(reply)
    if (invalid !== undefined) return { invalid }
    this.#events = events
    const text = JSON.stringify(this.#client.encodeReply(reply, this.#context))
    return { usage, error, delivered: textOf(reply), body: Buffer.from(text) }
  }

  /** The provider sent a whole answer to a client that requested events. */
  asEvents(_: Buffer, counted?: TokenCounts): Uint8Array {
    const encoder = this.#client.openEncoder(this.#context)
    const { finish, usage } = fold(this.#events)
    return Buffer.concat(encodeAll(encoder, this.#events, finish, counted ?? usage?.counts))
  }

  #openDecoder(): AnswerDecoder {
    const decoder = withUniqueCallIds(this.#upstream.openDecoder(), this.#context)
    return withFreeText(withClientNames(decoder, this.#aliases), this.#context.request)
  }

  /** For a provider that only streams and a client that does not. */
  #readStream(body: Buffer): readonly AnswerEvent[] {
    const frames: FrameReader = openFrames(this.#framing)
    const decoder = this.#openDecoder()
    const read = [...frames.push(body), ...frames.end()].flatMap((frame) => decoder.push(frame))
    return [...read, ...decoder.end()]
  }
}

const STREAMED = /event-?stream/i

function encodeAll(
  encoder: AnswerEncoder,
  events: readonly AnswerEvent[],
  finish: CanonReply['finish'],
  counts: TokenCounts | undefined,
): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (const event of events) {
    if (event.type !== 'usage' && event.type !== 'finish' && event.type !== 'error') pieces.push(...encoder.push(event))
  }
  if (finish === undefined) return pieces
  const { forward, terminal } = encoder.finish(finish, counts)
  return [...pieces, ...forward, terminal]
}

/** Undefined if the answer contains text that need not be counted. */
function textOf({ blocks }: CanonReply): DeliveredText | undefined {
  const texts = blocks.map((block) => (block.kind === 'tool' ? block.args : 'text' in block ? block.text : ''))
  const text = texts.join('')
  return text === '' && blocks.length > 0 ? undefined : { text, beyondBytes: 0 }
}
