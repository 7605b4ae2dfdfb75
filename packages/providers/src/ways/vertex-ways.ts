import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { readGoogleKey } from '../credentials/google-key.ts'
import { addressAt, readBaseUrl } from './base-url.ts'
import { claudeOnVertex } from './claude-carriers.ts'
import { type ChannelWays, conversationWay, type Face } from './faces.ts'
import { geminiFace } from './gemini-face.ts'
import { googleCallWay, VERTEX_CALLS } from './google-calls.ts'
import type { UpstreamAddress } from './way.ts'

/** Ways to the models of a Google Cloud project: who made one decides what is spoken to it. */
export function vertexWays({ baseUrl, key }: ChannelSetup): ChannelWays | SetupProblem {
  const google = readGoogleKey(key)
  if ('problem' in google) return google
  const base = readBaseUrl(baseUrl, hostOf(google.region))
  if ('problem' in base) return base
  const room = `${base.path}/v1/projects/${encodeURIComponent(google.project)}/locations/${google.region}`
  const at = (path: string) => addressAt({ ...base, query: '' }, room + path)
  return {
    way: (call, model) => {
      if (call.dialect !== undefined) return conversationWay([faceOf(model, at)], call)
      return isGoogles(model) ? googleCallWay(VERTEX_CALLS, call, model, googleAddress(model, at)) : undefined
    },
  }
}

/** A multi-region has a host of its own kind. */
function hostOf(region: string): string {
  if (region === 'global') return 'https://aiplatform.googleapis.com'
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return `https://${region}-aiplatform.googleapis.com`
}

function faceOf(model: string, at: (path: string) => UpstreamAddress): Face {
  const name = encodeURIComponent(model)
  if (model.startsWith('claude-')) {
    // Dates stand behind an @ here.
    const dated = name.replace(/-(\d{8})$|%40/, '@$1')
    return claudeOnVertex((stream) => at(`/publishers/anthropic/models/${dated}:${rawAction(stream)}`))
  }
  if (MISTRAL.test(model))
    return chatFace((_, stream) => at(`/publishers/mistralai/models/${name}:${rawAction(stream)}`))
  if (OPEN_MODEL.test(model)) return chatFace(() => at('/endpoints/openapi/chat/completions'))
  return geminiFace(googleAddress(model, at))
}

function googleAddress(model: string, at: (path: string) => UpstreamAddress): (action: string) => UpstreamAddress {
  return (action) => at(`/publishers/google/models/${encodeURIComponent(model)}:${action}`)
}

/** Nobody else's models are asked for vectors and pictures there. */
function isGoogles(model: string): boolean {
  return !model.startsWith('claude-') && !MISTRAL.test(model) && !OPEN_MODEL.test(model)
}

const MISTRAL = /^(?:mistral|ministral|codestral)/
/** Open models and those of partners carry their publisher, or say that they are served as a service. */
const OPEN_MODEL = /\/|-maas$/

const rawAction = (stream: boolean) => (stream ? 'streamRawPredict' : 'rawPredict')

const chatFace = (address: Face['address']): Face => ({
  dialect: 'openai-chat',
  framing: 'sse',
  quirks: ['no-developer', 'no-store', 'no-strict-tools'],
  address,
})
