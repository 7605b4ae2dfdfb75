import type { PriceTable } from '@sluice/providers/prices/price-row'

const LONG = { context: 1_050_000, maxOutput: 128_000 } as const
const MEDIUM = { context: 400_000, maxOutput: 128_000 } as const
const REASONING = { context: 200_000, maxOutput: 100_000 } as const
const GPT_4O = { context: 128_000, maxOutput: 16_384, retires: '2027-01-14' } as const
const GPT_41 = { context: 1_047_576, maxOutput: 32_768 } as const

/** Multiples of the price of a 1024x1024 picture. */
const DALL_E_2 = {
  defaultSize: '1024x1024',
  defaultQuality: 'standard',
  multiples: { standard: { '256x256': '0.8', '512x512': '0.9' } },
} as const
const DALL_E_3 = {
  defaultSize: '1024x1024',
  defaultQuality: 'standard',
  multiples: {
    standard: { '1024x1792': '2', '1792x1024': '2' },
    hd: { '1024x1024': '2', '1024x1792': '3', '1792x1024': '3' },
  },
} as const

export const OPENAI_PRICES: PriceTable = {
  'gpt-3.5-turbo': { context: 16_385, maxOutput: 4_096, input: '0.5', output: '1.5', retires: '2026-10-23' },
  'gpt-4': { context: 8_192, maxOutput: 8_192, input: '30', output: '60', retires: '2026-10-23' },
  'gpt-4-turbo': { context: 128_000, maxOutput: 4_096, input: '10', output: '30', retires: '2026-10-23' },
  'gpt-4o': { ...GPT_4O, input: '2.5', output: '10', cachedInput: '1.25' },
  'gpt-4o-mini': { ...GPT_4O, input: '0.15', output: '0.6', cachedInput: '0.075' },
  'gpt-4.1': { ...GPT_41, input: '2', output: '8', cachedInput: '0.5', retires: '2027-01-14' },
  'gpt-4.1-mini': { ...GPT_41, input: '0.4', output: '1.6', cachedInput: '0.1', retires: '2027-01-14' },
  'gpt-4.1-nano': { ...GPT_41, input: '0.1', output: '0.4', cachedInput: '0.025', retires: '2026-10-23' },
  o1: { ...REASONING, input: '15', output: '60', cachedInput: '7.5', retires: '2026-10-23' },
  'o1-pro': { ...REASONING, input: '150', output: '600', retires: '2026-10-23', use: 'responses' },
  o3: { ...REASONING, input: '2', output: '8', cachedInput: '0.5', retires: '2026-12-11' },
  'o3-pro': { ...REASONING, input: '20', output: '80', retires: '2026-12-11', use: 'responses' },
  'o3-mini': { ...REASONING, input: '1.1', output: '4.4', cachedInput: '0.55', retires: '2026-10-23' },
  'o4-mini': { ...REASONING, input: '1.1', output: '4.4', cachedInput: '0.275', retires: '2026-10-23' },
  'gpt-5': { ...MEDIUM, input: '1.25', output: '10', cachedInput: '0.125', retires: '2026-12-11' },
  'gpt-5-mini': { ...MEDIUM, input: '0.25', output: '2', cachedInput: '0.025', retires: '2026-12-11' },
  'gpt-5-nano': { ...MEDIUM, input: '0.05', output: '0.4', cachedInput: '0.005', retires: '2026-12-11' },
  'gpt-5-pro': { ...MEDIUM, input: '15', output: '120', retires: '2026-12-11', use: 'responses' },
  'gpt-5.1': { ...MEDIUM, input: '1.25', output: '10', cachedInput: '0.125', retires: '2027-04-01' },
  'gpt-5.2': { ...MEDIUM, input: '1.75', output: '14', cachedInput: '0.175' },
  'gpt-5.2-pro': { ...MEDIUM, input: '21', output: '168', use: 'responses' },
  'gpt-5.3-codex': { ...MEDIUM, input: '1.75', output: '14', cachedInput: '0.175', use: 'responses' },
  'gpt-5.4': { ...LONG, input: '2.5', output: '15', cachedInput: '0.25' },
  'gpt-5.4-mini': { ...MEDIUM, input: '0.75', output: '4.5', cachedInput: '0.075' },
  'gpt-5.4-nano': { ...MEDIUM, input: '0.2', output: '1.25', cachedInput: '0.02' },
  'gpt-5.4-pro': { ...LONG, input: '30', output: '180', use: 'responses' },
  'gpt-5.5': { ...LONG, input: '5', output: '30', cachedInput: '0.5' },
  'gpt-5.5-pro': { ...LONG, input: '30', output: '180', use: 'responses' },
  'gpt-5.6-sol': { ...LONG, input: '4', output: '20', cachedInput: '0.4', cacheWrite5m: '5' },
  'gpt-5.6-terra': { ...LONG, input: '2', output: '12', cachedInput: '0.2', cacheWrite5m: '2.5' },
  'gpt-5.6-luna': { ...LONG, input: '0.2', output: '1.2', cachedInput: '0.02', cacheWrite5m: '0.25' },
  'gpt-6-astra': { ...LONG, input: '10', output: '50', cachedInput: '1', cacheWrite5m: '12.5' },
  'gpt-6-sol': {
    ...LONG,
    input: '2',
    output: '10',
    cachedInput: '0.2',
    cacheWrite5m: '2.5',
  },
  'gpt-6-luna': { ...LONG, input: '0.1', output: '0.5', cachedInput: '0.01', cacheWrite5m: '0.125' },
  'gpt-6.1-sol': {
    ...LONG,
    input: '2',
    output: '10',
    cachedInput: '0.1',
    cacheWrite5m: '2.5',
  },
  'gpt-6.1-terra': { ...LONG, input: '1', output: '5', cachedInput: '0.05', cacheWrite5m: '1.25' },
  'text-embedding-3-small': { input: '0.02', output: '0', use: 'embeddings' },
  'text-embedding-3-large': { input: '0.13', output: '0', use: 'embeddings' },
  'text-embedding-ada-002': { input: '0.1', output: '0', use: 'embeddings' },
  'omni-moderation-latest': { input: '0', output: '0', use: 'classifier' },
  'text-moderation-latest': { input: '0', output: '0', use: 'classifier' },
  'text-moderation-stable': { input: '0', output: '0', use: 'classifier' },
  'tts-1': { units: { character: '15' }, use: 'speech' },
  'tts-1-hd': { units: { character: '30' }, use: 'speech' },
  // Its answer is audio, which is nearly always counted by length here.
  'gpt-4o-mini-tts': { units: { audio_output: '12' }, use: 'speech' },
  'dall-e-2': { units: { image: '0.02' }, pictures: DALL_E_2, use: 'image', retires: '2026-05-12' },
  'dall-e-3': { units: { image: '0.04' }, pictures: DALL_E_3, use: 'image', retires: '2026-05-12' },
  'gpt-4o-audio-preview': { units: { audio_input: '40', audio_output: '80' }, retires: '2026-07-23' },
  'gpt-4o-mini-audio-preview': { units: { audio_input: '10', audio_output: '20' }, retires: '2026-07-23' },
  // Retired or about to be, according to the vendor's table of shutdowns.
  'gpt-4o-2024-05-13': { retires: '2026-10-23' },
  'gpt-5-chat-latest': { retires: '2026-07-23' },
  'gpt-image-1': { retires: '2026-10-23', use: 'image' },
  'gpt-image-1-mini': { retires: '2026-12-01', use: 'image' },
  'gpt-image-1.5': { retires: '2026-12-01', use: 'image' },
  'chatgpt-image-latest': { retires: '2026-12-01', use: 'image' },
  'whisper-1': { retires: '2027-02-26', use: 'transcription' },
  'gpt-4o-transcribe': { retires: '2027-02-26', use: 'transcription' },
  'gpt-4o-mini-transcribe': { retires: '2027-02-26', use: 'transcription' },
}
