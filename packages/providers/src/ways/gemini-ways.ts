import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { addressAt, type BaseUrl, readBaseUrl } from './base-url.ts'
import { type ChannelWays, conversationWay, type Face } from './faces.ts'
import type { UpstreamAddress } from './way.ts'

const DEFAULT_VERSION = 'v1beta'

/** Ways to the Gemini API of AI Studio. */
export function geminiWays({ kind, baseUrl, other }: ChannelSetup): ChannelWays | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const room = roomOf(base, other.trim() || DEFAULT_VERSION)
  const faces = (model: string): readonly Face[] => [geminiFace((action) => actionAddress(base, room, model, action))]
  return { way: (call, model) => (call.dialect === undefined ? undefined : conversationWay(faces(model), call)) }
}

/** A version at the end of the base stands for itself. */
function roomOf({ path }: BaseUrl, version: string): string {
  return /\/v\d+[a-z0-9]*$/.test(path) ? path : `${path}/${version}`
}

function actionAddress(base: BaseUrl, room: string, model: string, action: string): UpstreamAddress {
  const [, kind = 'models', name = model] = /^(models|tunedModels)\/(.+)$/s.exec(model) ?? []
  return addressAt({ ...base, query: '' }, `${room}/${kind}/${encodeURIComponent(name)}:${action}`)
}

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
