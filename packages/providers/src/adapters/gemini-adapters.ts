import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { UpstreamAddress } from './adapter.ts'
import { addressAt, type BaseUrl, readBaseUrl } from './base-url.ts'
import { type ChannelAdapters, conversationAdapter, type DialectEndpoint } from './dialect-endpoints.ts'
import { geminiEndpoint } from './gemini-endpoint.ts'
import { googleCallAdapter, STUDIO_CALLS } from './google-calls.ts'

const DEFAULT_VERSION = 'v1beta'

/** Adapters to the Gemini API of AI Studio. */
export function geminiAdapters({ kind, baseUrl, other }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const room = roomOf(base, other.trim() || DEFAULT_VERSION)
  const endpoints = (model: string): readonly DialectEndpoint[] => [
    geminiEndpoint((action) => actionAddress(base, room, model, action)),
  ]
  return {
    adapter: (call, model) =>
      call.dialect === undefined
        ? googleCallAdapter(STUDIO_CALLS, call, model, (action) => actionAddress(base, room, model, action))
        : conversationAdapter(endpoints(model), call),
  }
}

/** A version at the end of the base is used as it is. */
function roomOf({ path }: BaseUrl, version: string): string {
  return /\/v\d[a-z0-9]*$/.test(path) ? path : `${path}/${version}`
}

function actionAddress(base: BaseUrl, room: string, model: string, action: string): UpstreamAddress {
  const [, kind = 'models', name = model] = /^(models|tunedModels)\/(.+)$/s.exec(model) ?? []
  return addressAt({ ...base, query: '' }, `${room}/${kind}/${encodeURIComponent(name)}:${action}`)
}
