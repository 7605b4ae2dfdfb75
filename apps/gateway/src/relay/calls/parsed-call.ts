import type { Refusal } from '@sluice/contract/errors'
import type { ClientCodec, PathFacts } from '@sluice/dialects/canon/codec'
import type { Loss } from '@sluice/dialects/canon/losses'
import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { ClientFormat } from '@sluice/dialects/client-format'
import type { Seal } from '@sluice/dialects/openai-responses/compaction/compaction-codec'
import type { Reference } from '@sluice/dialects/references'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { WithUsage } from '@sluice/dialects/usage/counted-usage'
import type { Quote } from '@sluice/providers/prices/quote'
import type { AnswerReader } from './answer-reader.ts'

/** One client call, parsed. All differences between the kinds are behind this interface; the twelve stages are the same. */
export interface ParsedCall extends AnswerReader {
  /** Path of the call, which is also its path at providers of the same dialect: `/v1/embeddings`. */
  readonly path: string
  readonly format: ClientFormat
  /** The translation for providers of other dialects; undefined for calls that are not conversations. */
  readonly conversation: Conversation | undefined
  readonly model: string
  readonly stream: boolean
  readonly headers: readonly string[]
  readonly promptBytes: number
  /** The answer is text that can be counted, and an answer without text is empty. */
  readonly hasText: boolean
  /** The requested pictures, on which the price depends; '' for properties that the client did not set. */
  readonly picture?: { readonly size: string; readonly quality: string }
  /** The client's wishes about which provider should answer; absent for calls that cannot have any. */
  readonly steering?: Steering
  /** What the provider stores, and the stored objects that the call refers to; absent for calls without storage. */
  readonly storage?: CallStorage | undefined
  /** Conversation summaries in the call, or requested as its answer; absent for calls without any. */
  readonly compaction?: Compaction | undefined
  /** For a background request: the same call's body for a waiting client. Otherwise absent. */
  readonly foreground?: ((body: Buffer) => readonly Uint8Array[]) | undefined
  /** The most that the request can use at this price, whether the provider or the gateway counts it. */
  bound(quote: Quote, preConsumed: number): UsageBound
  edits(body: Buffer, edits: CallEdits): readonly Splice[] | Refusal
  /** What to charge if the provider did not report usage, from the prompt and text tokens counted here. */
  ownCounts(tokens: { readonly prompt: number; readonly output: number }): TokenCounts
  /** Adds the usage counted here to the answer; absent for calls whose answers do not show tokens. */
  readonly withUsage?: WithUsage | undefined
}

/** For a call that refers to objects stored by a provider, or whose answer later calls can refer to. */
export interface CallStorage {
  /** The answer can be found by its id later. */
  readonly isStored: boolean
  /** Only a provider that stores the conversation itself can be called. */
  readonly isThreaded: boolean
  /** Earlier answers and their items, which might also be cached here. */
  readonly references: readonly Reference[]
  /** Files, containers, and other objects that only a provider has. */
  readonly objects: readonly Reference[]
  /** The call contains reasoning that was translated here and must be removed before it is forwarded. */
  readonly hasTranslatedReasoning: boolean
  /** References that were removed from the request. */
  readonly lost: readonly Loss[]
}

/** The compaction data of a call that contains summaries encrypted here, or that requests one. */
export interface Compaction {
  readonly sealed: readonly Reference[]
  /** The same call, able to encrypt the summary that a provider of another dialect writes; undefined if it does not request one. */
  readonly sealing: ((seal: Seal) => ParsedCall) | undefined
}

/** Undefined if the call refers to no objects. */
export function namingObjects(objects: readonly Reference[]): CallStorage | undefined {
  return objects.length === 0 ? undefined : { ...NOTHING_STORED, objects }
}

export const NOTHING_STORED: CallStorage = {
  isStored: false,
  isThreaded: false,
  references: [],
  objects: [],
  hasTranslatedReasoning: false,
  lost: [],
}

/** Tokens held for objects that a provider looks up: more than most conversations contain. The answer reports the actual number. */
export const LOOKED_UP_TOKENS = 32_768

export interface Conversation {
  readonly dialect: ChatDialect
  readonly codec: ClientCodec
  readonly facts: PathFacts
  readonly wantsUsage: boolean
}

export interface UsageBound {
  readonly counts: TokenCounts
  /** True if nothing caps the answer at these counts, so that the hold of a stream grows with it. */
  readonly open: boolean
}

export interface CallEdits {
  readonly model: string
  readonly askUsage: boolean
  /** Replaces the system prompt, if the call has one. */
  readonly systemPrompt: string | null
  /** The provider is the author of the call's dialect, so a client may send it more than its model supports. */
  readonly ownsDialect: boolean
}

/** Counts without caches, reasoning and units. */
export function plainCounts(input: number, output: number): TokenCounts {
  return { input, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0 }
}

export const JSON_CALL: readonly string[] = ['content-type', 'application/json', 'accept', 'application/json']
export const JSON_STREAM: readonly string[] = ['content-type', 'application/json', 'accept', 'text/event-stream']
