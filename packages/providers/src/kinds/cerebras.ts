import { at, SPEAKS_OPENAI } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** The code is Laisky's. */
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
