import { anthropicAdapters } from '../adapters/anthropic-adapters.ts'
import { at, USUAL } from './defaults.ts'
import type { PriceSource, ProviderKind } from './kind.ts'

export const ANTHROPIC_PRICES: PriceSource = {
  seller: 'vendor',
  pi: 'anthropic',
  genai: 'anthropic',
  overlay: 'ANTHROPIC_PRICES',
}

export const anthropic: ProviderKind = {
  ...USUAL,
  code: 14,
  name: 'Anthropic',
  dialect: 'anthropic-messages',
  credentials: 'x-api-key',
  address: at('https://api.anthropic.com'),
  adapters: anthropicAdapters,
  holdsThreads: true,
  evidence: {
    recorded: ['anthropic', 'answers/anthropic-messages'],
    described: 'Anthropic: Messages API',
    remark:
      'keys `sk-ant-oat…` work too: tokens of a Claude subscription. Anthropic means them for ordinary use of its own applications and lets nobody ' +
      'pass on requests of others with them (code.claude.com/docs/en/legal-and-compliance, November 2026): for a service, take a key of the API',
  },
  prices: [ANTHROPIC_PRICES],
}
