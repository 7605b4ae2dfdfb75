import type { BodyRefusal } from '../body-refusal.ts'

/** Place of a value in the body: `body[start, end)`, without the white space around it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What the gateway needs to know of a chat completions body. Everything else passes through unseen. */
export interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  /** The client set `stream_options.include_usage: true` itself. */
  readonly usageAsked: boolean
  /**
   * Cap on output tokens of one choice: the larger of `max_completion_tokens` and `max_tokens`. Undefined when neither
   * is given or it is 0, which some upstreams read as "no cap".
   */
  readonly maxOutput: number | undefined
  /** Number of choices, 1 to 128; output is paid per choice. */
  readonly n: number
  /** Bytes of messages, tools and response format without inline media: the basis of the prompt estimate. */
  readonly promptBytes: number
  /** Inline images, audio and files (data: URLs and base64 fields). */
  readonly media: { readonly count: number; readonly bytes: number }
  readonly spans: ChatSpans
}

/** Where `rewrite` may splice. */
export interface ChatSpans {
  /** The whole top-level object. */
  readonly body: Span
  readonly model: Span
  readonly messages: Span
  readonly streamOptions: Span | undefined
}

/**
 * Reads a whole request body. Refuses anything that `JSON.parse` would refuse, anything that is not an object, a key
 * of ours that appears twice, and wrong types in the fields above. Body size is the caller's limit.
 */
export declare function identifyChat(body: Uint8Array): ChatRequest | BodyRefusal
