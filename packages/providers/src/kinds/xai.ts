import { at, SPEAKS_OPENAI } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const xAi: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 45,
  name: 'xAI',
  quirks: ['no-developer', 'no-store', 'no-custom-tools'],
  address: at('https://api.x.ai'),
  also: { 'openai-responses': '' },
  prefers: 'openai-responses',
  endpoints: ['chat_completions', 'images_generations', 'images_edits', 'realtime'],
  reportsCost: true,
  offersSocket: true,
  failures: [
    {
      fault: 'account',
      text: /^Your team [\w-]{1,60} has either used all available credits or reached its monthly spending limit\. To continue making API requests, please purchase more credits or raise your spending limit\.$/,
    },
    {
      fault: 'account',
      text: /^Your newly created team doesn't have any credits or licenses yet\. You can purchase those on https:\/\/console\.x\.ai\/team\/[\w-]{1,60}\.$/,
    },
    {
      fault: 'account',
      text: /^You have run out of credits or need a Grok subscription\. Add credits at https:\/\/grok\.com\/[\w?=]{0,40} or upgrade at https:\/\/grok\.com\/supergrok\.$/,
    },
    {
      fault: 'unknown_model',
      statuses: [404],
      text: /^The model [\w.:/-]{1,200} does not exist or your team [\w-]{1,60} does not have access to it\. Please ensure you're using the correct API key\. If you believe this is a mistake, please contact support and quote your team ID and the model name\.$/,
    },
  ],
  evidence: { recorded: ['xai'], described: 'xAI: API reference' },
  prices: [{ seller: 'vendor', pi: 'xai', genai: 'x-ai', overlay: 'XAI_PRICES', isInclusive: true }],
}
