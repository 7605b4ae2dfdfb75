import { openAiAdapters } from '../adapters/openai-adapters.ts'
import type { KeyForm, KindAddress, PriceSource } from './kind.ts'

/** A one-word key, sent in a header. Channels can change between kinds that share this form. */
export const WORD: KeyForm = {
  id: 'plain',
  written: 'one word',
  accepts: /^[!-~]+$/,
  rule: 'may contain only printable ASCII characters without spaces',
  parts: ['key'],
}

/** Most kinds have a one-word key, a model list, only chat, and no list prices of their own. */
export const USUAL = {
  credentials: 'bearer',
  quirks: [],
  endpoints: ['chat_completions'],
  keyForms: [WORD],
  modelList: true,
  standing: 'current',
  prices: [],
} as const

export const SPEAKS_OPENAI = { ...USUAL, dialect: 'openai-chat', adapters: openAiAdapters } as const

export const OPENAI_ENDPOINTS = [
  'chat_completions',
  'completions',
  'embeddings',
  'moderations',
  'images_generations',
  'audio_speech',
  'audio_transcription',
  'audio_translation',
  'images_edits',
  'response_api',
  'realtime',
] as const

export const OPENAI_PRICES: PriceSource = {
  seller: 'vendor',
  pi: 'openai',
  genai: 'openai',
  overlay: 'OPENAI_PRICES',
  isInclusive: true,
}

/** OpenAI itself, and servers that forward to it. */
export const OPENAI_ITSELF = {
  ...SPEAKS_OPENAI,
  quirks: ['one-cap', 'fixed-sampling'],
  endpoints: OPENAI_ENDPOINTS,
  also: { 'openai-responses': '' },
  movesToolsToResponses: true,
  prices: [OPENAI_PRICES],
} as const

/** Common to nearly every vendor besides OpenAI and Azure. */
export const VENDOR_QUIRKS = ['no-developer', 'no-store', 'no-strict-tools', 'no-custom-tools'] as const

export const OWN_ADDRESS = { defaultBaseUrl: '', baseUrlEditable: true, baseUrlRequired: true } as const
export const REGIONAL = { defaultBaseUrl: '', baseUrlEditable: false, baseUrlRequired: false } as const

/** The vendor's own base URL, as recommended in late 2026; `prefix` replaces `/v1`. */
export function at(defaultBaseUrl: string, prefix?: string): KindAddress {
  const address = { defaultBaseUrl, baseUrlEditable: true, baseUrlRequired: false }
  return prefix === undefined ? address : { ...address, prefix }
}
