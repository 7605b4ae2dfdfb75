import type { JsonObject } from '../json-value.ts'
import type { UsageReport } from '../usage/usage-report.ts'
import type { AnswerEvent, Citation, FinishEvent } from './events.ts'
import type { ChatDialect, ReasoningSignature } from './parts.ts'
import type { UpstreamError } from './upstream-error.ts'

export interface CanonReply {
  readonly id: string
  readonly model: string
  /** In the order of their numbers. */
  readonly blocks: readonly ReplyBlock[]
  readonly finish: FinishEvent | undefined
  readonly usage: UsageReport | undefined
  readonly error: UpstreamError | undefined
}

export type ReplyBlock =
  | { readonly kind: 'text'; readonly text: string; readonly citations: readonly Citation[] }
  | { readonly kind: 'reasoning'; readonly text: string; readonly signature: ReasoningSignature | undefined }
  | { readonly kind: 'refusal'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly name: string
      readonly args: string
      readonly isCustom: boolean
      readonly signature: ReasoningSignature | undefined
    }
  | { readonly kind: 'image'; readonly mime: string; readonly data: string }
  | { readonly kind: 'audio'; readonly mime: string; readonly data: string }
  | { readonly kind: 'opaque'; readonly dialect: ChatDialect; readonly name: string; readonly value: JsonObject }

export function fold(events: Iterable<AnswerEvent>): CanonReply {
  const folding = new Folding()
  for (const event of events) folding.add(event)
  return folding.reply()
}

/** A block while it grows: strings are joined once, at the end. */
interface Growing {
  kind: ReplyBlock['kind']
  readonly pieces: string[]
  readonly citations: Citation[]
  signature: ReasoningSignature | undefined
  tool: { readonly id: string; readonly name: string; readonly isCustom: boolean } | undefined
  mime: string
  opaque: { readonly dialect: ChatDialect; readonly name: string; readonly value: JsonObject } | undefined
}

class Folding {
  #id = ''
  #model = ''
  #finish: FinishEvent | undefined
  #usage: UsageReport | undefined
  #error: UpstreamError | undefined
  readonly #growing = new Map<number, Growing>()

  add(event: AnswerEvent): void {
    switch (event.type) {
      case 'start':
        this.#id = event.id
        this.#model = event.model
        return
      case 'usage':
        this.#usage = event.report
        return
      case 'finish':
        this.#finish = event
        return
      case 'error':
        this.#error ??= event.error
        return
      case 'block-end':
        return
      case 'text':
      case 'reasoning':
      case 'refusal':
        this.#at(event.block, event.type).pieces.push(event.delta)
        return
      case 'proof':
        this.#at(event.block, 'reasoning').signature = event.signature
        return
      case 'citation':
        this.#at(event.block, 'text').citations.push(event.citation)
        return
      case 'tool-start': {
        const block = this.#at(event.block, 'tool')
        block.tool = { id: event.id, name: event.name, isCustom: event.isCustom === true }
        block.signature = event.signature
        return
      }
      case 'tool-args':
        this.#at(event.block, 'tool').pieces.push(event.delta)
        return
      case 'image':
      case 'audio': {
        const block = this.#at(event.block, event.type)
        block.mime = event.mime
        block.pieces.push(event.data)
        return
      }
      case 'opaque':
        this.#at(event.block, 'opaque').opaque = event
    }
  }

  reply(): CanonReply {
    const inOrder = [...this.#growing].toSorted(([a], [b]) => a - b)
    const id = this.#id
    const model = this.#model
    const finish = this.#finish
    const usage = this.#usage
    const error = this.#error
    return { id, model, blocks: inOrder.map(([, block]) => finished(block)), finish, usage, error }
  }

  #at(block: number, kind: ReplyBlock['kind']): Growing {
    const known = this.#growing.get(block)
    if (known !== undefined) return known
    const fresh: Growing = {
      kind,
      pieces: [],
      citations: [],
      signature: undefined,
      tool: undefined,
      mime: '',
      opaque: undefined,
    }
    this.#growing.set(block, fresh)
    return fresh
  }
}

function finished({ kind, pieces, citations, signature, tool, mime, opaque }: Growing): ReplyBlock {
  const text = pieces.join('')
  switch (kind) {
    case 'text':
      return { kind, text, citations }
    case 'reasoning':
      return { kind, text, signature }
    case 'refusal':
      return { kind, text }
    case 'tool':
      return {
        kind,
        id: tool?.id ?? '',
        name: tool?.name ?? '',
        args: text,
        isCustom: tool?.isCustom ?? false,
        signature,
      }
    case 'image':
    case 'audio':
      return { kind, mime, data: text }
    case 'opaque': {
      const { dialect = 'openai-chat', name = '', value = {} } = opaque ?? {}
      return { kind, dialect, name, value }
    }
  }
}
