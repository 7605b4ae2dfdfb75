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
  evidence: { recorded: ['xai'], described: 'xAI: API reference' },
  prices: [{ seller: 'vendor', pi: 'xai', genai: 'x-ai', overlay: 'XAI_PRICES', isInclusive: true }],
}
