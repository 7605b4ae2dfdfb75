import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { openAiAddress, readBaseUrl } from './base-url.ts'
import { type ChannelWays, conversationWay, type Face } from './faces.ts'

/** Ways to the Anthropic API: everything is a conversation in its own dialect. */
export function anthropicWays({ kind, baseUrl }: ChannelSetup): ChannelWays | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const face: Face = {
    dialect: 'anthropic-messages',
    framing: 'sse',
    quirks: [],
    address: (path) => openAiAddress(base, '/v1', path),
  }
  return { way: (call) => (call.dialect === undefined ? undefined : conversationWay([face], call)) }
}
