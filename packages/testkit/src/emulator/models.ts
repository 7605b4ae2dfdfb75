/**
 * The emulator's models. What a model does is chosen by its name, so a channel, a test or a curl line needs nothing else
 * to meet slow, broken and hostile providers. A name outside the table answers like an ordinary model: 48 tokens at 100
 * tokens per second.
 */
export interface EmulatedModel {
  /** As in a request; a capital letter stands for a whole number. */
  readonly name: string
  readonly summary: string
  /** `numbers` are those the capital letters stood for. */
  readonly traits: (...numbers: number[]) => Partial<Traits>
}

export interface Traits {
  /** Content tokens of the answer; every token is one frame of a stream. */
  readonly tokens: number
  /** Answers with the text of the last question instead of its own words, 24 characters in a token. */
  readonly echoes: boolean
  /** Milliseconds between two tokens. A plain answer takes as long as its stream would. */
  readonly paceMs: number
  /** Milliseconds before the response head. */
  readonly delayMs: number
  /** Milliseconds of silence after the first token of a stream. */
  readonly silenceMs: number
  /** Tokens of reasoning before the content. */
  readonly reasoningTokens: number
  /** Where a stream puts reasoning: in a field of the delta, or both reasoning and content as lists of typed parts. */
  readonly reasoningAs: 'reasoning_content' | 'reasoning' | 'thinking' | 'parts'
  /** Calls the first offered tool instead of answering in text. */
  readonly callsTool: boolean
  /** Reports token counts, as far as the request asks for them. */
  readonly reportsUsage: boolean
  /** Share of the prompt reported as read from a cache. */
  readonly cachedShare: number
  /** Bytes of one frame in the middle of the answer; 0 keeps every frame small. */
  readonly hugeFrameBytes: number
  /** Puts every byte of the answer into a write of its own. */
  readonly bytewise: boolean
  /** HTTP status of an error answer; 0 answers. */
  readonly errorStatus: number
  /** Every how many requests `errorStatus` applies. */
  readonly errorEvery: number
  readonly fault: Fault | 'none'
}

export type Fault =
  | 'cut-before'
  | 'cut-mid'
  | 'end-mid'
  | 'stall'
  | 'malformed'
  | 'error-in-200'
  | 'error-in-stream'
  | 'html'

const ORDINARY: Traits = {
  tokens: 48,
  echoes: false,
  paceMs: 10,
  delayMs: 0,
  silenceMs: 0,
  reasoningTokens: 0,
  reasoningAs: 'reasoning_content',
  callsTool: false,
  reportsUsage: true,
  cachedShare: 0,
  hugeFrameBytes: 0,
  bytewise: false,
  errorStatus: 0,
  errorEvery: 1,
  fault: 'none',
}

/** Starting point of the table below: short and immediate. */
const QUICK = { ...ORDINARY, tokens: 16, paceMs: 0 }

export const MODELS: readonly EmulatedModel[] = [
  { name: 'emu-fast', summary: '16 tokens at once', traits: () => ({}) },
  { name: 'emu-slow', summary: '100 tokens, 20 per second', traits: () => ({ tokens: 100, paceMs: 50 }) },
  { name: 'emu-n-tokens-K', summary: 'K tokens at once', traits: (tokens) => ({ tokens }) },
  { name: 'emu-pace-K-M', summary: 'K tokens, one every M ms', traits: (tokens, paceMs) => ({ tokens, paceMs }) },
  { name: 'emu-echo', summary: 'the text of the last question at once', traits: () => ({ echoes: true }) },
  {
    name: 'emu-echo-M',
    summary: 'the same in pieces of 24 characters, one every M ms',
    traits: (paceMs) => ({ echoes: true, paceMs }),
  },
  { name: 'emu-delay-N', summary: 'N ms until the response head', traits: (delayMs) => ({ delayMs }) },
  { name: 'emu-silent-N', summary: 'N ms of silence after the first token', traits: (silenceMs) => ({ silenceMs }) },
  { name: 'emu-reasoning', summary: '8 tokens of reasoning_content first', traits: () => ({ reasoningTokens: 8 }) },
  {
    name: 'emu-reasoning-plain',
    summary: 'the same as reasoning',
    traits: () => ({ reasoningTokens: 8, reasoningAs: 'reasoning' }),
  },
  {
    name: 'emu-thinking',
    summary: 'the same as thinking',
    traits: () => ({ reasoningTokens: 8, reasoningAs: 'thinking' }),
  },
  {
    name: 'emu-parts',
    summary: 'the same, all content as lists of typed parts',
    traits: () => ({ reasoningTokens: 8, reasoningAs: 'parts' }),
  },
  {
    name: 'emu-tools',
    summary: 'calls the first offered tool, arguments in pieces',
    traits: () => ({ callsTool: true }),
  },
  { name: 'emu-cached', summary: 'half of the prompt read from a cache', traits: () => ({ cachedShare: 0.5 }) },
  { name: 'emu-no-usage', summary: 'never reports token counts', traits: () => ({ reportsUsage: false }) },
  { name: 'emu-bytewise', summary: 'every byte in a write of its own', traits: () => ({ tokens: 3, bytewise: true }) },
  { name: 'emu-huge-frame', summary: 'one token of 1 MiB', traits: () => ({ hugeFrameBytes: 1 << 20 }) },
  {
    name: 'emu-error-S',
    summary: 'HTTP status S; 429 and 503 with Retry-After: 2',
    traits: (errorStatus) => ({ errorStatus }),
  },
  {
    name: 'emu-error-every-N',
    summary: 'HTTP 500 on every N-th request, else as emu-fast',
    traits: (errorEvery) => ({ errorStatus: 500, errorEvery }),
  },
  { name: 'emu-error-in-200', summary: 'an error as the body of a 200', traits: () => ({ fault: 'error-in-200' }) },
  {
    name: 'emu-error-in-stream',
    summary: 'an error frame after 3 tokens',
    traits: () => ({ fault: 'error-in-stream' }),
  },
  {
    name: 'emu-cut-before',
    summary: 'connection reset before the response head',
    traits: () => ({ fault: 'cut-before' }),
  },
  {
    name: 'emu-cut-mid',
    summary: 'connection reset after 3 tokens, or half of a plain body',
    traits: () => ({ fault: 'cut-mid' }),
  },
  {
    name: 'emu-end-mid',
    summary: 'stream ends cleanly after 3 tokens, without finish or [DONE]',
    traits: () => ({ fault: 'end-mid' }),
  },
  {
    name: 'emu-stall',
    summary: 'nothing more after 3 tokens, connection stays open',
    traits: () => ({ fault: 'stall' }),
  },
  {
    name: 'emu-malformed',
    summary: 'invalid JSON in the third frame, or as plain body',
    traits: () => ({ fault: 'malformed' }),
  },
  { name: 'emu-html', summary: 'a web page with status 200', traits: () => ({ fault: 'html' }) },
]

const PATTERNS = MODELS.map((model) => ({
  model,
  pattern: new RegExp(`^${model.name.replace(/-[A-Z](?=-|$)/g, '-(\\d{1,8})')}$`),
}))

/** What a model of this name does. */
export function traitsOf(name: string): Traits {
  for (const { model, pattern } of PATTERNS) {
    const match = pattern.exec(name)
    if (match !== null) return { ...QUICK, ...model.traits(...match.slice(1).map(Number)) }
  }
  return ORDINARY
}
