import type { Face } from './faces.ts'
import type { UpstreamAddress } from './way.ts'

/** The face of a model whose calls are named at the end of its path: `:generateContent`. */
export function geminiFace(addressOf: (action: string) => UpstreamAddress): Face {
  return {
    dialect: 'gemini',
    framing: 'sse',
    quirks: [],
    address: (path, stream) => {
      const asked = /:(\w{1,40})$/.exec(path)?.[1]
      const isOther = asked !== undefined && asked !== 'generateContent' && asked !== 'streamGenerateContent'
      if (isOther) return addressOf(asked)
      return addressOf(stream ? 'streamGenerateContent?alt=sse' : 'generateContent')
    },
  }
}
