import { openAiAdapters } from '../adapters/openai-adapters.ts'
import { wenxinAdapters } from '../adapters/small-adapters.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

const QIANFAN = {
  ...SPEAKS_OPENAI,
  keyPlaceholder: 'bce-v3/…',
  evidence: { described: 'Baidu Qianfan: v2 API' },
  prices: [{ seller: 'vendor', currency: 'CNY', overlay: 'BAIDU_PRICES' }],
} as const

export const wenxin: ProviderKind = {
  ...QIANFAN,
  code: 15,
  name: 'Baidu Wenxin',
  credentials: 'baidu',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'clamp-sampling', 'enable-thinking'],
  address: at('https://qianfan.baidubce.com/v2'),
  endpoints: ['chat_completions', 'embeddings', 'rerank'],
  adapters: (setup) => (setup.key.includes('|') ? wenxinAdapters(setup) : openAiAdapters(setup)),
  keyForms: [
    {
      id: 'baiduPair',
      written: 'APIKey|SecretKey',
      accepts: /^[!-{}~]+\|[!-{}~]+$/,
      parts: ['api_key', 'api_secret'],
    },
    { id: 'qianfanKey', written: 'bce-v3/…', accepts: /^bce-v3\/[!-{}~]+$/, parts: ['key'], usual: true },
  ],
  standing: { state: 'older', instead: 47 },
  evidence: {
    ...QIANFAN.evidence,
    remark:
      'Qianfan keys are served as type 47; key pairs use Wenxin’s older interface, which Baidu is replacing with it',
  },
}

export const qianfan: ProviderKind = {
  ...QIANFAN,
  code: 47,
  name: 'Baidu V2',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'enable-thinking'],
  address: at('https://qianfan.baidubce.com', '/v2'),
  endpoints: ['chat_completions', 'embeddings', 'rerank', 'images_generations'],
}
