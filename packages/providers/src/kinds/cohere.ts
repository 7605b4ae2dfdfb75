import type { CallTranslation } from '@sluice/dialects/canon/codec'
import { cohereEmbeddings } from '@sluice/dialects/cohere/embeddings-call'
import { cohereRerank } from '@sluice/dialects/cohere/rerank-call'
import { readBaseUrl, rootAddress } from '../adapters/base-url.ts'
import {
  type ChannelAdapters,
  conversationAdapter,
  convertedAdapter,
  type DialectEndpoint,
} from '../adapters/dialect-endpoints.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { at, USUAL } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const cohere: ProviderKind = {
  ...USUAL,
  code: 35,
  name: 'Cohere',
  dialect: 'cohere',
  address: at('https://api.cohere.com'),
  endpoints: ['chat_completions', 'embeddings', 'rerank'],
  adapters: cohereAdapters,
  failures: [
    {
      fault: 'unknown_model',
      statuses: [404],
      text: /^model '[\w.:/-]{1,200}' not found, make sure the correct model ID was used and that you have access to the model\.$/,
    },
    {
      fault: 'request_here',
      statuses: [400],
      text: /^too many tokens: total number of tokens \(prompt and prediction\) cannot exceed \d+ - received \d+\. .+$/,
    },
    // The request violates Cohere's usage guidelines.
    { fault: 'request_here', statuses: [498] },
  ],
  evidence: { recorded: ['cohere', 'answers/cohere'], described: 'Cohere: API v2' },
  prices: [{ seller: 'vendor', genai: 'cohere', overlay: 'COHERE_PRICES' }],
}

/** Calls other than conversations, with their paths at Cohere. */
const CALLS: Readonly<Record<string, readonly [CallTranslation, string]>> = {
  embeddings: [cohereEmbeddings, '/v2/embed'],
  rerank: [cohereRerank, '/v2/rerank'],
}

function cohereAdapters({ kind, baseUrl }: ChannelSetup): ChannelAdapters | SetupProblem {
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
