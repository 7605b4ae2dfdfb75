import type { AnswerContext, AnswerEncoder, EncodedEnd } from '../canon/codec.ts'
import type { Citation, ContentEvent, FinishEvent, StartEvent } from '../canon/events.ts'
import type { ReasoningSignature } from '../canon/parts.ts'
import { SerialBlocks } from '../canon/serial-blocks.ts'
import type { JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import { callPart, groundingOf, saying, signaturePart } from './encode-parts.ts'
import { encodeGeminiUsage } from './encode-usage.ts'
import { finishWord } from './finish.ts'
import { type GeminiFraming, StreamFraming } from './stream/stream-framing.ts'

/** Writes an answer as `streamGenerateContent` does: every message is a response with pieces; the last one has finish and usage. */
export function openGeminiEncoder(framing: GeminiFraming, context: AnswerContext): AnswerEncoder {
  return new GeminiEncoder(framing, context)
}

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly isCustom: boolean
  readonly signature: ReasoningSignature | undefined
  readonly args: string[]
}

class GeminiEncoder implements AnswerEncoder {
  readonly #framing: StreamFraming
  readonly #context: AnswerContext
  readonly #blocks = new SerialBlocks()
  readonly #citations: Citation[] = []
  #tail: JsonObject
  #call: OpenCall | undefined

  constructor(framing: GeminiFraming, context: AnswerContext) {
    this.#framing = new StreamFraming(framing)
    this.#context = context
    this.#tail = tailOf({ id: '', model: '' }, context)
  }

  push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
    if (event.type === 'start') {
      this.#tail = tailOf(event, this.#context)
      return []
    }
    return this.#blocks.push(event).flatMap((content) => this.#content(content))
  }

  finish(finish: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
    const candidate = {
      content: { parts: saying([]), role: 'model' },
      finishReason: finishWord(finish),
      index: 0,
      ...groundingOf(this.#citations),
    }
    const last = {
      candidates: [candidate],
      ...(usage === undefined ? {} : { usageMetadata: encodeGeminiUsage(usage) }),
      ...this.#tail,
    }
    return { forward: [], terminal: this.#framing.last(JSON.stringify(last)) }
  }

  #content(event: ContentEvent): readonly Uint8Array[] {
    switch (event.type) {
      case 'text':
      case 'refusal':
        return event.delta === '' ? [] : [this.#part({ text: event.delta })]
      case 'reasoning':
        return event.delta === '' ? [] : [this.#part({ text: event.delta, thought: true })]
      case 'proof':
        return [this.#part(signaturePart(event.signature))]
      case 'tool-start': {
        const { id, name, isCustom = false, signature } = event
        this.#call = { id, name, isCustom, signature, args: [] }
        return []
      }
      case 'tool-args':
        this.#call?.args.push(event.delta)
        return []
      case 'citation':
        this.#citations.push(event.citation)
        return []
      case 'image':
      case 'audio':
        return [this.#part({ inlineData: { mimeType: event.mime, data: event.data } })]
      case 'opaque':
        return event.dialect === 'gemini' ? [this.#part(event.value)] : []
      case 'block-end':
        return this.#endCall()
    }
  }

  /** Calls are sent whole, as every client expects them. */
  #endCall(): readonly Uint8Array[] {
    const call = this.#call
    if (call === undefined) return []
    this.#call = undefined
    return [this.#part(callPart(call, call.args.join(''), call.signature))]
  }

  #part(part: JsonObject): Uint8Array {
    const candidate = { content: { parts: [part], role: 'model' }, index: 0 }
    return this.#framing.message(JSON.stringify({ candidates: [candidate], ...this.#tail }))
  }
}

/** The members that every message of an answer repeats. */
export function tailOf(
  { id, model }: { readonly id: string; readonly model: string },
  { request, idSeed }: AnswerContext,
): JsonObject {
  return { modelVersion: model === '' ? request.model : model, responseId: id === '' ? idSeed : id }
}
