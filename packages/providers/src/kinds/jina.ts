import { at, SPEAKS_OPENAI } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** Vectors and ranking in OpenAI's shape and in its own, which this gateway speaks; no conversations. */
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
