import { objectOf, singleBalance } from '../balance-source.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const groq: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 29,
  name: 'Groq',
  quirks: ['no-developer', 'no-store', 'no-custom-tools', 'no-logprobs'],
  address: at('https://api.groq.com/openai'),
  also: { 'openai-responses': '' },
  endpoints: ['chat_completions', 'audio_speech', 'audio_transcription', 'audio_translation'],
  failures: [
    {
      fault: 'request_here',
      statuses: [400],
      text: /^property '[^']{1,100}' is unsupported(?:, did you mean '[^']{1,100}'\?)?$/,
    },
  ],
  evidence: { recorded: ['groq'], described: 'Groq: OpenAI compatibility' },
  // Open models are served under their own names, and cost no less elsewhere.
  prices: [{ seller: 'host', pi: 'groq', genai: 'groq', overlay: 'GROQ_PRICES' }],
}

export const together: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 39,
  name: 'together.ai',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'reasoning-enabled'],
  address: at('https://api.together.ai'),
  endpoints: [
    'chat_completions',
    'completions',
    'embeddings',
    'images_generations',
    'audio_speech',
    'audio_transcription',
    'rerank',
  ],
  takesTopK: true,
  evidence: { described: 'together.ai: API reference' },
  prices: [{ seller: 'reseller', pi: 'together', genai: 'together' }],
}

export const novita: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 41,
  name: 'Novita',
  quirks: VENDOR_QUIRKS,
  address: at('https://api.novita.ai/openai'),
  also: { 'anthropic-messages': '/anthropic' },
  endpoints: ['chat_completions', 'completions', 'embeddings'],
  takesTopK: true,
  evidence: { described: 'Novita: OpenAI and Anthropic compatibility' },
  prices: [{ seller: 'reseller', genai: 'novita' }],
}

export const siliconFlow: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 44,
  name: 'SiliconFlow',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'enable-thinking'],
  address: at('https://api.siliconflow.cn'),
  also: { 'anthropic-messages': '' },
  endpoints: ['chat_completions', 'embeddings', 'rerank', 'images_generations', 'audio_speech', 'audio_transcription'],
  takesTopK: true,
  failures: [
    // Its free models are still served to that key.
    {
      fault: 'unknown_model',
      words: ['30011'],
      text: /^The selected model requires paid balance\. Your paid balance is insufficient\. Please top up and try again\.$/,
    },
    { fault: 'unknown_model', statuses: [400], text: /^Model does not exist\. Please check it carefully\.$/ },
  ],
  balance: singleBalance('/v1/user/info', 'CNY', ({ data }) => objectOf(data)['totalBalance']),
  evidence: { described: 'SiliconFlow: API reference' },
}
