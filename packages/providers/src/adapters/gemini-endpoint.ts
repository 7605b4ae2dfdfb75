import type { UpstreamAddress } from './adapter.ts'
import type { DialectEndpoint } from './dialect-endpoints.ts'

/** The endpoint of a model whose calls are named at the end of its path: `:generateContent`. */
export function geminiEndpoint(addressOf: (action: string) => UpstreamAddress): DialectEndpoint {
  return {
    dialect: 'gemini',
    framing: 'sse',
    quirks: [],
    address: (path, stream) => {
      const requested = /:(\w{1,40})$/.exec(path)?.[1]
      const isOther =
        requested !== undefined && requested !== 'generateContent' && requested !== 'streamGenerateContent'
      if (isOther) return addressOf(requested)
      return addressOf(stream ? 'streamGenerateContent?alt=sse' : 'generateContent')
    },
  }
}
