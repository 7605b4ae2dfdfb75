import type { JsonObject } from '../json-value.ts'
import type { UpstreamError } from '../openai-chat/errors.ts'
import type { UsageReport } from '../usage/usage-report.ts'
import type { AnswerEvent, Citation, FinishEvent } from './events.ts'
import type { ChatDialect, ReasoningProof } from './parts.ts'

/** An answer as a whole. */
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
  | { readonly kind: 'reasoning'; readonly text: string; readonly proof: ReasoningProof | undefined }
  | { readonly kind: 'refusal'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly name: string
      readonly args: string
      readonly isCustom: boolean
      readonly proof: ReasoningProof | undefined
    }
  | { readonly kind: 'image'; readonly mime: string; readonly data: string }
  | { readonly kind: 'audio'; readonly mime: string; readonly data: string }
  | { readonly kind: 'opaque'; readonly dialect: ChatDialect; readonly name: string; readonly value: JsonObject }

/** Puts the events of an answer together. */
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
  proof: ReasoningProof | undefined
  tool: { readonly id: string; readonly name: string; readonly isCustom: boolean } | undefined
  mime: string
  opaque: { readonly dialect: ChatDialect; readonly name: string; readonly value: JsonObject } | undefined
}

class Folding {
  private id = ''
  private model = ''
  private finish: FinishEvent | undefined
  private usage: UsageReport | undefined
  private error: UpstreamError | undefined
  private readonly growing = new Map<number, Growing>()

  add(event: AnswerEvent): void {
    switch (event.type) {
      case 'start':
        this.id = event.id
        this.model = event.model
        return
      case 'usage':
        this.usage = event.report
        return
      case 'finish':
        this.finish = event
        return
      case 'error':
        this.error ??= event.error
        return
      case 'block-end':
        return
      case 'text':
      case 'reasoning':
      case 'refusal':
        this.at(event.block, event.type).pieces.push(event.delta)
        return
      case 'proof':
        this.at(event.block, 'reasoning').proof = event.proof
        return
      case 'citation':
        this.at(event.block, 'text').citations.push(event.citation)
        return
      case 'tool-start': {
        const block = this.at(event.block, 'tool')
        block.tool = { id: event.id, name: event.name, isCustom: event.isCustom === true }
        block.proof = event.proof
        return
      }
      case 'tool-args':
        this.at(event.block, 'tool').pieces.push(event.delta)
        return
      case 'image':
      case 'audio': {
        const block = this.at(event.block, event.type)
        block.mime = event.mime
        block.pieces.push(event.data)
        return
      }
      case 'opaque':
        this.at(event.block, 'opaque').opaque = event
    }
  }

  reply(): CanonReply {
    const inOrder = [...this.growing].toSorted(([a], [b]) => a - b)
    const { id, model, finish, usage, error } = this
    return { id, model, blocks: inOrder.map(([, block]) => finished(block)), finish, usage, error }
  }

  private at(block: number, kind: ReplyBlock['kind']): Growing {
    const known = this.growing.get(block)
    if (known !== undefined) return known
    const fresh: Growing = {
      kind,
      pieces: [],
      citations: [],
      proof: undefined,
      tool: undefined,
      mime: '',
      opaque: undefined,
    }
    this.growing.set(block, fresh)
    return fresh
  }
}

function finished({ kind, pieces, citations, proof, tool, mime, opaque }: Growing): ReplyBlock {
  const text = pieces.join('')
  switch (kind) {
    case 'text':
      return { kind, text, citations }
    case 'reasoning':
      return { kind, text, proof }
    case 'refusal':
      return { kind, text }
    case 'tool':
      return { kind, id: tool?.id ?? '', name: tool?.name ?? '', args: text, isCustom: tool?.isCustom ?? false, proof }
    case 'image':
    case 'audio':
      return { kind, mime, data: text }
    case 'opaque': {
      const { dialect = 'openai-chat', name = '', value = {} } = opaque ?? {}
      return { kind, dialect, name, value }
    }
  }
}
