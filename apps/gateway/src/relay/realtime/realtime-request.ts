import type { Refusal } from '@sluice/contract/errors'
import type { Quote } from '@sluice/providers/prices/quote'
import type { Accepted } from '../../edge/exchange.ts'
import type { UsageBound } from '../calls/parsed-call.ts'
import { REALTIME_PATH } from '../endpoints/endpoints.ts'
import { SessionSize } from './session-size.ts'

export interface RealtimeRequest {
  readonly endpoint: 'realtime'
  readonly path: typeof REALTIME_PATH
  readonly conversation: undefined
  readonly stream: true
  readonly model: string
  readonly headers: readonly string[]
  bound(quote: Quote): UsageBound
}

const MODEL_LIMIT = 256
/** Parameters that would give access to other callers' sessions, calls or keys. */
const FOREIGN = ['call_id', 'session_id', 'client_secret'] as const
const BETA_PROTOCOL = 'openai-beta.realtime-v1'

export function readRealtime({ query, headers }: Pick<Accepted, 'query' | 'headers'>): RealtimeRequest | Refusal {
  const requested = new URLSearchParams(query)
  // Azure's clients name the model as a deployment.
  const [model = '', another] = [...requested.getAll('model'), ...requested.getAll('deployment')]
  if (another !== undefined) return { code: 'duplicate_key', params: { field: 'model' }, field: 'model' }
  const foreign = FOREIGN.find((name) => requested.has(name))
  if (foreign !== undefined) return refuseField(foreign, 'is not available: it belongs to the provider’s account')
  if (requested.has('intent'))
    return refuseField('intent', 'is not available: specify a model and set up transcription in the session')
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

/** Whether the client requests the older form of the events, with a header or, in a browser, with a protocol. */
function wantsBeta(headers: Accepted['headers']): boolean {
  const protocols = headers['sec-websocket-protocol'] ?? ''
  return headers['openai-beta'] === 'realtime=v1' || protocols.split(',').some((name) => name.trim() === BETA_PROTOCOL)
}

/** The only accepted protocol; the one that carries the key is never echoed. */
export function agreedProtocol({ 'sec-websocket-protocol': offered = '' }: Accepted['headers']): string | undefined {
  return offered.split(',').some((name) => name.trim() === 'realtime') ? 'realtime' : undefined
}

function refuseField(field: string, rule: string): Refusal {
  return { code: 'invalid_body', params: { field, rule }, field }
}
