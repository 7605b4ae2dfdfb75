import type { JsonObject } from '@sluice/dialects/json-value'
import { dashscopeRerank } from '@sluice/dialects/vendors/dashscope-rerank'
import { openAiAdapters } from '../adapters/openai-adapters.ts'
import type { ChannelSetup } from '../channel-setup.ts'
import type { FailureRule } from '../failures/failure-rule.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ConvertedCall, PriceSource, ProviderKind } from './kind.ts'

const RERANK: ConvertedCall = [dashscopeRerank, '/api/v1/services/rerank/text-rerank/text-rerank']

const BAILIAN_PRICES: readonly PriceSource[] = [
  { seller: 'reseller', currency: 'CNY', overlay: 'BAILIAN_DEEPSEEK_PRICES' },
  { seller: 'vendor', currency: 'CNY', overlay: 'BAILIAN_PRICES' },
]

const DASHSCOPE_FAILURES: readonly FailureRule[] = [
  {
    fault: 'account',
    words: ['Arrearage'],
    text: /^Access denied, please make sure your account is in good standing\.(?: For details, see: [\w.:/#-]{1,200})?$/,
  },
  {
    fault: 'unknown_model',
    words: ['AllocationQuota.FreeTierOnly'],
    text: /^The free tier of the model has been exhausted\. If you wish to continue access the model on a paid basis, please disable the "use free tier only" mode in the management console\.$/,
  },
  { fault: 'account', statuses: [403], text: /^Access denied due to overdue account$/ },
  {
    fault: 'request_here',
    words: ['DataInspectionFailed', 'data_inspection_failed'],
    text: /^<400> InternalError\.Algo\.DataInspectionFailed: Input text data may contain inappropriate content\.$/,
  },
]

const DASHSCOPE = {
  ...SPEAKS_OPENAI,
  address: at('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
  also: { 'openai-responses': '', 'anthropic-messages': '/apps/anthropic' },
  endpoints: ['chat_completions', 'embeddings', 'rerank'],
  failures: DASHSCOPE_FAILURES,
  evidence: {
    recorded: ['alibaba'],
    described: 'Alibaba Model Studio: OpenAI compatibility, Anthropic compatibility',
  },
  prices: BAILIAN_PRICES,
} as const

/** A model suffix that requests a web search first; known only to this family of gateways. */
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
