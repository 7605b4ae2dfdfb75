import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const mistral: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 28,
  name: 'Mistral',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'no-stream-options', 'short-tool-ids', 'known-fields-only'],
  address: at('https://api.mistral.ai'),
  endpoints: ['chat_completions', 'embeddings', 'moderations', 'audio_transcription'],
  failures: [
    { fault: 'unknown_model', statuses: [400], words: ['invalid_model'] },
    { fault: 'request_here', statuses: [422], text: /^Extra inputs are not permitted$/ },
  ],
  evidence: { recorded: ['mistral'], described: 'Mistral: API reference' },
  prices: [{ seller: 'vendor', pi: 'mistral', genai: 'mistral', overlay: 'MISTRAL_PRICES' }],
}

/** Its embeddings are left out: they are returned only as bytes, which OpenAI clients would read as floats. */
export const perplexity: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 61,
  name: 'Perplexity',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'think-tags'],
  // Its paths contain no version.
  address: at('https://api.perplexity.ai', ''),
  reportsCost: true,
  failures: [{ fault: 'unknown_model', statuses: [400], words: ['invalid_model'] }],
  modelList: false,
  evidence: { recorded: ['perplexity'], described: 'Perplexity: Sonar API, OpenAI compatibility' },
  prices: [{ seller: 'reseller', genai: 'perplexity' }],
}

/** Embeddings and reranking in OpenAI's format and in its own, which this gateway speaks; no conversations. */
export const jina: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 59,
  name: 'Jina',
  address: at('https://api.jina.ai'),
  endpoints: ['embeddings', 'rerank'],
  evidence: {
    described: 'Jina: embeddings, reranker',
    remark: 'the price book has no source for its prices: set prices for the models on the channel',
  },
}
