import { ORDINARY, type Traits } from './traits.ts'

/**
 * The emulator's models. A model's name determines its behaviour, so a channel, a test or a curl line needs nothing else to meet
 * slow, broken and hostile providers. A name outside the table answers like an ordinary model: 48 tokens at 100 tokens per second.
 */
export interface EmulatedModel {
  /** The name as in a request; a capital letter stands for a whole number. */
  readonly name: string
  readonly summary: string
  /** `numbers` are the values of the capital letters. */
  readonly traits: (...numbers: number[]) => Partial<Traits>
}

/** Short and immediate; the basis of most models below. */
const QUICK = { ...ORDINARY, tokens: 16, paceMs: 0 }

const limited = (retryAfter: Traits['retryAfter'], retryIn = 0) => ({ errorStatus: 429, retryAfter, retryIn })

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
    name: 'emu-hidden-K',
    summary: 'K tokens of reasoning that are counted and not told, then 4 tokens',
    traits: (hiddenTokens) => ({ hiddenTokens, tokens: 4 }),
  },
  {
    name: 'emu-tools',
    summary: 'calls the first offered tool, arguments in pieces',
    traits: () => ({ callsTool: true }),
  },
  {
    name: 'emu-agent',
    summary: 'thinks, then writes the file of `(write PATH)` in the question with an agent’s tool',
    traits: () => ({ worksAsAgent: true, reasoningTokens: 4 }),
  },
  {
    name: 'emu-agent-cut',
    summary: 'the same, the connection reset in the middle',
    traits: () => ({ worksAsAgent: true, reasoningTokens: 4, fault: 'cut-mid' }),
  },
  { name: 'emu-cached', summary: 'half of the prompt read from a cache', traits: () => ({ cachedShare: 0.5 }) },
  { name: 'emu-no-usage', summary: 'never reports token counts', traits: () => ({ reportsUsage: false }) },
  { name: 'emu-bytewise', summary: 'every byte in a write of its own', traits: () => ({ tokens: 3, bytewise: true }) },
  {
    name: 'emu-trickle-M',
    summary: '3 tokens, one byte every M ms',
    traits: (byteMs) => ({ tokens: 3, bytewise: true, byteMs }),
  },
  {
    name: 'emu-time-K-M',
    summary: 'K tokens, one every M ms, each the moment when it was sent',
    traits: (tokens, paceMs) => ({ tokens, paceMs, tellsTime: true }),
  },
  { name: 'emu-huge-frame', summary: 'one token of 1 MiB', traits: () => ({ hugeFrameBytes: 1 << 20 }) },
  {
    name: 'emu-error-S',
    summary: 'HTTP status S; 429 and 503 with Retry-After: 2',
    traits: (errorStatus) => ({ errorStatus }),
  },
  { name: 'emu-limited', summary: '429 without Retry-After', traits: () => limited('none') },
  { name: 'emu-limited-N', summary: '429 with Retry-After: N', traits: (wait) => limited('seconds', wait) },
  {
    name: 'emu-limited-date-N',
    summary: '429 with the date in N s as Retry-After',
    traits: (wait) => limited('date', wait),
  },
  { name: 'emu-limited-ms-N', summary: '429 with retry-after-ms: N', traits: (wait) => limited('ms', wait) },
  {
    name: 'emu-spent',
    summary: '429 whose code says that the account is spent',
    traits: () => ({ ...limited('none'), errorCode: 'insufficient_quota' }),
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
    name: 'emu-stall-before',
    summary: 'nothing at all, connection stays open',
    traits: () => ({ fault: 'stall-before' }),
  },
  {
    name: 'emu-stall-head',
    summary: 'the response head and nothing more, connection stays open',
    traits: () => ({ fault: 'stall-head' }),
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

export function traitsOf(name: string): Traits {
  for (const { model, pattern } of PATTERNS) {
    const match = pattern.exec(name)
    if (match !== null) return { ...QUICK, ...model.traits(...match.slice(1).map(Number)) }
  }
  return ORDINARY
}
