import type { AnswerContext, AnswerEncoder, EncodedEnd } from '../canon/codec.ts'
import type { ContentEvent, FinishEvent, StartEvent } from '../canon/events.ts'
import type { ReasoningProof } from '../canon/parts.ts'
import { SerialBlocks } from '../canon/serial-blocks.ts'
import type { JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import {
  callBlock,
  callProofBlock,
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

/**
 * Writes the events of a message. Blocks follow each other: clients of this dialect know one open block at a time. The usage
 * of the end is the true one; that of the beginning is an estimate.
 */
class MessageEncoder implements AnswerEncoder {
  private readonly context: AnswerContext
  private readonly serial = new SerialBlocks()
  private hasStarted = false
  /** Blocks begun so far: the number of the next one. */
  private count = 0
  /** The type of the block that is open. */
  private open: string | undefined
  /** What is open are thoughts, and their signature has not come. */
  private isUnsigned = false
  private refused = false
  private out: string[] = []

  constructor(context: AnswerContext) {
    this.context = context
  }

  push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
    if (event.type === 'start') this.begin(event.model)
    else {
      this.begin('')
      for (const next of this.serial.push(event)) this.content(next)
    }
    return this.take()
  }

  finish(finish: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
    this.begin('')
    this.end()
    const told = this.refused && finish.reason === 'stop' ? { ...finish, reason: 'content-filter' as const } : finish
    this.emit('message_delta', {
      delta: encodeFinish(told),
      usage: usage === undefined ? { output_tokens: 0 } : encodeUsage(usage),
    })
    const forward = this.take()
    this.emit('message_stop', {})
    const [terminal = new Uint8Array(0)] = this.take()
    return { forward, terminal }
  }

  private begin(model: string): void {
    if (this.hasStarted) return
    this.hasStarted = true
    const message = {
      ...messageHead(this.context, model),
      content: [],
      ...encodeFinish(undefined),
      usage: estimatedUsage(this.context.promptEstimate),
    }
    this.emit('message_start', { message })
  }

  private content(event: ContentEvent): void {
    switch (event.type) {
      case 'text':
        this.say(event.delta)
        return
      case 'refusal':
        this.refused = true
        this.say(event.delta)
        return
      case 'citation':
        this.ensure('text', textBlock(''))
        this.delta({ type: 'citations_delta', citation: encodeCitation(event.citation) })
        return
      case 'reasoning':
        this.ensure('thinking', EMPTY_THINKING)
        this.delta({ type: 'thinking_delta', thinking: event.delta })
        return
      case 'proof':
        this.prove(event.proof)
        return
      case 'tool-start':
        if (event.proof !== undefined) this.whole(callProofBlock(event.id, event.proof))
        this.start('tool_use', callBlock(event.id, event.name, {}))
        return
      case 'tool-args':
        this.delta({ type: 'input_json_delta', partial_json: event.delta })
        return
      case 'image':
        this.say(pictureText(event.mime, event.data))
        return
      case 'opaque':
        if (event.dialect === 'anthropic-messages') this.whole(event.value)
        return
      case 'audio':
        return
      case 'block-end':
        this.end()
    }
  }

  private say(text: string): void {
    this.ensure('text', textBlock(''))
    if (text !== '') this.delta({ type: 'text_delta', text })
  }

  /** Thoughts that nobody may read are a block of their own. */
  private prove(proof: ReasoningProof): void {
    if (proof.redacted === true) {
      this.whole(redactedBlock(proof))
      return
    }
    this.ensure('thinking', EMPTY_THINKING)
    this.sign(signatureOf(proof))
  }

  private sign(signature: string): void {
    this.isUnsigned = false
    this.delta({ type: 'signature_delta', signature })
  }

  private ensure(type: string, block: JsonObject): void {
    if (this.open !== type) this.start(type, block)
  }

  private start(type: string, block: JsonObject): void {
    this.end()
    this.open = type
    this.isUnsigned = type === 'thinking'
    this.emit('content_block_start', { index: this.count++, content_block: block })
  }

  private delta(delta: JsonObject): void {
    if (this.open !== undefined) this.emit('content_block_delta', { index: this.count - 1, delta })
  }

  private end(): void {
    if (this.open === undefined) return
    if (this.isUnsigned) this.sign(UNSIGNED)
    this.open = undefined
    this.emit('content_block_stop', { index: this.count - 1 })
  }

  /** A block that comes in one piece. Its signature comes as a delta all the same, where clients look for it. */
  private whole(block: JsonObject): void {
    const { signature } = block
    if (block['type'] !== 'thinking' || typeof signature !== 'string') this.start('whole', block)
    else {
      this.start('thinking', { ...block, signature: '' })
      this.sign(signature)
    }
    this.end()
  }

  private emit(type: string, fields: JsonObject): void {
    this.out.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  }

  /** One piece for all events of a push. */
  private take(): readonly Uint8Array[] {
    if (this.out.length === 0) return []
    const bytes = new TextEncoder().encode(this.out.join(''))
    this.out = []
    return [bytes]
  }
}
