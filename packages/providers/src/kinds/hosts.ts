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
  // Open models have their own names here, and are no cheaper elsewhere.
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
    // A key with this failure can still call free models.
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

/** The code comes from Laisky's fork. */
export const cerebras: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 56,
  name: 'Cerebras',
  quirks: ['no-developer', 'no-store', 'no-custom-tools'],
  address: at('https://api.cerebras.ai'),
  endpoints: ['chat_completions', 'completions'],
  evidence: { recorded: ['cerebras'], described: 'Cerebras: API reference, OpenAI compatibility' },
  prices: [{ seller: 'reseller', pi: 'cerebras', genai: 'cerebras' }],
}

/** The API of build.nvidia.com, and NIM containers under the operator's own base URL. The code comes from Laisky's fork. */
export const nvidia: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 55,
  name: 'NVIDIA',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only'],
  address: at('https://integrate.api.nvidia.com'),
  endpoints: ['chat_completions', 'embeddings'],
  failures: [
    {
      fault: 'unknown_model',
      statuses: [410],
      text: /^The model '[\w.:/-]{1,200}' has reached its end of life on [\w:.-]{1,40} and is no longer available\.$/,
    },
  ],
  evidence: {
    described: 'NVIDIA: NIM API reference',
    remark:
      'calls are paid for with credits, and there is no price list: set prices for the models on the channel. Embedding models that tell ' +
      'queries from passages need `input_type`, or `-query` or `-passage` after their name',
  },
}

/** The code comes from Laisky's fork. Its rerankers have a call format of their own and are left out. */
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

/** Models have full names, such as `accounts/fireworks/models/glm-5p3`. The code comes from Laisky's fork. */
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
