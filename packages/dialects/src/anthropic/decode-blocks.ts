import type { AnswerEvent } from '../canon/events.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { UNSIGNED } from './answer-blocks.ts'
import { decodeCitation } from './citations.ts'

type BlockKind = 'text' | 'reasoning' | 'tool' | 'opaque'

interface OpenBlock {
  readonly kind: BlockKind
  /** Set by the first event: an empty block gets no number. */
  number: number | undefined
  /** Collected, because only a whole signature is valid. */
  signature: string
  /** The block's start and its deltas: some starts contain arguments, and some blocks can only be read once complete. */
  readonly begun: JsonObject
  readonly pieces: string[]
  size: number
}

/** Maximum characters of a signature, or of a block that only this dialect has; the excess is left out. */
const WAITING_LIMIT = 4 * 1024 * 1024

/** Renumbers the content blocks of a message and turns them into events. */
export class MessageBlocks {
  readonly #open = new Map<number, OpenBlock>()
  #count = 0

  /** `content_block_start`, or one block of a whole message. */
  start(index: number, block: JsonObject): readonly AnswerEvent[] {
    const before = this.stop(index)
    switch (block['type']) {
      case 'text':
        return [
          ...before,
          ...this.#text(index, textOf(block['text'])),
          ...listOf(block['citations']).flatMap((citation) => this.#citation(index, citation)),
        ]
      case 'thinking':
        return [
          ...before,
          ...this.#thought(index, textOf(block['thinking'])),
          ...this.#sign(index, textOf(block['signature'])),
        ]
      case 'redacted_thinking': {
        const { events, open } = this.#at(index, 'reasoning', block)
        const reasoningSignature = {
          dialect: 'anthropic-messages',
          value: textOf(block['data']),
          redacted: true,
        } as const
        return [...before, ...events, { type: 'proof', block: this.#numberOf(open), signature: reasoningSignature }]
      }
      case 'tool_use': {
        const { events, open } = this.#at(index, 'tool', block)
        const [id, name] = [textOf(block['id']), textOf(block['name'])]
        return [...before, ...events, { type: 'tool-start', block: this.#numberOf(open), id, name }]
      }
      default:
        return typeof block['type'] === 'string' ? [...before, ...this.#at(index, 'opaque', block).events] : before
    }
  }

  delta(index: number, delta: JsonObject): readonly AnswerEvent[] {
    const open = this.#open.get(index)
    if (open?.kind === 'opaque') return keepDelta(open, delta)
    switch (delta['type']) {
      case 'text_delta':
        return this.#text(index, textOf(delta['text']))
      case 'thinking_delta':
        return this.#thought(index, textOf(delta['thinking']))
      case 'signature_delta':
        return this.#sign(index, textOf(delta['signature']))
      case 'input_json_delta':
        return this.#args(open, textOf(delta['partial_json']))
      case 'citations_delta':
        return this.#citation(index, delta['citation'])
      default:
        return []
    }
  }

  stop(index: number): readonly AnswerEvent[] {
    const open = this.#open.get(index)
    if (open === undefined) return []
    this.#open.delete(index)
    const last = this.#lastOf(open)
    return open.number === undefined ? [] : [...last, { type: 'block-end', block: open.number }]
  }

  stopAll(): readonly AnswerEvent[] {
    return [...this.#open.keys()].flatMap((index) => this.stop(index))
  }

  whole(index: number, block: JsonObject): readonly AnswerEvent[] {
    return [...this.start(index, block), ...this.stop(index)]
  }

  /** Why the model declined, which is outside the content: a block of its own at the end. */
  refusal(text: string): readonly AnswerEvent[] {
    const block = this.#count++
    return [
      { type: 'refusal', block, delta: text },
      { type: 'block-end', block },
    ]
  }

  #text(index: number, delta: string): readonly AnswerEvent[] {
    const { events, open } = this.#at(index, 'text', NOTHING)
    return delta === '' ? events : [...events, { type: 'text', block: this.#numberOf(open), delta }]
  }

  #thought(index: number, delta: string): readonly AnswerEvent[] {
    const { events, open } = this.#at(index, 'reasoning', NOTHING)
    return delta === '' ? events : [...events, { type: 'reasoning', block: this.#numberOf(open), delta }]
  }

  #sign(index: number, piece: string): readonly AnswerEvent[] {
    const { events, open } = this.#at(index, 'reasoning', NOTHING)
    if (open.signature.length + piece.length <= WAITING_LIMIT) open.signature += piece
    return events
  }

  #citation(index: number, value: unknown): readonly AnswerEvent[] {
    const citation = decodeCitation(value)
    if (citation === undefined) return []
    const { events, open } = this.#at(index, 'text', NOTHING)
    return [...events, { type: 'citation', block: this.#numberOf(open), citation }]
  }

  /** Arguments of a call that never started are skipped. */
  #args(open: OpenBlock | undefined, delta: string): readonly AnswerEvent[] {
    if (open?.kind !== 'tool' || delta === '') return []
    open.size += delta.length
    return [{ type: 'tool-args', block: this.#numberOf(open), delta }]
  }

  /** The block with this number; ends a block of another kind under this number, and all others except calls. */
  #at(
    index: number,
    kind: BlockKind,
    begun: JsonObject,
  ): { readonly events: readonly AnswerEvent[]; readonly open: OpenBlock } {
    const known = this.#open.get(index)
    if (known?.kind === kind) return { events: [], open: known }
    const ended = [...this.#open].filter(([at, other]) => at === index || kind !== 'tool' || other.kind !== 'tool')
    const events = ended.flatMap(([at]) => this.stop(at))
    const open: OpenBlock = { kind, number: undefined, signature: '', begun, pieces: [], size: 0 }
    this.#open.set(index, open)
    return { events, open }
  }

  #numberOf(open: OpenBlock): number {
    open.number ??= this.#count++
    return open.number
  }

  #lastOf(open: OpenBlock): readonly AnswerEvent[] {
    const { kind, signature, begun, pieces, size } = open
    switch (kind) {
      case 'reasoning': {
        if (signature === '' || signature === UNSIGNED) return []
        const reasoningSignature = { dialect: 'anthropic-messages', value: signature } as const
        return [{ type: 'proof', block: this.#numberOf(open), signature: reasoningSignature }]
      }
      case 'tool': {
        // Some servers send the arguments at the start; a call without any has an empty object there.
        const delta = JSON.stringify(asObject(begun['input']) ?? {})
        return size > 0 ? [] : [{ type: 'tool-args', block: this.#numberOf(open), delta }]
      }
      case 'opaque': {
        const [name, value] = [textOf(begun['type']), grown(begun, pieces)]
        return [{ type: 'opaque', block: this.#numberOf(open), dialect: 'anthropic-messages', name, value }]
      }
      case 'text':
        return []
    }
  }
}

const NOTHING: JsonObject = {}

/** Blocks that only this dialect has are collected: the input of a server's tool, a summary. */
function keepDelta(open: OpenBlock, delta: JsonObject): readonly AnswerEvent[] {
  for (const [name, value] of Object.entries(delta)) {
    if (name === 'type' || typeof value !== 'string' || open.size + value.length > WAITING_LIMIT) continue
    open.size += value.length
    open.pieces.push(name, value)
  }
  return []
}

function grown(begun: JsonObject, pieces: readonly string[]): JsonObject {
  const texts = new Map<string, string[]>()
  for (let i = 0; i < pieces.length; i += 2) {
    const [name = '', piece = ''] = pieces.slice(i, i + 2)
    const known = texts.get(name)
    if (known === undefined) texts.set(name, [piece])
    else known.push(piece)
  }
  const members = [...texts].map(([name, list]): [string, unknown] => {
    const text = list.join('')
    return name === 'partial_json' ? ['input', asObject(parseJson(text)) ?? {}] : [name, textOf(begun[name]) + text]
  })
  return { ...begun, ...Object.fromEntries(members) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
