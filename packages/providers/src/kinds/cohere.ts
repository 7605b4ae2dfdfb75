import { cohereAdapters } from '../adapters/cohere-adapters.ts'
import { at, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const cohere: ProviderKind = {
  ...USUAL,
  code: 35,
  name: 'Cohere',
  dialect: 'cohere',
  address: at('https://api.cohere.com'),
  endpoints: ['chat_completions', 'embeddings', 'rerank'],
  adapters: cohereAdapters,
  evidence: { recorded: ['cohere', 'answers/cohere'], described: 'Cohere: API v2' },
  prices: [{ seller: 'vendor', genai: 'cohere', overlay: 'COHERE_PRICES' }],
}
