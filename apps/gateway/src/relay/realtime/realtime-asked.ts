import type { Refusal } from '@sluice/contract/errors'
import type { Quote } from '@sluice/providers/prices/quote'
import type { Accepted } from '../../edge/exchange.ts'
import type { UsageBound } from '../calls/asked.ts'
import { SessionSize } from './session-size.ts'

export const REALTIME_PATH = '/v1/realtime'

/** What the address of a realtime session asks for. */
export interface RealtimeAsked {
  readonly endpoint: 'realtime'
  readonly path: typeof REALTIME_PATH
  readonly conversation: undefined
  readonly stream: true
  readonly model: string
  /** Names and values of the headers for the provider. */
  readonly headers: readonly string[]
  /** Of a session that begins. */
  bound(quote: Quote): UsageBound
}

const MODEL_LIMIT = 256
/** They attach to sessions, calls and keys of whoever made them, whoever asks. */
const FOREIGN = ['call_id', 'session_id', 'client_secret'] as const
const BETA_PROTOCOL = 'openai-beta.realtime-v1'

/** Reads the query of an upgrade request. */
export function readRealtime({ query, headers }: Pick<Accepted, 'query' | 'headers'>): RealtimeAsked | Refusal {
  const asked = new URLSearchParams(query)
  // Azure's clients name the model as a deployment.
  const [model = '', another] = [...asked.getAll('model'), ...asked.getAll('deployment')]
  if (another !== undefined) return { code: 'duplicate_key', params: { field: 'model' }, field: 'model' }
  const foreign = FOREIGN.find((name) => asked.has(name))
  if (foreign !== undefined) return refuseField(foreign, 'is not offered: it belongs to the account of the provider')
  if (asked.has('intent'))
    return refuseField('intent', 'is not offered: name a model and set up transcription in the session')
  if (model.trim() === '') return refuseField('model', 'is required: /v1/realtime?model=…')
  if (model.length > MODEL_LIMIT) return refuseField('model', `must be at most ${MODEL_LIMIT} characters`)
  return {
    endpoint: 'realtime',
    path: REALTIME_PATH,
    conversation: undefined,
    stream: true,
    model,
    headers: wantsBeta(headers) ? ['openai-beta', 'realtime=v1'] : [],
    bound: (quote) => new SessionSize().bound(quote),
  }
}

/** The older form of the events, which a client asks for by a header or, in a browser, by a protocol. */
function wantsBeta(headers: Accepted['headers']): boolean {
  const protocols = headers['sec-websocket-protocol'] ?? ''
  return headers['openai-beta'] === 'realtime=v1' || protocols.split(',').some((name) => name.trim() === BETA_PROTOCOL)
}

/** The only protocol that is agreed on; the one with the key is never repeated. */
export function agreedProtocol({ 'sec-websocket-protocol': offered = '' }: Accepted['headers']): string | undefined {
  return offered.split(',').some((name) => name.trim() === 'realtime') ? 'realtime' : undefined
}

function refuseField(field: string, rule: string): Refusal {
  return { code: 'invalid_body', params: { field, rule }, field }
}
