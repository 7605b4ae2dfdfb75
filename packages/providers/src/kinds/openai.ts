import { openAiBilling } from '../balance-source.ts'
import { at, OPENAI_ITSELF } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const openAi: ProviderKind = {
  ...OPENAI_ITSELF,
  code: 1,
  name: 'OpenAI',
  address: at('https://api.openai.com'),
  takesCompletionCap: true,
  compacts: true,
  offersSocket: true,
  balance: openAiBilling,
  evidence: {
    recorded: ['openai', 'answers/openai-chat', 'answers/openai-responses'],
    described: 'OpenAI API reference',
  },
}
