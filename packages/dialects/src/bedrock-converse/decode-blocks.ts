import type { AnswerEvent, Citation, ContentEvent } from '../canon/events.ts'
import { asList, asObject, asText, type JsonObject } from '../json-value.ts'

type BlockKind = 'text' | 'reasoning' | 'tool' | 'image' | 'opaque'

interface OpenBlock {
  readonly kind: BlockKind
  readonly number: number
  /** Collected, because only a whole signature is valid. */
  signature: string
}

/** Longer texts are not treated as signatures. */
const SIGNATURE_LIMIT = 4 * 1024 * 1024

/** Renumbers the content blocks of Converse and turns them into events. */
export class ConverseBlocks {
  readonly #open = new Map<number, OpenBlock>()
  #count = 0

  /** `contentBlockStart` has content only for calls. */
  start(index: number, start: JsonObject): readonly AnswerEvent[] {
    const call = asObject(start['toolUse'])
    if (call === undefined) return this.#opaque(index, start)
    const before = this.stop(index)
    const { events, block } = this.#at(index, 'tool')
    return [
      ...before,
      ...events,
      { type: 'tool-start', block: block.number, id: asText(call['toolUseId']), name: asText(call['name']) },
    ]
  }

  delta(index: number, delta: JsonObject): readonly AnswerEvent[] {
    const { text, toolUse, reasoningContent, citation } = delta
    if (typeof text === 'string') return this.#growing(index, 'text', text)
    const call = asObject(toolUse)
    if (call !== undefined) return this.#args(index, asText(call['input']))
    const reasoning = asObject(reasoningContent)
    if (reasoning !== undefined) return this.#reasoning(index, reasoning)
    const source = asObject(citation)
    if (source !== undefined) return this.#citation(index, source)
    return this.#opaque(index, delta)
  }

  stop(index: number): readonly AnswerEvent[] {
    const block = this.#open.get(index)
    if (block === undefined) return []
    this.#open.delete(index)
    return [...signatureOf(block), { type: 'block-end', block: block.number }]
  }

  stopAll(): readonly AnswerEvent[] {
    return [...this.#open.keys()].flatMap((index) => this.stop(index))
  }

  whole(index: number, content: JsonObject): readonly AnswerEvent[] {
    return [...this.#content(index, content), ...this.stop(index)]
  }

  #content(index: number, content: JsonObject): readonly AnswerEvent[] {
    const { text, toolUse, reasoningContent, citationsContent, image } = content
    if (typeof text === 'string') return this.delta(index, { text })
    const call = asObject(toolUse)
    if (call !== undefined) {
      const args = call['input'] === undefined ? '' : JSON.stringify(call['input'])
      return [...this.start(index, content), ...this.#args(index, args)]
    }
    const reasoning = asObject(reasoningContent)
    if (reasoning !== undefined) return this.#reasoning(index, asObject(reasoning['reasoningText']) ?? reasoning)
    const cited = asObject(citationsContent)
    if (cited !== undefined) return this.#cited(index, cited)
    const source = asObject(asObject(image)?.['source'])
    if (typeof source?.['bytes'] === 'string') {
      const { events, block } = this.#at(index, 'image')
      const mime = `image/${asText(asObject(image)?.['format']) || 'png'}`
      return [...events, { type: 'image', block: block.number, mime, data: source['bytes'] }]
    }
    return this.#opaque(index, content)
  }

  /** A text with its sources in separate lists. */
  #cited(index: number, { content, citations }: JsonObject): readonly AnswerEvent[] {
    const texts = asList(content).map((item) => asText(asObject(item)?.['text']))
    const sources = asList(citations).flatMap((item) => this.#citation(index, asObject(item) ?? {}))
    return [...this.#growing(index, 'text', texts.join('')), ...sources]
  }

  #reasoning(index: number, { text, signature, redactedContent }: JsonObject): readonly AnswerEvent[] {
    if (typeof redactedContent === 'string') {
      const { events, block } = this.#at(index, 'reasoning')
      const reasoningSignature = { dialect: 'bedrock-converse', value: redactedContent, redacted: true } as const
      return [...events, { type: 'proof', block: block.number, signature: reasoningSignature }]
    }
    return [...this.#growing(index, 'reasoning', asText(text)), ...this.#signed(index, asText(signature))]
  }

  #signed(index: number, piece: string): readonly AnswerEvent[] {
    if (piece === '' || piece.length > SIGNATURE_LIMIT) return []
    const { events, block } = this.#at(index, 'reasoning')
    if (block.signature.length + piece.length <= SIGNATURE_LIMIT) block.signature += piece
    return events
  }

  #citation(index: number, source: JsonObject): readonly AnswerEvent[] {
    const { events, block } = this.#at(index, 'text')
    return [...events, { type: 'citation', block: block.number, citation: readCitation(source) }]
  }

  /** Arguments of a call that never started are skipped. */
  #args(index: number, delta: string): readonly AnswerEvent[] {
    const block = this.#open.get(index)
    return delta === '' || block?.kind !== 'tool' ? [] : [{ type: 'tool-args', block: block.number, delta }]
  }

  #growing(index: number, kind: 'text' | 'reasoning', delta: string): readonly AnswerEvent[] {
    if (delta === '') return []
    const { events, block } = this.#at(index, kind)
    return [...events, { type: kind, block: block.number, delta }]
  }

  /** A tool that Bedrock runs itself, or its result: only Converse has these shapes. */
  #opaque(index: number, value: JsonObject): readonly AnswerEvent[] {
    const name = Object.keys(value)[0]
    if (name === undefined) return []
    const { events, block } = this.#at(index, 'opaque')
    return [...events, { type: 'opaque', block: block.number, dialect: 'bedrock-converse', name, value }]
  }

  /** The block with this number; ends earlier blocks, because only calls may overlap. */
  #at(index: number, kind: BlockKind): { readonly events: readonly AnswerEvent[]; readonly block: OpenBlock } {
    const known = this.#open.get(index)
    if (known?.kind === kind) return { events: [], block: known }
    const before = [...this.#open].flatMap(([other, block]) =>
      kind === 'tool' && block.kind === 'tool' ? [] : [other],
    )
    const events = [...this.stop(index), ...before.flatMap((other) => this.stop(other))]
    const block: OpenBlock = { kind, number: this.#count++, signature: '' }
    this.#open.set(index, block)
    return { events, block }
  }
}

function signatureOf({ number, signature }: OpenBlock): readonly ContentEvent[] {
  if (signature === '') return []
  return [{ type: 'proof', block: number, signature: { dialect: 'bedrock-converse', value: signature } }]
}

/** Documents have no address; their title is used instead. */
function readCitation({ title, location, source, sourceContent }: JsonObject): Citation {
  const url = asText(asObject(asObject(location)?.['web'])?.['url'])
  const quote = asList(sourceContent)
    .map((item) => asText(asObject(item)?.['text']))
    .join('')
  const name = asText(title) || asText(source)
  return { url, ...(name === '' ? {} : { title: name }), ...(quote === '' ? {} : { quote }) }
}
