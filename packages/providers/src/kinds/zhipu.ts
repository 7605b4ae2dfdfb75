import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const zhipu: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 16,
  name: 'Zhipu',
  credentials: 'zhipu',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'clamp-sampling', 'thinking-type', 'takes-reasoning', 'tool-stream'],
  address: at('https://open.bigmodel.cn', '/api/paas/v4'),
  also: { 'anthropic-messages': '/api/anthropic' },
  endpoints: ['chat_completions', 'embeddings', 'images_generations', 'audio_speech', 'audio_transcription'],
  keyForms: [{ id: 'plain', written: 'id.secret', accepts: /^[\w-]+\.[\w-]+$/, parts: ['key'] }],
  failures: [
    {
      fault: 'account',
      words: ['1113'],
      text: /^(?:Insufficient balance or no resource package\. Please recharge\.|余额不足或无可用资源包,请充值。)$/,
    },
    { fault: 'unknown_model', words: ['1211'] },
  ],
  keyPlaceholder: 'id.secret',
  config: ['auth_type'],
  evidence: {
    recorded: ['zhipu'],
    described: 'Zhipu: chat completions, Anthropic compatibility; a token of its own clients',
  },
  prices: [{ seller: 'vendor', pi: 'zai', genai: 'zai', overlay: 'ZHIPU_PRICES' }],
}
