import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const ollama: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 30,
  name: 'Ollama',
  credentials: 'bearer-optional',
  quirks: [...VENDOR_QUIRKS, 'think-tags'],
  address: at('http://localhost:11434'),
  also: { 'openai-responses': '', 'anthropic-messages': '' },
  endpoints: ['chat_completions', 'completions', 'embeddings'],
  takesTopK: true,
  evidence: { described: 'Ollama: OpenAI and Anthropic compatibility' },
}
