import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { readGoogleKey } from '../credentials/google-token.ts'
import type { UpstreamAddress } from './adapter.ts'
import { addressAt, readBaseUrl } from './base-url.ts'
import { claudeOnVertex } from './claude-carriers.ts'
import { type ChannelAdapters, conversationAdapter, type DialectEndpoint } from './dialect-endpoints.ts'
import { geminiEndpoint, googleCallAdapter, VERTEX_CALLS } from './google-calls.ts'

/** Models of a Google Cloud project; a model's publisher decides its dialect. */
export function vertexAdapters({ baseUrl, key }: ChannelSetup): ChannelAdapters | SetupProblem {
  const google = readGoogleKey(key)
  if ('problem' in google) return google
  const base = readBaseUrl(baseUrl, hostOf(google.region))
  if ('problem' in base) return base
  const room = `${base.path}/v1/projects/${encodeURIComponent(google.project)}/locations/${google.region}`
  const at = (path: string) => addressAt({ ...base, query: '' }, room + path)
  return {
    adapter: (call, model) => {
      if (call.dialect !== undefined) return conversationAdapter([endpointOf(model, at)], call)
      return isGoogles(model) ? googleCallAdapter(VERTEX_CALLS, call, model, googleAddress(model, at)) : undefined
    },
  }
}

/** Multi-regions have a different form of host name. */
function hostOf(region: string): string {
  if (region === 'global') return 'https://aiplatform.googleapis.com'
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return `https://${region}-aiplatform.googleapis.com`
}

function endpointOf(model: string, at: (path: string) => UpstreamAddress): DialectEndpoint {
  const name = encodeURIComponent(model)
  if (model.startsWith('claude-')) {
    // Vertex AI writes dates after an @.
    const dated = name.replace(/-(\d{8})$|%40/, '@$1')
    return claudeOnVertex((stream) => at(`/publishers/anthropic/models/${dated}:${rawAction(stream)}`))
  }
  if (MISTRAL.test(model))
    return chatEndpoint((_, stream) => at(`/publishers/mistralai/models/${name}:${rawAction(stream)}`))
  if (OPEN_MODEL.test(model)) return chatEndpoint(() => at('/endpoints/openapi/chat/completions'))
  return geminiEndpoint(googleAddress(model, at))
}

function googleAddress(model: string, at: (path: string) => UpstreamAddress): (action: string) => UpstreamAddress {
  return (action) => at(`/publishers/google/models/${encodeURIComponent(model)}:${action}`)
}

/** Only Google's own models offer embeddings and pictures on Vertex AI. */
function isGoogles(model: string): boolean {
  return !model.startsWith('claude-') && !MISTRAL.test(model) && !OPEN_MODEL.test(model)
}

const MISTRAL = /^(?:mistral|ministral|codestral)/
/** Names of open and partner models contain their publisher, or say that they are offered as a service. */
const OPEN_MODEL = /\/|-maas$/

const rawAction = (stream: boolean) => (stream ? 'streamRawPredict' : 'rawPredict')

const chatEndpoint = (address: DialectEndpoint['address']): DialectEndpoint => ({
  dialect: 'openai-chat',
  framing: 'sse',
  quirks: ['no-developer', 'no-store', 'no-strict-tools'],
  address,
})
