import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'
import { networkOf } from './address-range.ts'
import { BodyClaim, BodyMemory } from './body-memory.ts'
import { ANY_ORIGIN, writePreflight } from './cors.ts'
import { detach } from './detach.ts'
import type { EdgeDeps } from './edge-deps.ts'
import { Exchange, type ExchangeMeans } from './exchange.ts'
import type { OpenExchanges } from './open-exchanges.ts'
import { type BodyLimits, readBody } from './read-body.ts'
import { servedMethod, type Target } from './route.ts'
import { type FramedRequests, type UpgradedSocket, upgradeOf } from './upgrade.ts'
import { writeRefusal } from './write-refusal.ts'

/** Websockets get this fraction of the body memory, in addition to it, for the data kept between their requests. */
const CONNECTIONS_PART = 1 / 4
/** Each user and each network can have twice this much of the websocket memory. */
const CONNECTION_LEAST_BYTES = 8_388_608
/** How long an upload can stay below the required rate. */
const PACE_SPAN_MS = 10_000

/** Takes the requests of the paid path from their sockets to the relay, and holds the memory that they share. */
export class RelayedRequests {
  readonly #deps: EdgeDeps
  readonly #exchanges: OpenExchanges
  readonly #isLeaving: () => boolean
  readonly #bodies: BodyMemory
  readonly #answers: BodyMemory
  readonly #connections: BodyMemory
  readonly #bodyLimits: BodyLimits
  readonly #heldBack = new WeakSet<IncomingMessage>()

  constructor(deps: EdgeDeps, exchanges: OpenExchanges, isLeaving: () => boolean) {
    const { bodyLimit, bodyMemory, answerMemory, answerLimit, bodyTimeoutMs, bodyRate } = deps.limits
    this.#deps = deps
    this.#exchanges = exchanges
    this.#isLeaving = isLeaving
    this.#bodies = new BodyMemory(bodyMemory, bodyLimit)
    const ofAnswers = Math.max(answerMemory, 2 * answerLimit)
    this.#answers = new BodyMemory(ofAnswers, answerLimit, 'buffered answers')
    this.#bodyLimits = { bytes: bodyLimit, timeoutMs: bodyTimeoutMs, leastRate: bodyRate, spanMs: PACE_SPAN_MS }
    this.#connections = new BodyMemory(bodyMemory * CONNECTIONS_PART, CONNECTION_LEAST_BYTES)
  }

  get isNearlyFull(): boolean {
    return this.#bodies.isNearlyFull
  }

  refusal(): Refusal | undefined {
    const { maxRequests } = this.#deps.limits
    if (this.#exchanges.draining) return { code: 'shutting_down', retryAfter: 1 }
    if (this.#exchanges.count >= maxRequests) {
      return { code: 'overloaded', params: { limit: `${maxRequests} open requests` }, retryAfter: 1 }
    }
    return this.#deps.overload()
  }

  /** Registers a client that waits for `100 Continue` and has not sent its body. */
  holdBack(request: IncomingMessage): void {
    this.#heldBack.add(request)
  }

  /** `raw` is present for a request that wants to become a websocket. */
  serve(request: IncomingMessage, reply: ServerResponse, target: Target, id: string, raw?: UpgradedSocket): void {
    const base = this.#headersOf(request, target, id, raw)
    if (request.method === 'OPTIONS') return writePreflight(reply, request.headers, base)
    const refuse = (refusal: Refusal) => {
      const encode = this.#deps.refusalBody({ path: target.path, headers: request.headers })
      writeRefusal(reply, refusal, id, base, encode)
    }
    const refusal = this.refusal()
    if (refusal !== undefined) {
      this.#deps.onRefused(refusal.code)
      return refuse(refusal)
    }
    const exchange = this.#open(request, reply, target, id, base, raw)
    const leave = this.#exchanges.add({ abort: (reason) => exchange.interrupt(reason) })
    reply.once('close', () => {
      exchange.release()
      if (!reply.writableFinished) exchange.abort()
      // The head was sent before the stop began; a balancer would send the next request on this connection.
      else if (this.#isLeaving() && raw === undefined) request.socket.end()
    })
    this.#deps
      .relay(exchange)
      .catch((error: unknown) => {
        this.#deps.log.error({ requestId: id, error }, 'the relay failed unexpectedly')
        this.#deps.onRefused('internal')
        refuse({ code: 'internal' })
        reply.destroy()
      })
      .finally(() => {
        exchange.end()
        leave()
      })
  }

  #headersOf(request: IncomingMessage, target: Target, id: string, raw: UpgradedSocket | undefined): string[] {
    const base = ['X-Request-Id', id, 'X-Oneapi-Request-Id', id]
    if (isForAnthropicClient(request, target)) base.push('Request-Id', id)
    if (request.headers.origin !== undefined) base.push(...ANY_ORIGIN)
    // A client that reuses the connection would return to this process.
    if (this.#isLeaving() && raw === undefined) base.push('Connection', 'close')
    return base
  }

  #open(
    request: IncomingMessage,
    reply: ServerResponse,
    target: Target,
    id: string,
    replyHeaders: string[],
    raw: UpgradedSocket | undefined,
  ): Exchange<ServerResponse> {
    const client = this.#deps.callers.addressOf(request)
    const { bodyLimit } = this.#deps.limits
    const head = {
      id,
      received: this.#deps.now(),
      method: servedMethod(request.method, target.path),
      path: target.path,
      query: target.query,
      headers: request.headers,
      client,
      upgrade: raw && upgradeOf(request, raw, reply, this.#requestsFrom(networkOf(client)), this.#isLeaving),
      replyHeaders,
    }
    const means: Omit<ExchangeMeans, 'read' | 'detach'> = {
      bodyLimit,
      claimBody: ({ userId }) => new BodyClaim(this.#bodies, { network: networkOf(client), userId }),
      claimAnswer: ({ userId }) => new BodyClaim(this.#answers, { network: networkOf(client), userId }),
    }
    return new Exchange(head, reply, {
      ...means,
      read: (claim) => {
        if (reply.destroyed) claim.release()
        // `100 Continue` is sent only now, so a client that was refused earlier has not sent a body.
        if (this.#heldBack.has(request) && declaredLength(request) <= bodyLimit) reply.writeContinue()
        return readBody(request, this.#bodyLimits, claim)
      },
      detach: (exchange, memory) => detach(exchange, request, this.#exchanges, means, memory),
    })
  }

  #requestsFrom(network: string): FramedRequests {
    return {
      bodyLimit: this.#deps.limits.bodyLimit,
      claimBody: ({ userId }) => new BodyClaim(this.#bodies, { network, userId }),
      claimAnswer: ({ userId }) => new BodyClaim(this.#answers, { network, userId }),
      claimMemory: ({ userId }) => new BodyClaim(this.#connections, { network, userId }),
      refusal: () => this.refusal(),
    }
  }
}

/** Anthropic's clients show this id to their users (`message._request_id`). */
function isForAnthropicClient({ headers }: IncomingMessage, { path }: Target): boolean {
  return headers['anthropic-version'] !== undefined || path.startsWith('/v1/messages')
}

const declaredLength = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)
