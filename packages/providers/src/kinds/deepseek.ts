import { type BalanceSource, balanceOf, micros, objectOf } from '../balance-source.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** Accounts are in yuan or in dollars; both balances are listed, but only one is used. */
const balance: BalanceSource = ({ base, key }) => ({
  url: `${base}/user/balance`,
  secretHeaders: { authorization: `Bearer ${key}` },
  read: (reply) => {
    const { balance_infos: infos } = objectOf(reply)
    const rows = Array.isArray(infos) ? infos.map(objectOf) : []
    const row = rows.find(({ currency }) => currency === 'CNY') ?? rows.find(({ currency }) => currency === 'USD')
    return balanceOf(micros(row?.['total_balance']), row?.['currency'] === 'USD' ? 'USD' : 'CNY')
  },
})

export const deepSeek: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 36,
  name: 'DeepSeek',
  quirks: [
    ...VENDOR_QUIRKS,
    'max-tokens-only',
    'no-json-schema',
    'string-tool-content',
    'thinking-type',
    'needs-reasoning',
  ],
  address: at('https://api.deepseek.com'),
  also: { 'anthropic-messages': '/anthropic' },
  endpoints: ['chat_completions', 'completions'],
  elsewhere: { completions: '/beta/completions' },
  balance,
  failures: [
    { fault: 'unknown_model', statuses: [400], text: /^Model Not Exist$/ },
    { fault: 'request_here', statuses: [400], text: /^Content Exists Risk$/ },
  ],
  evidence: { recorded: ['deepseek'], described: 'DeepSeek: API reference' },
  prices: [{ seller: 'vendor', pi: 'deepseek', genai: 'deepseek', overlay: 'DEEPSEEK_PRICES' }],
}
