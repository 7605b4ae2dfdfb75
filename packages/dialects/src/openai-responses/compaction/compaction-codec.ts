import type { AnswerContext, AnswerEncoder, ClientCodec, EncodedEnd } from '../../canon/codec.ts'
import type { DeltaText } from '../../canon/delta-text.ts'
import type { ContentEvent, FinishEvent, StartEvent } from '../../canon/events.ts'
import type { CanonReply } from '../../canon/reply.ts'
import { follows } from '../../framing/event-bytes.ts'
import type { JsonObject } from '../../json-value.ts'
import type { TokenCounts } from '../../token-counts.ts'
import { openEventText } from '../client-format.ts'
import { openEncoder } from '../encode-answer.ts'
import { encodeUsage } from '../encode-usage.ts'
import { ResponseObject } from '../response-object.ts'
import { compactionItem } from './compaction-item.ts'
import { decodeSummaryRequest, latestMessages } from './summary-request.ts'

/** Encrypts a summary so that it can only be decrypted for its user. */
export type Seal = (summary: string) => string

/** Maximum characters of a summary that are kept: many times what models write. */
const SUMMARY_LIMIT = 262_144

/**
 * Answers a conversation with its summary: one `compaction` item. `whole`: in the form of `/v1/responses/compact`, after the user's
 * latest messages; otherwise as a response.
 */
export function compactionCodec(seal: Seal, whole: boolean): ClientCodec {
  return {
    dialect: 'openai-responses',
    decodeRequest: decodeSummaryRequest,
    openEncoder: (context) => new SummaryEncoder(context, seal),
    encodeReply: (reply, context) => {
      const summary = summaryIn(reply)
      const items = summary === '' ? [] : [itemOf(context, seal(summary))]
      return whole ? compacted(reply, context, items) : responded(reply, context, items)
    },
    faultOf: (reply) => (summaryIn(reply) === '' ? 'it contains no summary of the conversation' : undefined),
  }
}

const itemOf = ({ idSeed }: AnswerContext, sealed: string) => compactionItem(`cmp_${idSeed}_0`, sealed)

function summaryIn({ blocks }: CanonReply): string {
  const texts = blocks.map((block) => (block.kind === 'text' ? block.text : ''))
  return shortened(texts.join(''))
}

const shortened = (text: string) => text.trim().slice(0, SUMMARY_LIMIT).toWellFormed()

function responded(reply: CanonReply, context: AnswerContext, items: readonly JsonObject[]): JsonObject {
  const response = new ResponseObject(context, reply.model)
  return response.ended(items, reply.finish?.reason, reply.usage?.counts)
}

/** In the format of OpenAI's library type `CompactedResponse`. */
function compacted({ usage }: CanonReply, context: AnswerContext, items: readonly JsonObject[]): JsonObject {
  const { request, idSeed, created } = context
  const messages = latestMessages(request).map((text, index) => ({
    id: `msg_${idSeed}_${index}`,
    type: 'message',
    status: 'completed',
    role: 'user',
    content: [{ type: 'input_text', text }],
  }))
  return {
    id: `resp_${idSeed}`,
    object: 'response.compaction',
    created_at: created,
    output: [...messages, ...items],
    usage: usage?.counts === undefined ? null : encodeUsage(usage.counts),
  }
}

/** Collects the whole summary, because clients get it encrypted, at the end. */
class SummaryEncoder implements AnswerEncoder {
  readonly #context: AnswerContext
  readonly #seal: Seal
  readonly #response: AnswerEncoder
  readonly #pieces: string[] = []
  #length = 0

  constructor(context: AnswerContext, seal: Seal) {
    this.#context = context
    this.#seal = seal
    this.#response = openEncoder(context)
  }

  push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
    if (event.type === 'start') return this.#response.push(event)
    if (event.type === 'text' && this.#length < SUMMARY_LIMIT) {
      this.#pieces.push(event.delta)
      this.#length += event.delta.length
    }
    return []
  }

  finish(finish: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
    const summary = shortened(this.#pieces.join(''))
    // A client that finds no item keeps the whole conversation.
    if (summary === '') return this.#response.finish(finish, usage)
    const value = itemOf(this.#context, this.#seal(summary))
    const item = { type: 'opaque', block: 0, dialect: 'openai-responses', name: 'compaction', value } as const
    const forward = [...this.#response.push(item), ...this.#response.push({ type: 'block-end', block: 0 })]
    const end = this.#response.finish(finish, usage)
    return { forward: [...forward, ...end.forward], terminal: end.terminal }
  }
}

const SEALED = new TextEncoder().encode('"encrypted_content":"')
const QUOTE = 0x22
/** Base64 takes four characters for three bytes. */
const BYTES_PER_CHARACTER = 0.75

/** Measures the text of a stream whose answer may be an encrypted summary: its length is that of the encrypted text. */
export function openSummaryText(): DeltaText {
  const text = openEventText()
  let sealed = 0
  return {
    add: (events) => {
      text.add(events)
      // The same item arrives in two events.
      sealed = Math.max(sealed, sealedBytes(events))
    },
    measure: () => text.measure() + sealed,
    finish: () => {
      const told = text.finish()
      return { ...told, beyondBytes: told.beyondBytes + sealed }
    },
  }
}

function sealedBytes(events: Uint8Array): number {
  for (let at = events.indexOf(QUOTE); at !== -1; at = events.indexOf(QUOTE, at + 1)) {
    if (!follows(events, at, SEALED)) continue
    const start = at + SEALED.length
    const end = events.indexOf(QUOTE, start)
    return end === -1 ? 0 : Math.floor((end - start) * BYTES_PER_CHARACTER)
  }
  return 0
}
