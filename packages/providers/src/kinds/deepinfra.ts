import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** The code is Laisky's. Its rerankers have a call format of their own and are left out. */
export const deepInfra: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 57,
  name: 'DeepInfra',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only'],
  address: at('https://api.deepinfra.com', '/v1/openai'),
  also: { 'anthropic-messages': '/anthropic' },
  endpoints: [
    'chat_completions',
    'completions',
    'embeddings',
    'images_generations',
    'images_edits',
    'audio_speech',
    'audio_transcription',
    'audio_translation',
  ],
  elsewhere: {
    images_edits: '/v1/images/edits',
    audio_speech: '/v1/audio/speech',
    audio_transcription: '/v1/audio/transcriptions',
    audio_translation: '/v1/audio/translations',
  },
  takesTopK: true,
  evidence: {
    described: 'DeepInfra: OpenAI compatibility, Anthropic compatibility, audio',
    remark: 'the price book has no source for its prices: set prices for the models on the channel',
  },
}
