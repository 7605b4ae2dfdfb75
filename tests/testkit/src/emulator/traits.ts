/** What a model does. */
export interface Traits {
  /** Content tokens of the answer; every token is one frame of a stream. */
  readonly tokens: number
  /** Answers with the text of the last question instead of its own words, 24 characters in a token. */
  readonly echoes: boolean
  /**
   * Every token is the time at which it is sent (unix milliseconds, with fractions), for clients that measure its latency.
   */
  readonly tellsTime: boolean
  /** Milliseconds between two tokens. A plain answer takes as long as its stream would. */
  readonly paceMs: number
  /** Milliseconds before the response head. */
  readonly delayMs: number
  /** Milliseconds of silence after the first token of a stream. */
  readonly silenceMs: number
  /** Tokens of reasoning before the content. */
  readonly reasoningTokens: number
  /** Tokens of reasoning that are counted but not sent. */
  readonly hiddenTokens: number
  /** Where a stream puts reasoning: in a field of the delta, or both reasoning and content as lists of typed parts. */
  readonly reasoningAs: 'reasoning_content' | 'reasoning' | 'thinking' | 'parts'
  /** Calls the first offered tool instead of answering in text. */
  readonly callsTool: boolean
  /** Writes the file that a question names, with one of the offered tools; see `agent-work.ts`. */
  readonly worksAsAgent: boolean
  /** Reports token counts, as far as the request asks for them. */
  readonly reportsUsage: boolean
  /** Share of the prompt reported as read from a cache. */
  readonly cachedShare: number
  /** Bytes of one frame in the middle of the answer; 0 keeps every frame small. */
  readonly hugeFrameBytes: number
  /** Sends every byte of the answer in a separate write. */
  readonly bytewise: boolean
  /** Milliseconds between two such bytes. */
  readonly byteMs: number
  /** HTTP status of an error answer; 0 for a normal answer. */
  readonly errorStatus: number
  /** `errorStatus` applies to every n-th request. */
  readonly errorEvery: number
  /** The code inside an error answer, where it differs from the usual one of its status. */
  readonly errorCode: string | undefined
  /** How an error answer says when to retry; 'usual' means `Retry-After: 2` with 429 and 503. */
  readonly retryAfter: 'usual' | 'none' | 'seconds' | 'date' | 'ms'
  /** The value for `retryAfter`: seconds from now, but milliseconds for 'ms'. */
  readonly retryIn: number
  readonly fault: Fault | 'none'
}

export type Fault =
  | 'cut-before'
  | 'cut-mid'
  | 'end-mid'
  | 'stall-before'
  | 'stall-head'
  | 'stall'
  | 'malformed'
  | 'error-in-200'
  | 'error-in-stream'
  | 'html'

export const ORDINARY: Traits = {
  tokens: 48,
  echoes: false,
  tellsTime: false,
  paceMs: 10,
  delayMs: 0,
  silenceMs: 0,
  reasoningTokens: 0,
  hiddenTokens: 0,
  reasoningAs: 'reasoning_content',
  callsTool: false,
  worksAsAgent: false,
  reportsUsage: true,
  cachedShare: 0,
  hugeFrameBytes: 0,
  bytewise: false,
  byteMs: 0,
  errorStatus: 0,
  errorEvery: 1,
  errorCode: undefined,
  retryAfter: 'usual',
  retryIn: 0,
  fault: 'none',
}
