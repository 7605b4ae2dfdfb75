import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { addressAt, type BaseUrl, readBaseUrl } from './base-url.ts'
import { type ChannelWays, conversationWay, type Face } from './faces.ts'
import { geminiFace } from './gemini-face.ts'
import { googleCallWay, STUDIO_CALLS } from './google-calls.ts'
import type { UpstreamAddress } from './way.ts'

const DEFAULT_VERSION = 'v1beta'

/** Ways to the Gemini API of AI Studio. */
export function geminiWays({ kind, baseUrl, other }: ChannelSetup): ChannelWays | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const room = roomOf(base, other.trim() || DEFAULT_VERSION)
  const faces = (model: string): readonly Face[] => [geminiFace((action) => actionAddress(base, room, model, action))]
  return {
    way: (call, model) =>
      call.dialect === undefined
        ? googleCallWay(STUDIO_CALLS, call, model, (action) => actionAddress(base, room, model, action))
        : conversationWay(faces(model), call),
  }
}

/** A version at the end of the base stands for itself. */
function roomOf({ path }: BaseUrl, version: string): string {
  return /\/v\d[a-z0-9]*$/.test(path) ? path : `${path}/${version}`
}

function actionAddress(base: BaseUrl, room: string, model: string, action: string): UpstreamAddress {
  const [, kind = 'models', name = model] = /^(models|tunedModels)\/(.+)$/s.exec(model) ?? []
  return addressAt({ ...base, query: '' }, `${room}/${kind}/${encodeURIComponent(name)}:${action}`)
}
