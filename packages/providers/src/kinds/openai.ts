import {
  balanceOf,
  type BalanceSource,
  micros,
  objectOf,
  openAiBilling,
  singleBalance,
  UNREAD,
} from '../balance-source.ts'
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

const RESELLER = {
  ...OPENAI_ITSELF,
  standing: { state: 'reseller', instead: 50 },
  evidence: { described: 'as type 1', remark: 'a reseller; whether it still works has not been checked' },
} as const

export const api2d: ProviderKind = { ...RESELLER, code: 2, name: 'API2D proxy', address: at('https://oa.api2d.net') }

export const closeAi: ProviderKind = {
  ...RESELLER,
  code: 4,
  name: 'CloseAI proxy',
  address: at('https://api.openai-proxy.org'),
  balance: singleBalance('/dashboard/billing/credit_grants', 'USD', (reply) => reply['total_available']),
}

/** This vendor accepts the key only in the address; the query is kept out of our logs. */
const openAiSbBalance: BalanceSource = ({ base, key }) => ({
  url: `${base}/sb-api/user/status?api_key=${encodeURIComponent(key)}`,
  secretHeaders: { authorization: `Bearer ${key}` },
  read: (reply) => balanceOf(micros(objectOf(objectOf(reply)['data'])['credit']), 'points'),
})

export const openAiSb: ProviderKind = {
  ...RESELLER,
  code: 5,
  name: 'OpenAI-SB proxy',
  address: at('https://api.openai-sb.com'),
  balance: openAiSbBalance,
}

export const openAiMax: ProviderKind = {
  ...RESELLER,
  code: 6,
  name: 'OpenAI Max proxy',
  address: at('https://api.openaimax.com'),
}

export const ohMyGpt: ProviderKind = {
  ...RESELLER,
  code: 7,
  name: 'OhMyGPT proxy',
  address: at('https://api.ohmygpt.com'),
}

export const aiLs: ProviderKind = {
  ...RESELLER,
  code: 9,
  name: 'AI.LS proxy',
  address: at('https://api.caipacity.com'),
}

const aiProxyBalance: BalanceSource = ({ base, key }) => ({
  url: `${base}/api/report/getUserOverview`,
  secretHeaders: { 'api-key': key },
  read: (reply) => {
    const { success, data } = objectOf(reply)
    return success === false ? UNREAD : balanceOf(micros(objectOf(data)['totalPoints']), 'points')
  },
})

export const aiProxy: ProviderKind = {
  ...RESELLER,
  code: 10,
  name: 'AI Proxy',
  address: at('https://api.aiproxy.io'),
  balance: aiProxyBalance,
  balanceBaseUrl: 'https://aiproxy.io',
}

export const api2gpt: ProviderKind = {
  ...RESELLER,
  code: 12,
  name: 'API2GPT proxy',
  address: at('https://api.api2gpt.com'),
  balance: singleBalance('/dashboard/billing/credit_grants', 'USD', (reply) => reply['total_remaining']),
}

export const aigc2d: ProviderKind = {
  ...RESELLER,
  code: 13,
  name: 'AIGC2D proxy',
  address: at('https://api.aigc2d.com'),
  balance: singleBalance('/dashboard/billing/credit_grants', 'USD', (reply) => reply['total_available']),
}
