import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { Accepted, Reply } from '../../edge/exchange.ts'
import type { Log } from '../../process/logger.ts'
import type { BackgroundDeps } from '../background/answer-in-background.ts'
import { lookUpBackground, serveBackground } from '../background/serve-background.ts'
import type { Authenticate } from '../caller/authenticate.ts'
import type { Admit } from '../caller/limits/admit.ts'
import type { LimitChannel } from '../caller/limits/limit.ts'
import type { AnswerReader } from '../calls/answer-reader.ts'
import { RESPONSES_CONVERSATION, RESPONSES_PATH } from '../calls/responses.ts'
import { refuse } from '../client/refuse.ts'
import { type StoredTarget } from '../endpoints/targets.ts'
import type { RecordRefusal } from '../record/record.ts'
import { routesOfKey, type RoutingTable } from '../routing/routing-table.ts'
import type { Identity } from '../stages/identity.ts'
import type { Route } from '../stages/route.ts'
import { type Running, type AskUpstream, type StoppableCall } from '../upstream/ask-upstream.ts'
import { refusedToCaller } from '../upstream/dispatch.ts'
import type { CallRequest } from '../upstream/upstream-call.ts'
import type { CachedResponse, ResponseCache } from './cached-responses.ts'
import { lookUpStored } from './find-stored.ts'
import type { StoredResponses } from './stored-responses.ts'

export interface ServeStoredDeps extends StoredRequestDeps {
  readonly authenticate: Authenticate
  readonly admit: Admit
  readonly ask: AskUpstream
  readonly recordRefusal: RecordRefusal
  readonly background: BackgroundDeps
  readonly cachedResponses: ResponseCache
}

interface StoredRequestDeps {
  readonly storedResponses: StoredResponses
  readonly routing: () => RoutingTable
  readonly limitChannel: LimitChannel
  readonly log: Log
}

/**
 * Reads, deletes or cancels a response that a provider stores, for its owner. Charges nothing: the response was charged when it was
 * created. Other users get the same result as for an id that does not exist (class S31).
 */
export async function serveStored(
  deps: ServeStoredDeps,
  accepted: Accepted,
  target: StoredTarget,
): Promise<Refusal | undefined> {
  const method = target.methods.find((each) => each === accepted.method)
  if (method === undefined) {
    const params = { method: accepted.method, path: accepted.path, allowed: target.methods.join(', ') }
    return { code: 'method_not_allowed', params }
  }
  if (new URLSearchParams(accepted.query).get('stream') === 'true') return STREAMED
  const identity = await deps.authenticate(accepted, 'look')
  if (isRefusal(identity)) return identity
  const { body, refusal } = await accepted.readBody(identity)
  if (body === undefined) return refusal
  const admitted = await deps.admit(accepted, identity, undefined)
  if (isRefusal(admitted)) return admitted
  const background = await lookUpBackground(deps.background, target.id, identity.userId)
  if (background !== undefined) {
    if (isRefusal(background)) return background
    return await serveBackground(deps.background, accepted, { identity, target, method }, background)
  }
  const cached = await deps.cachedResponses.find(identity.userId, target.id)
  if (cached !== undefined) return await serveCached(deps, accepted, { identity, target, method }, cached)
  const asked = await requestFor(deps, accepted, { identity, target, method })
  if (isRefusal(asked)) return asked
  const hold: Running['hold'] = (bytes) => accepted.holdAnswer(identity, bytes)
  const running: Running<StoppableCall> = { call: undefined, isStopped: false, signal: accepted.signal, hold }
  accepted.signal.addEventListener('abort', () => {
    running.isStopped = true
    running.call?.cancel('the client left or the gateway stops')
  })
  const { outcome } = await deps.ask(asked.request, running)
  if ('retry' in outcome) {
    const { reply } = refusedToCaller(asked, outcome)
    if (reply.refusal !== undefined) deps.recordRefusal(accepted, reply.refusal)
    refuse(accepted, reply)
    return undefined
  }
  if (method === 'DELETE') await deps.storedResponses.forget(target.id)
  answer(accepted, outcome.plain?.body ?? NOTHING)
  return undefined
}

const STREAMED: Refusal = {
  code: 'invalid_body',
  params: { field: 'stream', rule: 'must be false: only the call that creates a response can stream it' },
  field: 'stream',
}
const NOTHING = Buffer.alloc(0)

interface Wanted {
  readonly identity: Identity
  readonly target: StoredTarget
  readonly method: CallRequest['method']
}

/** A cached response is complete, so it cannot be cancelled. Its input items have no ids, so they cannot be listed. */
async function serveCached(
  { cachedResponses }: Pick<ServeStoredDeps, 'cachedResponses'>,
  accepted: Accepted,
  { identity, target, method }: Wanted,
  { id, response }: CachedResponse,
): Promise<Refusal | undefined> {
  if (target.rest !== '') return { code: 'not_implemented', params: { path: accepted.path } }
  if (method === 'DELETE') {
    await cachedResponses.forget(identity.userId, id)
    answer(accepted, Buffer.from(JSON.stringify({ id, object: 'response', deleted: true })))
    return undefined
  }
  const refusal = accepted.holdAnswer(identity, response.length)
  if (refusal === undefined) answer(accepted, response)
  return refusal
}

async function requestFor(
  deps: StoredRequestDeps,
  { query }: Accepted,
  { identity, target, method }: Wanted,
): Promise<{ readonly request: CallRequest; readonly route: Route } | Refusal> {
  const found = await lookUpStored(deps, [target.id], identity.userId)
  if (isRefusal(found)) return found
  const [stored] = found
  if (stored === undefined) return { code: 'response_missing', params: { id: target.id } }
  const channel = deps.routing().channel(stored.channelId)
  const [own] = routesOfKey(channel?.routes ?? [], stored.key)
  const route = own && routeFor(own, identity, stored)
  if (route !== undefined && isRefusal(route)) return route
  const address = route && addressOf(route, stored.model)
  if (route === undefined || address === undefined) {
    return { code: 'response_out_of_reach', params: { field: 'id', id: target.id, model: stored.model } }
  }
  const limited = await deps.limitChannel(identity.tokenId, route)
  if (limited !== undefined) return limited
  const { headers, credentials } = route
  const request: CallRequest = {
    method,
    origin: address.origin,
    path: upstreamPath(address.path, target, query),
    headers: [...headers, ...address.headers, 'accept', 'application/json'],
    credentials,
    body: NOTHING,
    stream: false,
    reader: UNREAD,
    kind: route.kind,
    losses: [],
  }
  return { request, route }
}

/** A response made with a caller's own key needs that key: without it, this would read the channel's own account. */
function routeFor(
  own: Route,
  { callerCredential: credential, ownKeys }: Identity,
  { key, model }: { readonly key: string; readonly model: string },
): Route | Refusal {
  const { callers } = own
  if (credential === undefined) {
    const kept = callers && ownKeys?.get(callers.vendor)?.credential
    const made = kept?.fingerprint === key ? callers?.bind(kept) : undefined
    if (made !== undefined) return made
    return callers?.mode === 'caller' ? { code: 'caller_credential_missing', params: { model } } : own
  }
  const isItsVendor = credential.vendor === undefined || credential.vendor === callers?.vendor
  const bound = isItsVendor ? callers?.bind(credential) : undefined
  return bound ?? { code: 'caller_credential_not_taken', params: { header: credential.header, model } }
}

/** The path of responses at the provider; undefined if the channel no longer offers them. */
function addressOf(route: Route, model: string) {
  const asked = { path: RESPONSES_PATH, conversation: RESPONSES_CONVERSATION }
  const adapter = route.adapter('response_api', asked, route.upstreamModel(model))
  if (adapter?.form.kind !== 'pass') return undefined
  return { ...adapter.address(false), headers: adapter.headers ?? [] }
}

/** The provider's reply is forwarded unchanged. */
const UNREAD: AnswerReader = {
  openStream() {
    throw new Error('a stored response is never streamed')
  },
  readAnswer: () => ({ usage: undefined, error: undefined, delivered: undefined }),
  asEvents: (body) => body,
}

function answer({ reply, replyHeaders }: { reply: Reply; replyHeaders: readonly string[] }, body: Uint8Array): void {
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)]
  if (!reply.destroyed) reply.writeHead(200, [...replyHeaders, ...head]).end(body)
}

/** Query parameters that are forwarded; a key in the query is not. */
const PASSED_ON = new Set(['include', 'include[]', 'after', 'before', 'limit', 'order'])

/** The target's path below that of `/v1/responses` at its provider, which can have its own query. */
function upstreamPath(base: string, { id, rest }: StoredTarget, query: string): string {
  const [path = '', own = ''] = base.split('?')
  const passed = [...new URLSearchParams(query)].filter(([name]) => PASSED_ON.has(name))
  const members = [...new URLSearchParams(own), ...passed]
  const search = members.length === 0 ? '' : `?${new URLSearchParams(members).toString()}`
  return `${path}/${id}${rest}${search}`
}
