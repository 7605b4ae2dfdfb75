import { tencentUpstreamCodec } from '@sluice/dialects/tencent-hunyuan/codec'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { addressAt, readBaseUrl } from './base-url.ts'
import { type ChannelWays, isConversation } from './faces.ts'
import type { Way } from './way.ts'

const HUNYUAN = 'https://hunyuan.tencentcloudapi.com'

/** Ways to Hunyuan's own interface, which keys of three parts open: one address for everything, and nothing but conversations. */
export function tencentWays({ baseUrl }: ChannelSetup): ChannelWays | SetupProblem {
  const base = readBaseUrl(baseUrl, HUNYUAN)
  if ('problem' in base) return base
  const address = addressAt({ ...base, query: '' }, '/')
  const form = { kind: 'translate', codec: tencentUpstreamCodec } as const
  const way: Way = { address: () => address, form, framing: 'sse', quirks: [] }
  return { way: (call) => (call.dialect !== undefined && isConversation(call.path) ? way : undefined) }
}
