import type { AnswerContext, AnswerEncoder, EncodedEnd } from '../canon/codec.ts'
import type { ContentEvent, FinishEvent, StartEvent } from '../canon/events.ts'
import { doneEvent } from '../canon/upstream-error.ts'
import type { JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import { encodeCallSignature, encodeCitation, encodeImage, headOf } from './encode-parts.ts'
import { encodeUsage } from './encode-usage.ts'
import { encodeFinish } from './finish.ts'
import { encodeDetails } from './reasoning-details.ts'

/** Writes `chat.completion.chunk` objects. */
export function openChatEncoder(context: AnswerContext): AnswerEncoder {
  return new ChatEncoder(context)
}

/** Characters of a thought that are repeated next to its signature; for longer ones clients have `reasoning_content`. */
const THOUGHT_LIMIT = 1024 * 1024

interface OpenCall {
  readonly index: number
  readonly isCustom: boolean
  hasArgs: boolean
}

class ChatEncoder implements AnswerEncoder {
  readonly #context: AnswerContext
  readonly #isOlder: boolean
  /** The same for every chunk, so it is serialized only once. */
  readonly #head: string
  readonly #utf8 = new TextEncoder()
  readonly #calls = new Map<number, OpenCall>()
  /** The content of the open block; signatures are sent with the text that they belong to. */
  #thought = ''
  #thoughts = 0
  #images = 0
  #textBefore = 0
  #textInBlock = 0

  constructor(context: AnswerContext) {
    this.#context = context
    this.#isOlder = context.request.extra.isOlder === true
    this.#head = `data: ${JSON.stringify(headOf(context, 'chat.completion.chunk')).slice(0, -1)},"choices":[{"index":0,"delta":`
  }

  push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
    const delta = this.#delta(event)
    return delta === undefined ? [] : [this.#chunk(delta)]
  }

  finish({ reason }: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
    const forward = [this.#chunk({}, encodeFinish(reason, this.#isOlder))]
    if (this.#context.wantsUsage && usage !== undefined) {
      const head = headOf(this.#context, 'chat.completion.chunk')
      const chunk = JSON.stringify({ ...head, choices: [], usage: encodeUsage(usage) })
      forward.push(this.#utf8.encode(`data: ${chunk}\n\n`))
    }
    return { forward, terminal: doneEvent() }
  }

  #chunk(delta: JsonObject, finish: string | null = null): Uint8Array {
    const end = finish === null ? 'null' : `"${finish}"`
    return this.#utf8.encode(`${this.#head}${JSON.stringify(delta)},"finish_reason":${end}}]}\n\n`)
  }

  #delta(event: StartEvent | ContentEvent): JsonObject | undefined {
    switch (event.type) {
      case 'start':
        return { role: 'assistant', content: '' }
      case 'text':
        this.#textInBlock += event.delta.length
        return { content: event.delta }
      case 'reasoning':
        if (this.#thought.length <= THOUGHT_LIMIT) this.#thought += event.delta
        return { reasoning_content: event.delta }
      case 'refusal':
        return { refusal: event.delta }
      case 'proof': {
        const text = this.#thought.length > THOUGHT_LIMIT ? '' : this.#thought
        const entries = encodeDetails({ text, signature: event.signature }, this.#thoughts++)
        return { reasoning_details: entries }
      }
      case 'citation':
        return { annotations: [encodeCitation(event.citation, this.#textBefore)] }
      case 'image':
        return { images: [{ ...encodeImage(event), index: this.#images++ }] }
      case 'audio':
        return { audio: { id: `audio_${this.#context.idSeed}`, data: event.data } }
      case 'tool-start':
        return this.#callStart(event)
      case 'tool-args': {
        const call = this.#calls.get(event.block)
        if (call === undefined) return undefined
        call.hasArgs ||= event.delta !== ''
        return this.#callArgs(call, event.delta)
      }
      case 'block-end':
        return this.#blockEnd(event.block)
      case 'opaque':
        return undefined
    }
  }

  #callStart({ block, id, name, isCustom = false, signature }: Extract<ContentEvent, { type: 'tool-start' }>) {
    const call = { index: this.#calls.size, isCustom, hasArgs: false }
    this.#calls.set(block, call)
    if (this.#isOlder) return { function_call: { name, arguments: '' } }
    const encoded = isCustom
      ? { type: 'custom', custom: { name, input: '' } }
      : { type: 'function', function: { name, arguments: '' } }
    return { tool_calls: [{ index: call.index, id, ...encoded, ...encodeCallSignature(signature) }] }
  }

  #callArgs({ index, isCustom }: OpenCall, args: string): JsonObject {
    if (this.#isOlder) return { function_call: { arguments: args } }
    return { tool_calls: [{ index, ...(isCustom ? { custom: { input: args } } : { function: { arguments: args } }) }] }
  }

  #blockEnd(block: number): JsonObject | undefined {
    this.#thought = ''
    this.#textBefore += this.#textInBlock
    this.#textInBlock = 0
    const call = this.#calls.get(block)
    // Clients parse the joined pieces.
    return call === undefined || call.hasArgs || call.isCustom ? undefined : this.#callArgs(call, '{}')
  }
}
