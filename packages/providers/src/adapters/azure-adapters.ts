import { isResponsesOnly, refusedInChat } from '../capabilities/responses-rules.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { ProviderKind } from '../kinds/kind.ts'
import type { UpstreamAddress } from './adapter.ts'
import { addressAt, type BaseUrl, readBaseUrl, withoutVersion } from './base-url.ts'
import { type ChannelAdapters, conversationAdapter, type DialectEndpoint } from './dialect-endpoints.ts'

const DEFAULT_VERSION = '2024-03-01-preview'
/** API versions before this refuse the fields that reasoning models require. */
const REASONING_SINCE = '2024-12-01'
const REASONING_MODEL = /^(?:gpt-[5-9]|o\d|codex)/
/** Versions that mean the current API, which is not dated. */
const UNDATED: readonly string[] = ['v1', 'preview', 'latest']
const FOUNDRY = /\.services\.ai\.azure\.com$/
const CLOUDFLARE_GATEWAY = 'gateway.ai.cloudflare.com'
/** Calls that the dated API offers by deployment. */
const DEPLOYED =
  /^\/(?:chat\/completions|completions|embeddings|images\/(?:generations|edits)|audio\/(?:speech|transcriptions|translations))$/

/** Adapters to an Azure resource: its dated API by deployment, its current API, and Claude on Foundry. */
export function azureAdapters({ kind, baseUrl, other }: ChannelSetup): ChannelAdapters | SetupProblem {
  const base = readBaseUrl(baseUrl, '')
  if ('problem' in base) return base
  const version = other.trim() || DEFAULT_VERSION
  const place = placeOf(base, version)
  const offered: ReadonlySet<string> = new Set(kind.endpoints)
  const endpoints = (model: string): readonly DialectEndpoint[] => endpointsOf(kind, base, place, model)
  return {
    adapter: (call, model) => {
      if (call.dialect !== undefined && call.endpoint !== 'completions')
        return conversationAdapter(endpoints(model), call)
      if (!offered.has(call.endpoint)) return undefined
      const address = place(withoutVersion(call.path), model)
      return { address: () => address, form: { kind: 'pass' }, framing: 'sse', quirks: [] }
    },
  }
}

type Place = (path: string, model: string) => UpstreamAddress

function placeOf(base: BaseUrl, version: string): Place {
  const dated = `?api-version=${version}`
  // Paths of Cloudflare's gateway name the resource and deployment.
  if (base.host === CLOUDFLARE_GATEWAY) return (path) => addressAt({ ...base, query: dated }, base.path + path)
  const resource = base.path.replace(/\/openai(?:\/v1)?$/, '')
  const isUndated = UNDATED.includes(version) || base.path.endsWith('/openai/v1')
  const query = version === 'preview' || version === 'latest' ? dated : ''
  const present: Place = (path, model) => {
    const realtime = path === '/realtime' ? `${query === '' ? '?' : '&'}model=${encodeURIComponent(model)}` : ''
    return addressAt({ ...base, query: query + realtime }, `${resource}/openai/v1${path}`)
  }
  if (isUndated) return present
  return (path, model) => {
    const isTooOld = version < REASONING_SINCE && REASONING_MODEL.test(model)
    if (isTooOld || !DEPLOYED.test(path)) return present(path, model)
    return addressAt({ ...base, query: dated }, `${resource}/openai/deployments/${encodeURIComponent(model)}${path}`)
  }
}

function endpointsOf(kind: ProviderKind, base: BaseUrl, place: Place, model: string): readonly DialectEndpoint[] {
  const endpoint = (dialect: DialectEndpoint['dialect'], address: DialectEndpoint['address']): DialectEndpoint => {
    return { dialect, framing: 'sse', quirks: dialect === kind.dialect ? kind.quirks : [], address }
  }
  if (model.startsWith('claude') && FOUNDRY.test(base.host)) {
    return [endpoint('anthropic-messages', (path) => addressAt(base, `/anthropic${path}`))]
  }
  const here: DialectEndpoint['address'] = (path) => place(withoutVersion(path), model)
  const responses = endpoint('openai-responses', here)
  if (isResponsesOnly(model)) return [responses]
  // Cloudflare's gateway leads to a deployment, which has no Responses.
  const refuses = base.host === CLOUDFLARE_GATEWAY ? undefined : refusedInChat(model)
  return [{ ...endpoint('openai-chat', here), refuses }, responses]
}
