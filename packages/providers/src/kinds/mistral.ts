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
