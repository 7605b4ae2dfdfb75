import type { Refusal } from '@sluice/contract/errors'
import type { PathFacts } from '@sluice/dialects/canon/codec'
import { CALL_KINDS, type CallKind } from '../calls/calls.ts'
import { type CountKind, MESSAGES_COUNT } from '../calls/count-tokens.ts'
import { RESPONSES_COUNT } from '../calls/responses-count.ts'
import { RESPONSES_PATH } from '../calls/responses.ts'
import { deployedEndpoint } from './deployments.ts'
import { geminiEndpoint } from './gemini-paths.ts'
import { percentDecoded } from './percent-decoded.ts'
import { storedTarget, type StoredTarget, RAW_PREFIX, rawTarget, type RawTarget } from './targets.ts'

export interface CallEndpoint {
  readonly kind: 'call'
  readonly call: CallKind
  readonly facts: PathFacts
  /** The model in the path; the body may name another one, or none. */
  readonly deployment?: string
}

export type Endpoint =
  | CallEndpoint
  | { readonly kind: 'count'; readonly count: CountKind; readonly facts: PathFacts }
  /** `shape` is the vendor whose list format is used; OpenAI's when there is none. */
  | { readonly kind: 'models'; readonly shape?: 'gemini' }
  /** `model` is percent-decoded. */
  | { readonly kind: 'model'; readonly model: string; readonly shape?: 'gemini' }
  | { readonly kind: 'realtime' }
  /** A call's path, as a websocket. */
  | { readonly kind: 'responses_socket' }
  | { readonly kind: 'raw'; readonly target: RawTarget }
  | { readonly kind: 'stored'; readonly target: StoredTarget }

interface OfferedPath {
  readonly method: 'GET' | 'POST'
  readonly endpoint: Endpoint
}

export const REALTIME_PATH = '/v1/realtime'

/** Exact paths; `/v1/models/{model}` is handled separately. */
export const OFFERED: ReadonlyMap<string, OfferedPath> = new Map([
  ...CALL_KINDS.map((call): [string, OfferedPath] => [
    call.path,
    { method: 'POST', endpoint: { kind: 'call', call, facts: {} } },
  ]),
  ...[MESSAGES_COUNT, RESPONSES_COUNT].map((count): [string, OfferedPath] => [
    count.path,
    { method: 'POST', endpoint: { kind: 'count', count, facts: {} } },
  ]),
  ['/v1/models', { method: 'GET', endpoint: { kind: 'models' } }],
  [REALTIME_PATH, { method: 'GET', endpoint: { kind: 'realtime' } }],
])

const MODEL_PREFIX = '/v1/models/'

/** Keys for browsers and sessions that bypass this gateway could not be held or charged, so none are issued (class S25). */
const PROVIDER_CREDENTIALS =
  /^\/v1\/realtime\/(?:sessions|transcription_sessions|(?:translations\/)?(?:client_secrets|calls)(?:\/.*)?)$/

/** Paths that clients of this family use but this gateway does not offer: 501 distinguishes them from a typo. */
const NOT_OFFERED = new RegExp(
  '^/v1/(' +
    [
      'edits',
      'deployments',
      'engines/[^/]+/embeddings',
      'responses(/.*)?',
      'messages(/.*)?',
      'videos(/.*)?',
      'realtime/.*',
      'conversations(/.*)?',
      'files(/.*)?',
      'uploads(/.*)?',
      'batches(/.*)?',
      'vector_stores(/.*)?',
      'fine[_-]tun(ing|es)(/.*)?',
      'assistants(/.*)?',
      'threads(/.*)?',
      'chat/completions/.+',
      'skills(/.*)?',
    ].join('|') +
    ')$' +
    '|^(/upload)?/v1beta/(files|cachedContents|batches|tunedModels|fileSearchStores|corpora|interactions)([/:].*)?$',
)

/** Matches path and method by their exact bytes, without normalisation. `query` is without its question mark. */
export function endpointOf(method: string, path: string, query = ''): Endpoint | Refusal {
  const offered = OFFERED.get(path)
  if (offered !== undefined) {
    return method === offered.method ? offered.endpoint : wrongMethod(method, path, offered.method)
  }
  const deployed = deployedEndpoint(method, path)
  if (deployed !== undefined) return deployed
  const google = geminiEndpoint(method, path, query)
  if (google !== undefined) return google
  if (path.startsWith(MODEL_PREFIX)) {
    const model = percentDecoded(path.slice(MODEL_PREFIX.length))
    if (method !== 'GET') return wrongMethod(method, path, 'GET')
    return model === undefined ? unknown(method, path) : { kind: 'model', model }
  }
  const target = path.startsWith(RAW_PREFIX) ? rawTarget(path) : undefined
  if (target !== undefined) return { kind: 'raw', target }
  const stored = storedTarget(path)
  if (stored !== undefined) return { kind: 'stored', target: stored }
  if (PROVIDER_CREDENTIALS.test(path)) {
    return { code: 'provider_credential_not_given', params: { path, offered: REALTIME_PATH } }
  }
  return NOT_OFFERED.test(path) ? { code: 'not_implemented', params: { path } } : unknown(method, path)
}

function wrongMethod(method: string, path: string, allowed: string): Refusal {
  return { code: 'method_not_allowed', params: { method, path, allowed } }
}

const unknown = (method: string, path: string): Refusal => ({ code: 'unknown_path', params: { method, path } })

/** An endpoint's name in metrics and traces, the same for all its requests. */
export function endpointName(endpoint: Endpoint): string {
  switch (endpoint.kind) {
    case 'call':
      return endpoint.call.path
    case 'count':
      return endpoint.count.path
    case 'models':
      return '/v1/models'
    case 'model':
      return '/v1/models/{model}'
    case 'realtime':
      return REALTIME_PATH
    case 'responses_socket':
      return RESPONSES_PATH
    case 'raw':
      return `${RAW_PREFIX}{channel}`
    case 'stored':
      return '/v1/responses/{id}'
  }
}
