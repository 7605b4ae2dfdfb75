import type { Refusal } from '@sluice/contract/errors'
import type { ClientCodec, FollowUp, PathFacts } from '@sluice/dialects/canon/codec'
import type { Loss } from '@sluice/dialects/canon/losses'
import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { ClientVoice } from '@sluice/dialects/client-voice'
import type { AnswerStream } from '@sluice/dialects/framing/answer-stream'
import type { DeliveredText } from '@sluice/dialects/openai-chat/delta-text'
import type { UpstreamError } from '@sluice/dialects/openai-chat/errors'
import type { Reference } from '@sluice/dialects/references'
import type { Splice } from '@sluice/dialects/splice/splice'
import type { Steering } from '@sluice/dialects/steering'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import type { UsageReport } from '@sluice/dialects/usage/usage-report'
import type { Quote } from '@sluice/providers/prices/quote'

/**
 * What a client asks for: one body of one kind of call, read. All that differs between the kinds is behind this interface;
 * the ten steps are the same for each. One file beside this one for each kind.
 */
export interface Asked extends AnswerReader {
  /** Path of the call, which is also its path at providers of the same dialect: `/v1/embeddings`. */
  readonly path: string
  /** How the client is spoken to. */
  readonly voice: ClientVoice
  /** What providers of other dialects can be asked through; undefined for calls that are no conversation. */
  readonly conversation: Conversation | undefined
  readonly model: string
  /** The answer is to come as events. */
  readonly stream: boolean
  /** Names and values of the headers that tell a provider what comes and what is wanted. */
  readonly headers: readonly string[]
  /** Bytes that estimates of prompt tokens are made from. */
  readonly promptBytes: number
  /** The answer is text that can be counted, and an answer without any is an empty one. */
  readonly hasText: boolean
  /** What pictures are asked for, which their price depends on; '' where the client leaves it open. */
  readonly picture?: { readonly size: string; readonly quality: string }
  /** What the client says of who is to answer; absent for calls that cannot say it. */
  readonly steering?: Steering
  /** What the provider keeps, and what it is to look up of it; absent for calls that know no such thing. */
  readonly kept?: KeptCall | undefined
  /** The most that the request can use at this price, whoever counts it. */
  bound(quote: Quote, preConsumed: number): UsageBound
  /** What is to be changed in the body for one provider. */
  edits(body: Buffer, edits: CallEdits): readonly Splice[] | Refusal
  /** What is charged when the provider counted nothing: from the tokens of prompt and text, as they were counted here. */
  ownCounts(tokens: { readonly prompt: number; readonly output: number }): TokenCounts
}

/** Of a call that refers to what a provider keeps, or whose answer later ones may refer to. */
export interface KeptCall {
  /** The answer is found by its id later. */
  readonly isKept: boolean
  /** The provider is to hold the conversation itself, so only one that does can be asked. */
  readonly isThreaded: boolean
  /** Earlier answers and their items, which may also be remembered here. */
  readonly references: readonly Reference[]
  /** Files, containers, and whatever else only a provider has. */
  readonly objects: readonly Reference[]
  /** Reasoning in it was told here: it can only be passed on without. */
  readonly hasToldReasoning: boolean
  /** What it referred to and is told without. */
  readonly lost: readonly Loss[]
}

/** Of a call that names nothing but objects; undefined when it names none. */
export function namingObjects(objects: readonly Reference[]): KeptCall | undefined {
  return objects.length === 0 ? undefined : { ...NOTHING_KEPT, objects }
}

export const NOTHING_KEPT: KeptCall = {
  isKept: false,
  isThreaded: false,
  references: [],
  objects: [],
  hasToldReasoning: false,
  lost: [],
}

/** Held for what a provider looks up by itself: more than most conversations hold. What it is, is told with the answer. */
export const LOOKED_UP_TOKENS = 32_768

/** Makes the client's answer of what a provider sends. */
export interface AnswerReader {
  openStream(): AnswerStream
  /** Reads a whole answer with a good status. */
  readAnswer(
    body: Buffer,
    contentType: string,
  ): WholeAnswer | { readonly invalid: string } | { readonly follow: FollowUp }
  /** A whole answer, in the client's dialect, as the events that it asked for: some providers ignore that. */
  asEvents(body: Buffer): Uint8Array
}

/** A call that can be told in another dialect. */
export interface Conversation {
  readonly dialect: ChatDialect
  readonly codec: ClientCodec
  readonly facts: PathFacts
  /** The client wants the usage of its stream. */
  readonly usageAsked: boolean
}

/** A worst case. */
export interface UsageBound {
  readonly counts: TokenCounts
  /** True when nothing caps the answer at these counts: a stream then extends its hold as it grows. */
  readonly open: boolean
}

/** What one provider is to see differently. */
export interface CallEdits {
  /** Its name of the model. */
  readonly model: string
  /** Ask for the usage of a stream. */
  readonly askUsage: boolean
  /** Takes the place of the system prompt where a call has one. */
  readonly systemPrompt: string | null
}

/** What a whole answer holds for us. */
export interface WholeAnswer {
  readonly usage: UsageReport | undefined
  /** An error under a good status: the answer is treated as the error it is. */
  readonly error: UpstreamError | undefined
  /** The text, for counting; undefined when there was something and it need not be counted. */
  readonly delivered: DeliveredText | undefined
  /** What the provider calls the answer and its parts, where it keeps them. */
  readonly ids?: readonly string[]
  /** Containers and files that the answer was made with and that can be used again. */
  readonly objects?: readonly string[] | undefined
  /** What the client gets; absent where the provider's bytes pass through. */
  readonly body?: Buffer
  /** For the client; absent for JSON. */
  readonly contentType?: string
}

/** Counts without caches, reasoning and units. */
export function plainCounts(input: number, output: number): TokenCounts {
  return { input, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0 }
}

/** What a JSON call sends to a provider beside its body. */
export const JSON_CALL: readonly string[] = ['content-type', 'application/json', 'accept', 'application/json']
export const JSON_STREAM: readonly string[] = ['content-type', 'application/json', 'accept', 'text/event-stream']
