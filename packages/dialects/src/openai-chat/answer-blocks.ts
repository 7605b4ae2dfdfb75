import type { AnswerEvent, Citation } from '../canon/events.ts'
import type { ReasoningSignature } from '../canon/parts.ts'

export type Piece =
  | { readonly kind: 'text' | 'reasoning' | 'refusal'; readonly delta: string }
  | { readonly kind: 'proof'; readonly signature: ReasoningSignature }
  | { readonly kind: 'citation'; readonly citation: Citation }
  | { readonly kind: 'image' | 'audio'; readonly mime: string; readonly data: string }

/** A call before its block begins. */
interface Call {
  id: string
  name: string
  args: string
  readonly isCustom: boolean
  signature: ReasoningSignature | undefined
  block: number | undefined
}

/** One piece of a call, as in a chunk. Empty texts are ignored. */
export interface CallPiece {
  /** Identifies the call within the answer. */
  readonly key: string
  readonly id: string
  readonly name: string
  readonly args: string
  readonly isCustom: boolean
  readonly signature: ReasoningSignature | undefined
}

/** Maximum characters that may be held back; no model's answer is that long. */
const HELD_LIMIT = 16 * 1024 * 1024

type Kind = 'text' | 'reasoning' | 'refusal' | 'image' | 'audio'

/** Numbers blocks. Tool calls stay open until the end, because their pieces may arrive in any order; other content waits. */
export class AnswerBlocks {
  #next = 0
  #open: { readonly block: number; readonly kind: Kind } | undefined
  readonly #calls = new Map<string, Call>()
  readonly #waiting: Piece[] = []
  #held = 0
  /** Distinguishes calls to which the provider gave no id. */
  readonly #seed: () => string

  constructor(seed: () => string) {
    this.#seed = seed
  }

  get calledTools(): boolean {
    return this.#calls.size > 0
  }

  /** The provider's id of the call, or ''. */
  idOf(key: string): string | undefined {
    return this.#calls.get(key)?.id
  }

  /** More is held back than any real answer contains. */
  get overflowed(): boolean {
    return this.#held > HELD_LIMIT
  }

  /** Counts what is held back, here and by the reader. */
  hold(text: string): void {
    this.#held += text.length
  }

  say(piece: Piece, out: AnswerEvent[]): void {
    if (this.#calls.size === 0) {
      this.#write(piece, out)
      return
    }
    this.#waiting.push(piece)
    this.hold('delta' in piece ? piece.delta : 'data' in piece ? piece.data : ' ')
  }

  call({ key, id, name, args, isCustom, signature }: CallPiece, out: AnswerEvent[]): void {
    const known = this.#calls.get(key)
    const call = known ?? { id, name: '', args: '', isCustom, signature, block: undefined }
    if (known === undefined) {
      this.#close(out)
      this.#calls.set(key, call)
    }
    call.signature ??= signature
    if (call.block === undefined) {
      call.id ||= id
      call.name += name
      call.args += args
      this.hold(name + args)
      if (call.name !== '') this.#begin(call, out)
    } else if (args !== '') out.push({ type: 'tool-args', block: call.block, delta: args })
  }

  end(out: AnswerEvent[]): void {
    this.#close(out)
    for (const call of this.#calls.values()) {
      if (call.block === undefined) this.#begin(call, out)
      if (call.block !== undefined) out.push({ type: 'block-end', block: call.block })
    }
    for (const piece of this.#waiting.splice(0)) this.#write(piece, out)
    this.#close(out)
  }

  #begin(call: Call, out: AnswerEvent[]): void {
    const block = this.#next++
    call.block = block
    const seed = this.#seed()
    const id = call.id === '' && seed !== '' ? `call_${seed}_${block}` : call.id
    out.push({
      type: 'tool-start',
      block,
      id,
      name: call.name,
      ...(call.isCustom ? { isCustom: true } : {}),
      ...(call.signature === undefined ? {} : { signature: call.signature }),
    })
    if (call.args !== '') out.push({ type: 'tool-args', block, delta: call.args })
  }

  #write(piece: Piece, out: AnswerEvent[]): void {
    switch (piece.kind) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        out.push({ type: piece.kind, block: this.#blockOf(piece.kind, out), delta: piece.delta })
        return
      case 'proof':
        out.push({ type: 'proof', block: this.#blockOf('reasoning', out), signature: piece.signature })
        // A thought after a signature is not covered by it.
        this.#close(out)
        return
      case 'citation':
        out.push({ type: 'citation', block: this.#blockOf('text', out), citation: piece.citation })
        return
      case 'image':
        this.#close(out)
        out.push({ type: 'image', block: this.#blockOf('image', out), mime: piece.mime, data: piece.data })
        this.#close(out)
        return
      case 'audio':
        out.push({ type: 'audio', block: this.#blockOf('audio', out), mime: piece.mime, data: piece.data })
    }
  }

  #blockOf(kind: Kind, out: AnswerEvent[]): number {
    if (this.#open?.kind === kind) return this.#open.block
    this.#close(out)
    this.#open = { block: this.#next++, kind }
    return this.#open.block
  }

  #close(out: AnswerEvent[]): void {
    if (this.#open !== undefined) out.push({ type: 'block-end', block: this.#open.block })
    this.#open = undefined
  }
}
