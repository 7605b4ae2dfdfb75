import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { readBaseUrl, rootAddress } from './base-url.ts'
import { type ChannelWays, conversationWay, type Face } from './faces.ts'

/** Ways to version 2 of Cohere's API. */
export function cohereWays({ kind, baseUrl }: ChannelSetup): ChannelWays | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const chat = rootAddress(base, '/v2/chat')
  const face: Face = { dialect: 'cohere', framing: 'sse', quirks: [], address: () => chat }
  return { way: (call) => (call.dialect === undefined ? undefined : conversationWay([face], call)) }
}
