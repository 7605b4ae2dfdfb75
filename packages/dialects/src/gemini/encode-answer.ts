import type { AnswerContext, AnswerEncoder, EncodedEnd } from '../canon/codec.ts'
import type { Citation, ContentEvent, FinishEvent, StartEvent } from '../canon/events.ts'
import type { ReasoningProof } from '../canon/parts.ts'
import { SerialBlocks } from '../canon/serial-blocks.ts'
import type { JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import { callPart, groundingOf, proofPart } from './encode-parts.ts'
import { encodeGeminiUsage } from './encode-usage.ts'
import { finishWord } from './finish.ts'
import { type GeminiFraming, StreamFraming } from './stream-framing.ts'

/** Writes an answer as `streamGenerateContent` does: every message a response with pieces, the last with finish and usage. */
export function openGeminiEncoder(framing: GeminiFraming, context: AnswerContext): AnswerEncoder {
  return new GeminiEncoder(framing, context)
}

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly isCustom: boolean
  readonly proof: ReasoningProof | undefined
  readonly args: string[]
}

class GeminiEncoder implements AnswerEncoder {
  private readonly framing: StreamFraming
  private readonly context: AnswerContext
  private readonly blocks = new SerialBlocks()
  private readonly citations: Citation[] = []
  private tail: JsonObject
  private call: OpenCall | undefined

  constructor(framing: GeminiFraming, context: AnswerContext) {
    this.framing = new StreamFraming(framing)
    this.context = context
    this.tail = tailOf({ id: '', model: '' }, context)
  }

  push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
    if (event.type === 'start') {
      this.tail = tailOf(event, this.context)
      return []
    }
    return this.blocks.push(event).flatMap((content) => this.content(content))
  }

  finish(finish: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
    const candidate = {
      content: { role: 'model' },
      finishReason: finishWord(finish),
      index: 0,
      ...groundingOf(this.citations),
    }
    const last = {
      candidates: [candidate],
      ...(usage === undefined ? {} : { usageMetadata: encodeGeminiUsage(usage) }),
      ...this.tail,
    }
    return { forward: [], terminal: this.framing.last(JSON.stringify(last)) }
  }

  private content(event: ContentEvent): readonly Uint8Array[] {
    switch (event.type) {
      case 'text':
      case 'refusal':
        return event.delta === '' ? [] : [this.part({ text: event.delta })]
      case 'reasoning':
        return event.delta === '' ? [] : [this.part({ text: event.delta, thought: true })]
      case 'proof':
        return [this.part(proofPart(event.proof))]
      case 'tool-start': {
        const { id, name, isCustom = false, proof } = event
        this.call = { id, name, isCustom, proof, args: [] }
        return []
      }
      case 'tool-args':
        this.call?.args.push(event.delta)
        return []
      case 'citation':
        this.citations.push(event.citation)
        return []
      case 'image':
      case 'audio':
        return [this.part({ inlineData: { mimeType: event.mime, data: event.data } })]
      case 'opaque':
        return event.dialect === 'gemini' ? [this.part(event.value)] : []
      case 'block-end':
        return this.endCall()
    }
  }

  /** Calls are told whole, as every client expects them. */
  private endCall(): readonly Uint8Array[] {
    const { call } = this
    if (call === undefined) return []
    this.call = undefined
    return [this.part(callPart(call, call.args.join(''), call.proof))]
  }

  private part(part: JsonObject): Uint8Array {
    const candidate = { content: { parts: [part], role: 'model' }, index: 0 }
    return this.framing.message(JSON.stringify({ candidates: [candidate], ...this.tail }))
  }
}

/** What every message of an answer repeats. */
export function tailOf(
  { id, model }: { readonly id: string; readonly model: string },
  { request, idSeed }: AnswerContext,
): JsonObject {
  return { modelVersion: model === '' ? request.model : model, responseId: id === '' ? idSeed : id }
}
