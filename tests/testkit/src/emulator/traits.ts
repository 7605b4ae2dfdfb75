export interface Traits {
  /** Content tokens of the answer; each is one frame of a stream. */
  readonly tokens: number
  /** Repeats the last question instead of using its own words, 24 characters per token. */
  readonly echoes: boolean
  /** Every token is its send time (unix milliseconds, with fractions), for clients that measure travel time. */
  readonly tellsTime: boolean
  /** Milliseconds between tokens. A plain answer takes as long as its stream would. */
  readonly paceMs: number
  readonly delayMs: number
  /** Milliseconds of silence after a stream's first token. */
  readonly silenceMs: number
  readonly reasoningTokens: number
  /** Reasoning tokens that are counted but not sent. */
  readonly hiddenTokens: number
  /** Where a stream puts reasoning: in a field of the delta, or (`parts`) both reasoning and content as lists of typed parts. */
  readonly reasoningAs: 'reasoning_content' | 'reasoning' | 'thinking' | 'parts'
  readonly callsTool: boolean
  /** Writes the file that a question names, with an offered tool; see `agent-work.ts`. */
  readonly worksAsAgent: boolean
  /** Reports token counts, as far as the request asks for them. */
  readonly reportsUsage: boolean
  /** Share of the prompt that is reported as cached. */
  readonly cachedShare: number
  /** Size of one frame in the middle of the answer; 0 for none. */
  readonly hugeFrameBytes: number
  readonly bytewise: boolean
  readonly byteMs: number
  /** HTTP status of an error answer; 0 for a normal answer. */
  readonly errorStatus: number
  readonly errorEvery: number
  /** Code of the error answer, if not the usual one for its status. */
  readonly errorCode: string | undefined
  /** How an error answer says when to retry; 'usual' is `Retry-After: 2` for 429 and 503. */
  readonly retryAfter: 'usual' | 'none' | 'seconds' | 'date' | 'ms'
  /** For `retryAfter`: seconds from now, but milliseconds for 'ms'. */
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
