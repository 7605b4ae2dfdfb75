import { at, SPEAKS_OPENAI } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** Models are named in full, as in `accounts/fireworks/models/glm-5p3`. The code is Laisky's. */
export const fireworks: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 54,
  name: 'Fireworks',
  quirks: ['no-developer', 'no-store', 'no-custom-tools'],
  address: at('https://api.fireworks.ai/inference'),
  also: { 'openai-responses': '', 'anthropic-messages': '' },
  endpoints: ['chat_completions', 'completions', 'embeddings', 'rerank'],
  takesTopK: true,
  evidence: { described: 'Fireworks: API reference, OpenAI and Anthropic compatibility' },
  // The names in genai-prices are not those that the API accepts.
  prices: [{ seller: 'reseller', pi: 'fireworks' }],
}
