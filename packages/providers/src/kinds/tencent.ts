import { tencentUpstreamCodec } from '@sluice/dialects/vendors/tencent-hunyuan'
import type { Adapter } from '../adapters/adapter.ts'
import { addressAt, readBaseUrl } from '../adapters/base-url.ts'
import { type ChannelAdapters, isConversation } from '../adapters/dialect-endpoints.ts'
import { openAiAdapters } from '../adapters/openai-adapters.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const hunyuan: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 23,
  name: 'Tencent Hunyuan',
  credentials: 'tencent',
  quirks: VENDOR_QUIRKS,
  address: at('https://tokenhub.tencentmaas.com/v1'),
  endpoints: ['chat_completions', 'embeddings'],
  adapters: (setup) => (setup.key.includes('|') ? tencentAdapters(setup) : openAiAdapters(setup)),
  keyForms: [
    {
      id: 'tencentSignature',
      written: 'AppId|SecretId|SecretKey',
      accepts: /^\d+\|[!-{}~]+\|[!-{}~]+$/,
      parts: ['app_id', 'api_key', 'api_secret'],
      config: ['region'],
    },
    { id: 'tokenHubKey', written: 'sk-…', accepts: /^sk-[!-{}~]+$/, parts: ['key'], usual: true },
  ],
  keyPlaceholder: 'sk-…',
  evidence: {
    described: 'Tencent: TokenHub; Hunyuan API 3.0 and the vectors of its signature',
    remark: 'keys of three parts use Hunyuan’s own interface, which Tencent is retiring in September 2026',
  },
  prices: [{ seller: 'vendor', currency: 'CNY', overlay: 'TENCENT_PRICES' }],
}

const HUNYUAN = 'https://hunyuan.tencentcloudapi.com'

/** Hunyuan's own interface, for three-part keys: a single address, and only conversations. */
function tencentAdapters({ baseUrl }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, HUNYUAN)
  if ('problem' in base) return base
  const address = addressAt({ ...base, query: '' }, '/')
  const form = { kind: 'translate', codec: tencentUpstreamCodec } as const
  const adapter: Adapter = { address: () => address, form, framing: 'sse', quirks: [] }
  return { adapter: (call) => (call.dialect !== undefined && isConversation(call.path) ? adapter : undefined) }
}
