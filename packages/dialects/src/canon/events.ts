import type { JsonObject } from '../json-value.ts'
import type { UsageReport } from '../usage/usage-report.ts'
import type { ChatDialect, ReasoningSignature } from './parts.ts'
import type { UpstreamError } from './upstream-error.ts'

/**
 * The content of an answer, in order, from any provider, whether streamed or whole.
 *
 * - `start` comes first and once; `finish` or `error` comes last and once, after every usage.
 * - Content is in blocks, numbered from 0 in the order of their first event. A block has one kind of content and ends with
 *   `block-end`, before `finish`. Only tool blocks may overlap; `serial-blocks.ts` puts them in sequence.
 * - A usage replaces the previous one.
 */
export type AnswerEvent = StartEvent | ContentEvent | UsageEvent | FinishEvent | ErrorEvent

export interface StartEvent {
  readonly type: 'start'
  /** The provider's id for the answer, or ''. */
  readonly id: string
  /** The provider's name for the model, or ''. */
  readonly model: string
}

export type ContentEvent =
  | { readonly type: 'text' | 'reasoning' | 'refusal'; readonly block: number; readonly delta: string }
  /** Belongs to the reasoning of its block. */
  | { readonly type: 'proof'; readonly block: number; readonly signature: ReasoningSignature }
  | {
      readonly type: 'tool-start'
      readonly block: number
      readonly id: string
      readonly name: string
      readonly isCustom?: boolean | undefined
      readonly signature?: ReasoningSignature | undefined
    }
  | { readonly type: 'tool-args'; readonly block: number; readonly delta: string }
  /** Belongs to the text of its block. */
  | { readonly type: 'citation'; readonly block: number; readonly citation: Citation }
  /** A whole picture; `data` is base64. */
  | { readonly type: 'image'; readonly block: number; readonly mime: string; readonly data: string }
  /** A piece of audio; `data` is base64. */
  | { readonly type: 'audio'; readonly block: number; readonly mime: string; readonly data: string }
  /** A shape that only its own dialect has; others show its readable part as text: `foreign-shapes.ts`. */
  | {
      readonly type: 'opaque'
      readonly block: number
      readonly dialect: ChatDialect
      readonly name: string
      readonly value: JsonObject
    }
  | { readonly type: 'block-end'; readonly block: number }

/** The source of a statement in the text. */
export interface Citation {
  readonly url: string
  readonly title?: string | undefined
  readonly quote?: string | undefined
  /** Character range of the text, excluding `end`, if known. */
  readonly start?: number | undefined
  readonly end?: number | undefined
}

export interface UsageEvent {
  readonly type: 'usage'
  readonly report: UsageReport
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter'

export interface FinishEvent {
  readonly type: 'finish'
  readonly reason: FinishReason
  /** The provider's own word. */
  readonly raw: string
  readonly stopSequence?: string | undefined
}

export interface ErrorEvent {
  readonly type: 'error'
  readonly error: UpstreamError
}
