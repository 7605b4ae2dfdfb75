import type { JsonObject } from '@sluice/dialects/json-value'
import { dashscopeRerank } from '@sluice/dialects/vendors/dashscope-rerank'
import { openAiAdapters } from '../adapters/openai-adapters.ts'
import type { ChannelSetup } from '../channel-setup.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ConvertedCall, PriceSource, ProviderKind } from './kind.ts'

const RERANK: ConvertedCall = [dashscopeRerank, '/api/v1/services/rerank/text-rerank/text-rerank']

const BAILIAN_PRICES: readonly PriceSource[] = [
  { seller: 'reseller', currency: 'CNY', overlay: 'BAILIAN_DEEPSEEK_PRICES' },
  { seller: 'vendor', currency: 'CNY', overlay: 'BAILIAN_PRICES' },
]

const DASHSCOPE = {
  ...SPEAKS_OPENAI,
  address: at('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
  also: { 'openai-responses': '', 'anthropic-messages': '/apps/anthropic' },
  endpoints: ['chat_completions', 'embeddings', 'rerank'],
  evidence: {
    recorded: ['alibaba'],
    described: 'Alibaba Model Studio: OpenAI compatibility, Anthropic compatibility',
  },
  prices: BAILIAN_PRICES,
} as const

/** Asks a model to search the web first. Only this family of gateways knows such names. */
const SEARCHING = /-internet$/

function searching(_: ChannelSetup, model: string) {
  if (!SEARCHING.test(model)) return undefined
  return (body: JsonObject) => ({ ...body, model: model.replace(SEARCHING, ''), enable_search: true })
}

export const qianwen: ProviderKind = {
  ...DASHSCOPE,
  code: 17,
  name: 'Alibaba Qianwen',
  quirks: [...VENDOR_QUIRKS, 'clamp-sampling', 'enable-thinking', 'cache-control'],
  adapters: (setup) => openAiAdapters(setup, { adapt: searching, converted: { rerank: RERANK } }),
  other: {
    meaning: 'plugin',
    accepts: /^[ -~]+$/,
    rule: 'must be the name of a plugin in printable ASCII characters',
  },
  standing: { state: 'older', instead: 49 },
  evidence: { ...DASHSCOPE.evidence, remark: 'served as type 49' },
}

export const bailian: ProviderKind = {
  ...DASHSCOPE,
  code: 49,
  name: 'Alibaba Bailian',
  quirks: [...VENDOR_QUIRKS, 'enable-thinking', 'cache-control'],
  adapters: (setup) => openAiAdapters(setup, { converted: { rerank: RERANK } }),
}
