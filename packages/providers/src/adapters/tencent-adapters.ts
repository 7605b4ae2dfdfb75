import { tencentUpstreamCodec } from '@sluice/dialects/vendors/tencent-hunyuan'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { Adapter } from './adapter.ts'
import { addressAt, readBaseUrl } from './base-url.ts'
import { type ChannelAdapters, isConversation } from './dialect-endpoints.ts'

const HUNYUAN = 'https://hunyuan.tencentcloudapi.com'

/** Adapters to Hunyuan's own interface, used with keys of three parts: one address for everything, and only conversations. */
export function tencentAdapters({ baseUrl }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, HUNYUAN)
  if ('problem' in base) return base
  const address = addressAt({ ...base, query: '' }, '/')
  const form = { kind: 'translate', codec: tencentUpstreamCodec } as const
  const adapter: Adapter = { address: () => address, form, framing: 'sse', quirks: [] }
  return { adapter: (call) => (call.dialect !== undefined && isConversation(call.path) ? adapter : undefined) }
}
