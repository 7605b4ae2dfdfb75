import type { BodyRefusal } from '../body-refusal.ts'
import type { JsonObject } from '../json-value.ts'
import type { Quirk } from '../openai-chat/quirks/quirk.ts'
import type { TokenCounts } from '../token-counts.ts'
import type { UsageReport } from '../usage/usage-report.ts'
import type { AnswerEvent, ContentEvent, FinishEvent, StartEvent } from './events.ts'
import type { Loss } from './losses.ts'
import type { ChatDialect } from './parts.ts'
import type { CanonReply } from './reply.ts'
import type { CanonRequest } from './request.ts'
import type { UpstreamError } from './upstream-error.ts'

/** The half of a dialect that faces clients. Pure: no clock, no randomness, no changes to the input. */
export interface ClientCodec {
  readonly dialect: ChatDialect
  /** `facts` come from the path, for dialects that put them there. */
  decodeRequest(body: JsonObject, facts: PathFacts): CanonRequest | BodyRefusal
  openEncoder(context: AnswerContext): AnswerEncoder
  encodeReply(reply: CanonReply, context: AnswerContext): JsonObject
  /** Why the client cannot use a whole reply; undefined if it can. */
  faultOf?(reply: CanonReply): string | undefined
}

/** The half of a dialect that faces providers. Pure as well. */
export interface UpstreamCodec {
  readonly dialect: ChatDialect
  encodeRequest(request: CanonRequest, target: Target): Encoded | Inexpressible
  openDecoder(): AnswerDecoder
  /** A whole reply as the events of an equivalent stream; an error in it becomes an `error` event. */
  decodeReply(reply: JsonObject): readonly AnswerEvent[]
  /** Set if the reply is a job that is still running. */
  followUp?(reply: JsonObject): FollowUp | undefined
}

/** Gemini puts the model and whether to stream in the path, and how to stream in the query. */
export interface PathFacts {
  readonly model?: string | undefined
  readonly stream?: boolean | undefined
  readonly framing?: 'sse' | 'json-array' | undefined
}

export interface Target {
  /** The provider's name of the model. */
  readonly model: string
  readonly stream: boolean
  readonly takes: ModelTraits
  /** Limits the answer if the dialect requires a limit and the client set none. */
  readonly defaultMaxTokens: number
  /** Only OpenAI's chat has quirks. */
  readonly quirks?: readonly Quirk[] | undefined
}

/**
 * What a model accepts besides text; see the capability table of `@sluice/providers`. If undefined, settings are sent as requested.
 */
export interface ModelTraits {
  /** Whether temperature, top_p and top_k are accepted. */
  readonly sampling?: 'all' | 'none' | 'unless-thinking' | undefined
  readonly topK?: boolean | undefined
  readonly penalties?: boolean | undefined
  /** `logit_bias`. */
  readonly bias?: boolean | undefined
  readonly stop?: boolean | undefined
  readonly thinking?: ThinkingStyle | undefined
  readonly thinksUnasked?: boolean | undefined
  /** How thinking is switched off if not by `disabled`: not at all, or by this word (Anthropic). */
  readonly thinkingOff?: 'refused' | 'between_tools' | undefined
  /** When a function call cannot be required. */
  readonly forcedCalls?: 'refused' | 'unless-thinking' | undefined
  /** Whether a conversation can end with an answer to be continued. */
  readonly prefill?: boolean | undefined
  /** Whether answers can be bound to a JSON schema. */
  readonly schemas?: boolean | undefined
  /** Supported efforts, lowest first; includes `none` if thinking can be switched off. */
  readonly efforts?: readonly Effort[] | undefined
  /** Maximum answer tokens. */
  readonly maxOutput?: number | undefined
}

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/**
 * effort → a word · budget → a number of tokens · adaptive → the model decides, with an effort · level → Gemini 3's word · switch →
 * on or off · none → the model does not think · forced → it always thinks, and has no setting
 */
export type ThinkingStyle = 'effort' | 'budget' | 'adaptive' | 'level' | 'switch' | 'none' | 'forced'

export interface Encoded {
  readonly body: JsonObject
  readonly losses: readonly Loss[]
  /** Additional headers: a flat list of names and values. */
  readonly headers?: readonly string[]
}

/** The request cannot be sent to this provider without losing its meaning. */
export interface Inexpressible {
  /** Path in OpenAI's chat: `messages[2].content[0]`. */
  readonly field: string
  /** Follows the field's name: `must not contain audio: the provider does not accept it`. */
  readonly rule: string
}

export function isInexpressible(value: Encoded | Inexpressible): value is Inexpressible {
  return 'rule' in value
}

/** A message of a provider's stream, without its framing. */
export interface Frame {
  /** Event type: SSE's `event:`, an AWS `:event-type`, or `exception:` and an AWS `:exception-type`; '' if missing. */
  readonly name: string
  readonly data: string
}

/**
 * Reads a provider's stream. Never throws: unreadable input is skipped if harmless, and otherwise becomes an `error` event. Returns
 * nothing after `finish` or `error`.
 */
export interface AnswerDecoder {
  push(frame: Frame): readonly AnswerEvent[]
  /**
   * Call at the end of input: ends the blocks of a complete answer and returns `finish`, unless that was done before. Without a
   * `finish` or `error` by then, the answer was cut off.
   */
  end(): readonly AnswerEvent[]
}

/** Writes a stream to a client as framed bytes of its dialect. */
export interface AnswerEncoder {
  push(event: StartEvent | ContentEvent): readonly Uint8Array[]
  /** `usage` is undefined if unknown. */
  finish(finish: FinishEvent, usage: TokenCounts | undefined): EncodedEnd
}

export interface EncodedEnd {
  readonly forward: readonly Uint8Array[]
  /** The part that marks the answer as complete; sent when the charge is committed. Never empty. */
  readonly terminal: Uint8Array
}

export interface AnswerContext {
  /** For dialects that repeat parts of the request. */
  readonly request: CanonRequest
  /** The request's id, which makes the answer's id unique. */
  readonly idSeed: string
  /** Unix seconds. */
  readonly created: number
  /** The current time in unix seconds, for the time of completion. */
  readonly now: () => number
  /** For dialects that require a number of prompt tokens before the provider reports it. */
  readonly promptEstimate: number
  readonly wantsUsage: boolean
}

/** Converts a call in OpenAI's format that is not a conversation (embeddings, pictures, reranking). Plain JSON both ways. Pure. */
export interface CallTranslation {
  encode(request: JsonObject, model: string): Encoded | Inexpressible
  /** Returns the reply in OpenAI's format; `request` is the client's. */
  decode(
    reply: JsonObject,
    request: JsonObject,
  ): DecodedCall | { readonly invalid: string } | { readonly follow: FollowUp }
}

/** How to poll a job by `GET` until it is done. */
export interface FollowUp {
  /** Path and query, on the host of the request. */
  readonly path: string
  /** Milliseconds to wait before polling. */
  readonly afterMs: number
}

export interface DecodedCall {
  readonly reply: JsonObject
  readonly usage: UsageReport | undefined
  /** Reported by the provider instead of an answer. */
  readonly error?: UpstreamError | undefined
  /** Sent to the client instead of `reply` if the answer is not JSON: speech. */
  readonly file?: { readonly bytes: Uint8Array; readonly contentType: string } | undefined
}
