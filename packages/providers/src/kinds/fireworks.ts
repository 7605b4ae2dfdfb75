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
  failures: [
    {
      fault: 'account',
      statuses: [412],
      words: ['PRECONDITION_FAILED'],
      text: /^Account [\w-]{1,100} is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices\. Please go to https:\/\/fireworks\.ai\/account\/billing for more information\.$/,
    },
    {
      fault: 'unknown_model',
      statuses: [404],
      words: ['NOT_FOUND'],
      text: /^Model not found, inaccessible, and\/or not deployed$/,
    },
  ],
  evidence: { described: 'Fireworks: API reference, OpenAI and Anthropic compatibility' },
  // The names in genai-prices are not those that the API accepts.
  prices: [{ seller: 'reseller', pi: 'fireworks' }],
}
