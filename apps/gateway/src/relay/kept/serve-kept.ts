import type { ServerResponse } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'
import { type AskDeps, askUpstream, type Running } from '../ask-upstream.ts'
import { authenticateKey, type AuthenticateDeps, type Identity } from '../authenticate.ts'
import type { AnswerReader } from '../calls/asked.ts'
import { RESPONSES_CONVERSATION, RESPONSES_PATH } from '../calls/responses.ts'
import { limitChannel, type LimitDeps } from '../limit.ts'
import { admit, type AdmitDeps } from '../limits/admit.ts'
import { recordRefusal, type RefusalDeps } from '../record.ts'
import { refuse } from '../refuse.ts'
import type { RelayOptions } from '../relay-options.ts'
import type { Route } from '../route.ts'
import { routesOfKey } from '../routing-table.ts'
import type { CallRequest } from '../upstream-call.ts'
import { type KeptTarget, upstreamPath } from './kept-target.ts'
import { findKept, type LocateDeps } from './locate.ts'
import type { RememberedResponse } from './remembered-responses.ts'

export interface ServeKeptDeps extends AuthenticateDeps, AdmitDeps, LimitDeps, AskDeps, LocateDeps, RefusalDeps {
  readonly options: () => RelayOptions
}

/**
 * A response that a provider keeps, read, deleted or cancelled by whose it is. Nothing is charged: what it cost was when it was
 * made. Others are told what they would be told of an id that does not exist (class S31).
 */
export async function serveKept(
  deps: ServeKeptDeps,
  accepted: Accepted,
  target: KeptTarget,
): Promise<Refusal | undefined> {
  const method = target.methods.find((each) => each === accepted.method)
  if (method === undefined) {
    const params = { method: accepted.method, path: accepted.path, allowed: target.methods.join(', ') }
    return { code: 'method_not_allowed', params }
  }
  if (new URLSearchParams(accepted.query).get('stream') === 'true') return STREAMED
  const identity = await authenticateKey(deps, accepted, 'look')
  if ('code' in identity) return identity
  const { body, refusal } = await accepted.readBody(identity)
  if (body === undefined) return refusal
  const admitted = await admit(deps, accepted, identity, undefined)
  if ('code' in admitted) return admitted
  const remembered = deps.remembered.find(identity.userId, target.id)
  if (remembered !== undefined) return serveRemembered(deps, accepted, { identity, target, method }, remembered)
  const request = await requestFor(deps, accepted, { identity, target, method })
  if ('code' in request) return request
  const running: Running = { call: undefined, isStopped: false, signal: accepted.signal }
  accepted.signal.addEventListener('abort', () => {
    running.isStopped = true
    running.call?.cancel('the client left or the gateway stops')
  })
  const { outcome } = await askUpstream(deps, request, running)
  if ('retry' in outcome) {
    const { reply } = outcome
    if (reply.refusal !== undefined) recordRefusal(deps, accepted, reply.refusal)
    refuse(accepted, reply)
    return undefined
  }
  if (method === 'DELETE') await deps.kept.forget(target.id)
  answer(accepted, outcome.plain?.body ?? NOTHING)
  return undefined
}

const STREAMED: Refusal = {
  code: 'invalid_body',
  params: { field: 'stream', rule: 'must be false: only the call that makes a response streams it' },
  field: 'stream',
}
const NOTHING = Buffer.alloc(0)

interface Wanted {
  readonly identity: Identity
  readonly target: KeptTarget
  readonly method: CallRequest['method']
}

/** Shown or forgotten. It is complete, so nothing can be cancelled; what it was made of has no ids that a list would need. */
function serveRemembered(
  { remembered }: LocateDeps,
  accepted: Accepted,
  { identity, target, method }: Wanted,
  { id, response }: RememberedResponse,
): Refusal | undefined {
  if (target.rest !== '') return { code: 'not_implemented', params: { path: accepted.path } }
  if (method === 'DELETE') {
    remembered.forget(identity.userId, id)
    answer(accepted, Buffer.from(JSON.stringify({ id, object: 'response', deleted: true })))
  } else answer(accepted, response)
  return undefined
}

async function requestFor(
  deps: ServeKeptDeps,
  { query }: Accepted,
  { identity, target, method }: Wanted,
): Promise<CallRequest | Refusal> {
  const found = await findKept(deps, [target.id], identity.userId)
  if ('code' in found) return found
  const [kept] = found
  if (kept === undefined) return { code: 'response_missing', params: { id: target.id } }
  const channel = deps.routing().channel(kept.channelId)
  const [route] = routesOfKey(channel?.routes ?? [], kept.key)
  const address = route && addressOf(route, kept.model)
  if (route === undefined || address === undefined) {
    return { code: 'response_out_of_reach', params: { field: 'id', id: target.id, model: kept.model } }
  }
  const limited = limitChannel(deps, identity.tokenId, route)
  if (limited !== undefined) return limited
  const { headers, credentials } = route
  return {
    method,
    origin: address.origin,
    path: upstreamPath(address.path, target, query),
    headers: [...headers, ...address.headers, 'accept', 'application/json'],
    credentials,
    body: NOTHING,
    stream: false,
    reader: UNREAD,
    losses: [],
  }
}

/** Where the provider has its responses; undefined when the channel does not speak of them any more. */
function addressOf(route: Route, model: string) {
  const asked = { path: RESPONSES_PATH, conversation: RESPONSES_CONVERSATION }
  const way = route.way('response_api', asked, route.upstreamModel(model))
  if (way?.form.kind !== 'pass') return undefined
  return { ...way.address(false), headers: way.headers ?? [] }
}

/** The provider's words pass on as they are. */
const UNREAD: AnswerReader = {
  openStream() {
    throw new Error('a kept response is never streamed')
  },
  readAnswer: () => ({ usage: undefined, error: undefined, delivered: undefined }),
  asEvents: (body) => body,
}

function answer(
  { reply, replyHeaders }: { reply: ServerResponse; replyHeaders: readonly string[] },
  body: Uint8Array,
): void {
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)]
  if (!reply.destroyed) reply.writeHead(200, [...replyHeaders, ...head]).end(body)
}
