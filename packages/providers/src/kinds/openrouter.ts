import { openAiAdapters } from '../adapters/openai-adapters.ts'
import { difference, objectOf, singleBalance } from '../balance-source.ts'
import { at, SPEAKS_OPENAI } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const openRouter: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 20,
  name: 'OpenRouter',
  quirks: ['no-store', 'no-custom-tools', 'reasoning-object', 'takes-reasoning', 'cache-control'],
  address: at('https://openrouter.ai/api'),
  also: { 'openai-responses': '', 'anthropic-messages': '' },
  endpoints: [
    'chat_completions',
    'completions',
    'embeddings',
    'images_generations',
    'audio_speech',
    'audio_transcription',
  ],
  // OpenRouter lists the applications that call it.
  adapters: (setup) => openAiAdapters(setup, { headers: ['x-title', 'Sluice'] }),
  takesTopK: true,
  reportsCost: true,
  balance: singleBalance('/v1/credits', 'USD', ({ data }) => {
    const { total_credits: bought, total_usage: used } = objectOf(data)
    return difference(bought, used)
  }),
  failures: [
    { fault: 'unknown_model', statuses: [404], text: /^No endpoints found for [\w.:/-]{1,200}\.$/ },
    {
      fault: 'unknown_model',
      statuses: [404],
      text: /^No endpoints (?:found|available) matching your (?:guardrail restrictions and )?data policy(?: \([\w ]{1,60}\))?\. [\w ]{1,60}: https:\/\/openrouter\.ai\/settings\/privacy$/,
    },
  ],
  evidence: { recorded: ['openrouter'], described: 'OpenRouter: API reference' },
  prices: [{ seller: 'reseller', pi: 'openrouter', genai: 'openrouter', overlay: 'OPENROUTER_PRICES' }],
}
