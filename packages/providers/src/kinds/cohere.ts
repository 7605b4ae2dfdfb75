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
  failures: [
    {
      fault: 'unknown_model',
      statuses: [404],
      text: /^model '[\w.:/-]{1,200}' not found, make sure the correct model ID was used and that you have access to the model\.$/,
    },
    {
      fault: 'request_here',
      statuses: [400],
      text: /^too many tokens: total number of tokens \(prompt and prediction\) cannot exceed \d+ - received \d+\. .+$/,
    },
    // Its usage guidelines.
    { fault: 'request_here', statuses: [498] },
  ],
  evidence: { recorded: ['cohere', 'answers/cohere'], described: 'Cohere: API v2' },
  prices: [{ seller: 'vendor', genai: 'cohere', overlay: 'COHERE_PRICES' }],
}
