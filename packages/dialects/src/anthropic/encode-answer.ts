import type { AnswerContext, AnswerEncoder, EncodedEnd } from '../canon/codec.ts'
import type { ContentEvent, FinishEvent, StartEvent } from '../canon/events.ts'
import type { ReasoningSignature } from '../canon/parts.ts'
import { SerialBlocks } from '../canon/serial-blocks.ts'
import type { JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import {
  callBlock,
  callSignatureBlock,
  pictureText,
  redactedBlock,
  EMPTY_THINKING,
  signatureOf,
  textBlock,
  UNSIGNED,
} from './answer-blocks.ts'
import { encodeCitation } from './citations.ts'
import { messageHead } from './encode-reply.ts'
import { encodeUsage, estimatedUsage } from './encode-usage.ts'
import { encodeFinish } from './finish.ts'

export function openEncoder(context: AnswerContext): AnswerEncoder {
  return new MessageEncoder(context)
}

/** Clients of this dialect expect one open block at a time. The usage at the beginning is an estimate, at the end it is exact. */
class MessageEncoder implements AnswerEncoder {
  readonly #context: AnswerContext
  readonly #serial = new SerialBlocks()
  #hasStarted = false
  /** Blocks begun so far, and therefore the next block's number. */
  #count = 0
  #open: string | undefined
  /** The open block holds thoughts whose signature has not arrived. */
  #isUnsigned = false
  #refused = false
  #out: string[] = []

  constructor(context: AnswerContext) {
    this.#context = context
  }

  push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
    if (event.type === 'start') this.#begin(event.model)
    else {
      this.#begin('')
      for (const next of this.#serial.push(event)) this.#content(next)
    }
    return this.#take()
  }

  finish(finish: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
    this.#begin('')
    this.#end()
    const encoded =
      this.#refused && finish.reason === 'stop' ? { ...finish, reason: 'content-filter' as const } : finish
    const forward = usage === undefined ? this.#take() : []
    this.#emit('message_delta', {
      delta: encodeFinish(encoded),
      usage: usage === undefined ? estimatedUsage(this.#context.promptEstimate) : encodeUsage(usage),
    })
    // Unknown usage is counted by the gateway before the end is sent.
    if (usage !== undefined) forward.push(...this.#take())
    this.#emit('message_stop', {})
    const [terminal = new Uint8Array(0)] = this.#take()
    return { forward, terminal }
  }

  #begin(model: string): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    const message = {
      ...messageHead(this.#context, model),
      content: [],
      ...encodeFinish(undefined),
      usage: estimatedUsage(this.#context.promptEstimate),
    }
    this.#emit('message_start', { message })
  }

  #content(event: ContentEvent): void {
    switch (event.type) {
      case 'text':
        this.#say(event.delta)
        return
      case 'refusal':
        this.#refused = true
        this.#say(event.delta)
        return
      case 'citation':
        this.#ensure('text', textBlock(''))
        this.#delta({ type: 'citations_delta', citation: encodeCitation(event.citation) })
        return
      case 'reasoning':
        this.#ensure('thinking', EMPTY_THINKING)
        this.#delta({ type: 'thinking_delta', thinking: event.delta })
        return
      case 'proof':
        this.#prove(event.signature)
        return
      case 'tool-start':
        if (event.signature !== undefined) this.#whole(callSignatureBlock(event.id, event.signature))
        this.#start('tool_use', callBlock(event.id, event.name, {}))
        return
      case 'tool-args':
        this.#delta({ type: 'input_json_delta', partial_json: event.delta })
        return
      case 'image':
        this.#say(pictureText(event.mime, event.data))
        return
      case 'opaque':
        if (event.dialect === 'anthropic-messages') this.#whole(event.value)
        return
      case 'audio':
        return
      case 'block-end':
        this.#end()
    }
  }

  #say(text: string): void {
    this.#ensure('text', textBlock(''))
    if (text !== '') this.#delta({ type: 'text_delta', text })
  }

  /** Redacted thoughts are a block of their own. */
  #prove(signature: ReasoningSignature): void {
    if (signature.redacted === true) {
      this.#whole(redactedBlock(signature))
      return
    }
    this.#ensure('thinking', EMPTY_THINKING)
    this.#sign(signatureOf(signature))
  }

  #sign(signature: string): void {
    this.#isUnsigned = false
    this.#delta({ type: 'signature_delta', signature })
  }

  #ensure(type: string, block: JsonObject): void {
    if (this.#open !== type) this.#start(type, block)
  }

  #start(type: string, block: JsonObject): void {
    this.#end()
    this.#open = type
    this.#isUnsigned = type === 'thinking'
    this.#emit('content_block_start', { index: this.#count++, content_block: block })
  }

  #delta(delta: JsonObject): void {
    if (this.#open !== undefined) this.#emit('content_block_delta', { index: this.#count - 1, delta })
  }

  #end(): void {
    if (this.#open === undefined) return
    if (this.#isUnsigned) this.#sign(UNSIGNED)
    this.#open = undefined
    this.#emit('content_block_stop', { index: this.#count - 1 })
  }

  /** A block in one piece. Its signature is still sent as a delta, where clients look for it. */
  #whole(block: JsonObject): void {
    const { signature } = block
    if (block['type'] !== 'thinking' || typeof signature !== 'string') this.#start('whole', block)
    else {
      this.#start('thinking', { ...block, signature: '' })
      this.#sign(signature)
    }
    this.#end()
  }

  #emit(type: string, fields: JsonObject): void {
    this.#out.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  }

  /** All events of a push are returned as one piece. */
  #take(): Uint8Array[] {
    if (this.#out.length === 0) return []
    const bytes = new TextEncoder().encode(this.#out.join(''))
    this.#out = []
    return [bytes]
  }
}
