import type { AnswerContext, AnswerEncoder, EncodedEnd } from '../canon/codec.ts'
import type { Citation, ContentEvent, FinishEvent, StartEvent } from '../canon/events.ts'
import type { ReasoningSignature } from '../canon/parts.ts'
import { SerialBlocks } from '../canon/serial-blocks.ts'
import type { JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import { encodeCitation } from './answer-items.ts'
import { namesOf } from './encode-tools.ts'
import {
  type Call,
  callItem,
  callSignatureItem,
  imageItem,
  messageItem,
  reasoningItem,
  refusalPart,
  textPart,
} from './output-items.ts'
import { ResponseObject } from './response-object.ts'

export function openEncoder(context: AnswerContext): AnswerEncoder {
  return new ResponseEncoder(context)
}

/** An item whose end has not been sent yet. Its content is kept, because its last events and the final event repeat it. */
interface OpenItem {
  readonly id: string
  readonly index: number
}

interface OpenMessage extends OpenItem {
  readonly parts: JsonObject[]
  /** The growing part and its block. */
  part: { readonly block: number; readonly kind: 'text' | 'refusal'; readonly pieces: string[] } | undefined
  citations: Citation[]
}

interface OpenReasoning extends OpenItem {
  readonly block: number
  readonly pieces: string[]
  signature: ReasoningSignature | undefined
}

interface OpenCall extends OpenItem {
  readonly block: number
  readonly call: Call
  readonly pieces: string[]
}

/** Consecutive texts and refusals are parts of one message; everything else is an item of its own. */
class ResponseEncoder implements AnswerEncoder {
  readonly #context: AnswerContext
  #response: ResponseObject | undefined
  /** One item at a time, as OpenAI streams them: a signature before a call would end the calls before it. */
  readonly #serial = new SerialBlocks()
  /** Whole items by their index. */
  readonly #output: JsonObject[] = []
  #items = 0
  #sequence = 0
  #message: OpenMessage | undefined
  #reasoning: OpenReasoning | undefined
  #call: OpenCall | undefined
  #out: string[] = []
  readonly #encoder = new TextEncoder()

  constructor(context: AnswerContext) {
    this.#context = context
  }

  push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
    if (event.type === 'start') this.#begin(event.model)
    else {
      if (this.#response === undefined) this.#begin('')
      for (const next of this.#serial.push(event)) this.#content(next)
    }
    return this.#take()
  }

  finish({ reason }: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
    const response = this.#response ?? this.#begin('')
    this.#endReasoning()
    this.#endMessage()
    this.#endCall()
    const forward = this.#take()
    const whole = response.ended(this.#output, reason, usage)
    this.#emit(`response.${whole['status'] === 'incomplete' ? 'incomplete' : 'completed'}`, { response: whole })
    const [terminal = new Uint8Array(0)] = this.#take()
    return { forward, terminal }
  }

  #begin(model: string): ResponseObject {
    const response = new ResponseObject(this.#context, model)
    this.#response = response
    const begun = response.begun()
    this.#emit('response.created', { response: begun })
    this.#emit('response.in_progress', { response: begun })
    return response
  }

  #content(event: ContentEvent): void {
    if (event.type !== 'text' && event.type !== 'refusal' && event.type !== 'citation' && event.type !== 'block-end') {
      this.#endMessage()
    }
    switch (event.type) {
      case 'text':
      case 'refusal':
        this.#say(event.type, event.block, event.delta)
        return
      case 'citation':
        this.#cite(event.block, event.citation)
        return
      case 'reasoning':
        this.#reason(event.block, event.delta)
        return
      case 'proof':
        this.#openReasoning(event.block).signature = event.signature
        return
      case 'tool-start':
        this.#startCall(event.block, { ...event, isCustom: event.isCustom === true }, event.signature)
        return
      case 'tool-args':
        this.#addArgs(event.block, event.delta)
        return
      case 'image':
        this.#whole(imageItem(this.#nextId('ig'), event.mime, event.data))
        return
      case 'opaque':
        if (event.dialect === 'openai-responses') this.#whole(event.value)
        return
      case 'audio':
        return
      case 'block-end':
        this.#endBlock(event.block)
    }
  }

  #say(kind: 'text' | 'refusal', block: number, delta: string): void {
    const message = this.#message ?? this.#startMessage()
    const { id, index } = message
    const place = { item_id: id, output_index: index, content_index: message.parts.length }
    if (message.part === undefined) {
      message.part = { block, kind, pieces: [] }
      this.#emit('response.content_part.added', {
        ...place,
        part: kind === 'text' ? textPart('', []) : refusalPart(''),
      })
    }
    message.part.pieces.push(delta)
    if (kind === 'text') this.#emit('response.output_text.delta', { ...place, delta, logprobs: [] })
    else this.#emit('response.refusal.delta', { ...place, delta })
  }

  #cite(block: number, citation: Citation): void {
    const message = this.#message
    if (message?.part?.block !== block) this.#say('text', block, '')
    const open = this.#message
    if (open === undefined) return
    open.citations.push(citation)
    this.#emit('response.output_text.annotation.added', {
      item_id: open.id,
      output_index: open.index,
      content_index: open.parts.length,
      annotation_index: open.citations.length - 1,
      annotation: encodeCitation(citation),
    })
  }

  #startMessage(): OpenMessage {
    const id = this.#nextId('msg')
    this.#message = { id, index: this.#items++, parts: [], part: undefined, citations: [] }
    this.#emit('response.output_item.added', {
      output_index: this.#message.index,
      item: messageItem(id, 'in_progress', []),
    })
    return this.#message
  }

  #endPart(): void {
    const message = this.#message
    if (message?.part === undefined) return
    const { kind, pieces } = message.part
    const text = pieces.join('')
    const part = kind === 'text' ? textPart(text, message.citations) : refusalPart(text)
    const place = { item_id: message.id, output_index: message.index, content_index: message.parts.length }
    if (kind === 'text') this.#emit('response.output_text.done', { ...place, text, logprobs: [] })
    else this.#emit('response.refusal.done', { ...place, refusal: text })
    this.#emit('response.content_part.done', { ...place, part })
    message.parts.push(part)
    message.part = undefined
    message.citations = []
  }

  #endMessage(): void {
    this.#endPart()
    const message = this.#message
    this.#message = undefined
    if (message !== undefined) this.#done(message.index, messageItem(message.id, 'completed', message.parts))
  }

  #openReasoning(block: number): OpenReasoning {
    if (this.#reasoning?.block === block) return this.#reasoning
    this.#endReasoning()
    const id = this.#nextId('rs')
    this.#reasoning = { id, index: this.#items++, block, pieces: [], signature: undefined }
    this.#added(this.#reasoning.index, reasoningItem(id, '', undefined))
    return this.#reasoning
  }

  #reason(block: number, delta: string): void {
    const { id, index, pieces } = this.#openReasoning(block)
    const place = { item_id: id, output_index: index, summary_index: 0 }
    if (pieces.length === 0) {
      this.#emit('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } })
    }
    pieces.push(delta)
    this.#emit('response.reasoning_summary_text.delta', { ...place, delta })
  }

  #endReasoning(): void {
    if (this.#reasoning === undefined) return
    const { id, index, pieces, signature } = this.#reasoning
    this.#reasoning = undefined
    const text = pieces.join('')
    const place = { item_id: id, output_index: index, summary_index: 0 }
    if (pieces.length > 0) {
      this.#emit('response.reasoning_summary_text.done', { ...place, text })
      this.#emit('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } })
    }
    this.#done(index, reasoningItem(id, text, signature))
  }

  #startCall(
    block: number,
    { id: callId, name, isCustom }: Omit<Call, 'namespace'>,
    signature: ReasoningSignature | undefined,
  ): void {
    if (signature !== undefined) this.#whole(callSignatureItem(this.#nextId('rs'), callId, signature))
    const id = this.#nextId(isCustom ? 'ctc' : 'fc')
    const call = { id: callId, ...namesOf(name, this.#context.request.tools), isCustom }
    this.#call = { id, index: this.#items++, block, call, pieces: [] }
    this.#added(this.#call.index, callItem(id, 'in_progress', call, ''))
  }

  #addArgs(block: number, delta: string): void {
    const open = this.#call
    if (open?.block !== block) return
    open.pieces.push(delta)
    const type = open.call.isCustom ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta'
    this.#emit(type, { item_id: open.id, output_index: open.index, delta })
  }

  #endCall(): void {
    if (this.#call === undefined) return
    const { id, index, call, pieces, block } = this.#call
    // Clients parse the joined pieces.
    if (!call.isCustom && pieces.every((piece) => piece === '')) this.#addArgs(block, '{}')
    this.#call = undefined
    const args = pieces.join('')
    const place = { item_id: id, output_index: index }
    if (call.isCustom) this.#emit('response.custom_tool_call_input.done', { ...place, input: args })
    else this.#emit('response.function_call_arguments.done', { ...place, name: call.name, arguments: args })
    this.#done(index, callItem(id, 'completed', call, args))
  }

  #endBlock(block: number): void {
    if (this.#message?.part?.block === block) this.#endPart()
    if (this.#reasoning?.block === block) this.#endReasoning()
    if (this.#call?.block === block) this.#endCall()
  }

  /** An item in one piece. */
  #whole(item: JsonObject): void {
    const index = this.#items++
    this.#added(index, item)
    this.#done(index, item)
  }

  #added(index: number, item: JsonObject): void {
    this.#emit('response.output_item.added', { output_index: index, item })
  }

  #done(index: number, item: JsonObject): void {
    this.#output[index] = item
    this.#emit('response.output_item.done', { output_index: index, item })
  }

  #nextId(prefix: string): string {
    return `${prefix}_${this.#context.idSeed}_${this.#items}`
  }

  #emit(type: string, fields: JsonObject): void {
    // Called for every piece of text, so the members are serialized without a copy. `fields` is never empty.
    const members = JSON.stringify(fields).slice(1)
    this.#out.push(`event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#sequence++},${members}\n\n`)
  }

  /** All events of a push are returned as one piece. */
  #take(): readonly Uint8Array[] {
    if (this.#out.length === 0) return []
    const bytes = this.#encoder.encode(this.#out.join(''))
    this.#out = []
    return [bytes]
  }
}
