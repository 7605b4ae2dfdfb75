import type { CallTranslation } from '@sluice/dialects/canon/codec'
import { cohereEmbeddings } from '@sluice/dialects/cohere/embeddings-call'
import { cohereRerank } from '@sluice/dialects/cohere/rerank-call'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { readBaseUrl, rootAddress } from './base-url.ts'
import {
  type ChannelAdapters,
  conversationAdapter,
  convertedAdapter,
  type DialectEndpoint,
} from './dialect-endpoints.ts'

/** Calls that are not conversations, with their paths at Cohere. */
const CALLS: Readonly<Record<string, readonly [CallTranslation, string]>> = {
  embeddings: [cohereEmbeddings, '/v2/embed'],
  rerank: [cohereRerank, '/v2/rerank'],
}

/** Adapters to version 2 of Cohere's API. */
export function cohereAdapters({ kind, baseUrl }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const chat = rootAddress(base, '/v2/chat')
  const endpoint: DialectEndpoint = { dialect: 'cohere', framing: 'sse', quirks: [], address: () => chat }
  return {
    adapter: (call) => {
      if (call.dialect !== undefined) return conversationAdapter([endpoint], call)
      const [translation, path] = CALLS[call.endpoint] ?? []
      if (translation === undefined || path === undefined) return undefined
      const address = rootAddress(base, path)
      return convertedAdapter(translation, { framing: 'sse', quirks: [], address: () => address })
    },
  }
}
