import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { openAiAddress, readBaseUrl } from './base-url.ts'
import { type ChannelAdapters, conversationAdapter, type DialectEndpoint } from './dialect-endpoints.ts'

/** Adapters to the Anthropic API: everything is a conversation in its own dialect. */
export function anthropicAdapters({ kind, baseUrl }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const endpoint: DialectEndpoint = {
    dialect: 'anthropic-messages',
    framing: 'sse',
    quirks: [],
    address: (path) => openAiAddress(base, '/v1', path),
  }
  return { adapter: (call) => (call.dialect === undefined ? undefined : conversationAdapter([endpoint], call)) }
}
