import type { SseRelay } from '../framing/sse-relay.ts'
import type { TokenCounts } from '../token-counts.ts'
import type { UpstreamError } from './errors.ts'

/** An OpenAI chat stream on its way from upstream to client. */
export interface ChatStream extends SseRelay {
  /** The last usage seen. */
  readonly usage: TokenCounts | undefined
  /** Set when `state` is `failed` by an error event of the upstream. */
  readonly error: UpstreamError | undefined
  /** A finish reason was seen: end of input without `[DONE]` is a proper end. */
  readonly finished: boolean
}

/**
 * Opens the relay of one stream. Without `usageAsked` the usage-only chunk (`choices: []` with a usage) is removed;
 * a usage inside a chunk with choices is left alone.
 */
export declare function openChatStream(options: { readonly usageAsked: boolean }): ChatStream
