import type { TokenCounts } from '../token-counts.ts'
import type { UpstreamError } from './errors.ts'

/** What a plain (not streamed) reply holds for us. The bytes themselves pass through. */
export interface ChatReply {
  readonly usage: TokenCounts | undefined
  /** An error inside a 200 body: treat the reply as the error it is. */
  readonly error: UpstreamError | undefined
  /** The answer's text, reasoning and tool arguments for counting; empty unless usage is missing. */
  readonly text: string
}

/** Scans a whole reply body; only the usage is parsed. `invalid` says why the body is not a JSON object. */
export declare function readReply(body: Uint8Array): ChatReply | { readonly invalid: string }
