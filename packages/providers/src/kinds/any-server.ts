import { openAiBilling } from '../balance-source.ts'
import { at, OPENAI_ENDPOINTS, OWN_ADDRESS, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** Servers that anyone can run or rent, with OpenAI's calls and rerankers. */
const ANY_SERVER = {
  ...SPEAKS_OPENAI,
  credentials: 'bearer-optional',
  quirks: ['think-tags', 'no-custom-tools'],
  address: OWN_ADDRESS,
  endpoints: [...OPENAI_ENDPOINTS, 'rerank'],
  isAnyServer: true,
  // sub2api.
  failures: [{ fault: 'account', statuses: [403], words: ['INSUFFICIENT_BALANCE'] }],
  reportsCost: true,
  balance: openAiBilling,
  config: ['api_format'],
} as const

export const custom: ProviderKind = {
  ...ANY_SERVER,
  code: 8,
  name: 'Custom',
  standing: { state: 'older', instead: 50 },
  evidence: { described: 'as type 50', remark: 'older name of type 50' },
}

export const openAiCompatible: ProviderKind = {
  ...ANY_SERVER,
  code: 50,
  name: 'OpenAI Compatible',
  takesTopK: true,
  evidence: {
    recorded: ['perplexity', 'voyage'],
    described: 'OpenAI API reference; the emulator of our tests',
  },
}

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
