import type { UsageDialect } from '@sluice/dialects/usage-readers'
import type { Rates, UnitClass } from '@sluice/providers/prices/quote'

type TokenClass = Exclude<keyof Rates, 'units'>

/** A recorded reply and its charge by the provider's own price list, calculated by hand. */
export interface Recorded {
  readonly file: string
  readonly dialect: UsageDialect
  /** Documented prices in millionths of a dollar per unit, which for tokens are dollars per million. */
  readonly price: { readonly [Class in TokenClass | UnitClass]?: number }
  /** The charge in millionths of a dollar. */
  readonly charge: number
  /** The charge that the provider reports, in millionths of a dollar. */
  readonly reported?: number
  /** The kind and model name under which the price book has exactly this price. */
  readonly book?: readonly [kind: number, model: string]
}

const SONNET = { input: 3, cachedInput: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6, output: 15 }
const WHISPER = { audio_ms: 0.1 }

export const RECORDED: readonly Recorded[] = [
  {
    file: 'openai/chat-hears.json',
    dialect: 'openai_chat',
    price: { input: 2.5, audio_input: 40, output: 10, audio_output: 80 },
    charge: 20 * 2.5 + 44 * 40 + 9 * 10,
  },
  {
    file: 'openai/completion.json',
    dialect: 'openai_chat',
    price: { input: 1.5, output: 2 },
    charge: 14 * 1.5 + 16 * 2,
    book: [1, 'gpt-3.5-turbo-instruct'],
  },
  {
    file: 'openai/responses.json',
    dialect: 'openai_responses',
    price: { input: 4, cachedInput: 0.4, cacheWrite5m: 5, output: 20 },
    charge: 41 * 4 + 5 * 20,
    book: [1, 'gpt-5.6-sol'],
  },
  {
    // A thousand searches cost 25 dollars with this model; their results are free.
    file: 'openai/responses-web-search.json',
    dialect: 'openai_responses',
    price: { input: 2.5, cachedInput: 1.25, output: 10, search: 25_000 },
    charge: 319 * 2.5 + 556 * 10 + 1 * 25_000,
  },
  {
    // Charged by token, so pictures have no price.
    file: 'openai/image-edit.json',
    dialect: 'openai_images',
    price: { input: 5, image_input: 10, image_output: 40 },
    charge: 27 * 5 + 194 * 10 + 4_160 * 40,
    book: [1, 'gpt-image-1'],
  },
  {
    // 0.006 dollars a minute.
    file: 'openai/transcription.json',
    dialect: 'openai_transcription',
    price: WHISPER,
    charge: 2_000 * 0.1,
    book: [1, 'whisper-1'],
  },
  {
    // The audio is 36.71 seconds long; 37 seconds are billed.
    file: 'openai/transcription-verbose.json',
    dialect: 'openai_transcription',
    price: WHISPER,
    charge: 37_000 * 0.1,
    book: [1, 'whisper-1'],
  },
  {
    file: 'openai/transcription-by-speaker.json',
    dialect: 'openai_transcription',
    price: { input: 2.5, audio_input: 6, output: 10 },
    charge: 11 * 6 + 77 * 10,
    book: [1, 'gpt-4o-transcribe-diarize'],
  },
  {
    file: 'openai/embedding.json',
    dialect: 'openai_embeddings',
    price: { input: 0.02 },
    charge: 4 * 0.02,
    book: [1, 'text-embedding-3-small'],
  },
  {
    // The first event has 13 tokens, 3,913 written and 1 of output; the last repeats them, with 4 of output.
    file: 'anthropic/cache-written-for-an-hour.sse',
    dialect: 'anthropic',
    price: SONNET,
    charge: 13 * 3 + 3_913 * 6 + 4 * 15,
    book: [14, 'claude-sonnet-4-6'],
  },
  {
    // The first event has 2,068 and 8 tokens, the last 22,397 and 637 in all, and two searches.
    file: 'anthropic/web-search.sse',
    dialect: 'anthropic',
    price: { ...SONNET, search: 10_000 },
    charge: 22_397 * 3 + 637 * 15 + 2 * 10_000,
    book: [14, 'claude-sonnet-4-20250514'],
  },
  {
    // The totals cover one of two passes over the model; 55,096 written tokens are in the other.
    file: 'anthropic/compaction.json',
    dialect: 'anthropic',
    price: SONNET,
    charge: (100 + 180) * 3 + 55_096 * 3.75 + (82 + 8) * 15,
    book: [14, 'claude-sonnet-4-6'],
  },
  {
    // Three events with 31, 79 and 80 tokens so far, always with the same 35 of reasoning.
    file: 'google/counts.sse',
    dialect: 'gemini',
    price: { input: 0.3, cachedInput: 0.03, audio_input: 1, output: 2.5 },
    charge: 18 * 0.3 + (80 + 35) * 2.5,
    book: [24, 'gemini-2.5-flash'],
  },
  {
    file: 'google/hears.json',
    dialect: 'gemini',
    price: { input: 0.3, cachedInput: 0.03, audio_input: 1, output: 2.5 },
    charge: 14 * 0.3 + 37 * 1 + (8 + 1_341) * 2.5,
    book: [24, 'gemini-2.5-flash'],
  },
  {
    // Video costs as much as text.
    file: 'google/watches.json',
    dialect: 'gemini',
    price: { input: 0.1, audio_input: 0.7, output: 0.4 },
    charge: (10 + 258) * 0.1 + 97 * 0.4,
    book: [24, 'gemini-2.0-flash'],
  },
  {
    file: 'bedrock/cache-read.json',
    dialect: 'bedrock_converse',
    price: SONNET,
    charge: 13 * 3 + 1_504 * 0.3 + 5 * 15,
  },
  {
    // 2,935 tokens were read, 2,406 are billed.
    file: 'cohere/chat.json',
    dialect: 'cohere',
    price: { input: 0.0375, output: 0.15 },
    charge: 2_406 * 0.0375 + 2 * 0.15,
    book: [35, 'command-r7b-12-2024'],
  },
  {
    // Two dollars for a thousand searches.
    file: 'cohere/rerank.json',
    dialect: 'cohere',
    price: { search: 2_000 },
    charge: 1 * 2_000,
  },
  {
    file: 'openrouter/chat.sse',
    dialect: 'openai_chat',
    price: SONNET,
    charge: 254 * 3 + 5 * 15,
    book: [20, 'anthropic/claude-sonnet-4.6'],
    reported: 837,
  },
  {
    file: 'openrouter/web-search.json',
    dialect: 'openai_chat',
    price: { input: 0.4, cachedInput: 0.1, output: 1.6, search: 10_000 },
    charge: 8_174 * 0.4 + 30 * 1.6 + 1 * 10_000,
    reported: 13_317.6,
  },
  {
    file: 'openrouter/paints.json',
    dialect: 'openai_chat',
    price: { input: 0.3, output: 2.5, image_output: 30 },
    charge: 3 * 0.3 + 8 * 2.5 + 1_290 * 30,
  },
  {
    // Each request with low search context costs 5,000 more, which is not part of the usage. Perplexity rounds each part.
    file: 'perplexity/sonar.json',
    dialect: 'openai_chat',
    price: { input: 1, output: 1 },
    charge: 9 * 1 + 59 * 1,
    reported: 10 + 60 + 5_000,
  },
  {
    // The completion of 14 tokens excludes 292 of reasoning; only the total includes them.
    file: 'xai/chat.json',
    dialect: 'openai_chat',
    price: { input: 0.3, cachedInput: 0.075, output: 0.5 },
    charge: 11 * 0.3 + 3 * 0.075 + (14 + 292) * 0.5,
    book: [45, 'grok-3-mini'],
  },
  {
    // Here the output includes the reasoning. xAI's bill is 189,480,000 ticks of 10^-10 dollars.
    file: 'xai/responses-web-search.json',
    dialect: 'openai_responses',
    price: { input: 2, cachedInput: 0.5, output: 6, search: 5_000 },
    charge: (5_165 - 1_152) * 2 + 1_152 * 0.5 + 891 * 6 + 1 * 5_000,
    reported: 18_948,
  },
  {
    file: 'deepseek/chat.sse',
    dialect: 'openai_chat',
    price: { input: 0.55, cachedInput: 0.14, output: 2.19 },
    charge: 6 * 0.55 + 212 * 2.19,
    book: [36, 'deepseek-reasoner'],
  },
  {
    file: 'mistral/chat.json',
    dialect: 'openai_chat',
    price: { input: 0.1, output: 0.3 },
    charge: 11 * 0.1 + 27 * 0.3,
  },
  {
    // 0.003 dollars a minute; its tokens cost nothing.
    file: 'mistral/transcription.json',
    dialect: 'openai_transcription',
    price: { audio_ms: 0.05 },
    charge: 3_000 * 0.05,
    book: [28, 'voxtral-mini-latest'],
  },
  {
    file: 'mistral/embedding.json',
    dialect: 'openai_embeddings',
    price: { input: 0.1 },
    charge: 11 * 0.1,
    book: [28, 'mistral-embed'],
  },
  {
    file: 'groq/chat.json',
    dialect: 'openai_chat',
    price: { input: 0.15, output: 0.6 },
    charge: 178 * 0.15 + 94 * 0.6,
    book: [29, 'openai/gpt-oss-120b'],
  },
  {
    // The output includes the reasoning. Cached tokens cost as much as others.
    file: 'cerebras/chat.json',
    dialect: 'openai_chat',
    price: { input: 2.25, output: 2.75 },
    charge: 322 * 2.25 + 65 * 2.75,
  },
  {
    file: 'zhipu/chat.json',
    dialect: 'openai_chat',
    price: { input: 0.6, cachedInput: 0.11, output: 2.2 },
    charge: 13 * 0.6 + 437 * 2.2,
    book: [16, 'glm-4.7'],
  },
  {
    // The whole prompt comes from the cache, as two fields say.
    file: 'moonshot/chat.json',
    dialect: 'openai_chat',
    price: { input: 3, cachedInput: 0.3, output: 15 },
    charge: 90 * 0.3 + 34 * 15,
    book: [25, 'kimi-k3'],
  },
  {
    // Two chunks repeat the usage, one of them inside its choice.
    file: 'moonshot/chat.sse',
    dialect: 'openai_chat',
    price: { input: 3, cachedInput: 0.3, output: 15 },
    charge: 90 * 0.3 + 50 * 15,
    book: [25, 'kimi-k3'],
  },
  {
    file: 'alibaba/chat.json',
    dialect: 'openai_chat',
    price: { input: 1.2, output: 6 },
    charge: 24 * 1.2 + 1_668 * 6,
  },
  {
    file: 'voyage/embedding.json',
    dialect: 'openai_embeddings',
    price: { input: 0.06 },
    charge: 3 * 0.06,
  },
]
