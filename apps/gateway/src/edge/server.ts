import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Refusal } from '@sluice/contract/errors'
import { BodyClaim, BodyMemory } from '../body-memory.ts'
import { networkOf } from '../client-network.ts'
import { isBareBasePath, pathWithin, redirectIntoBasePath } from './base-path.ts'
import type { Callers } from './client-address.ts'
import { ClientConnections, type DroppedBy } from './client-connections.ts'
import { ANY_ORIGIN, writePreflight } from './cors.ts'
import { detach } from './detach.ts'
import type { Accepted, AcceptedOnSocket, Reply } from './exchange.ts'
import { writeHealth } from './health.ts'
import { type OpenExchanges, createOpenExchanges } from './open-exchanges.ts'
import { readBody } from './read-body.ts'
import { hasOneHost, isUpload, originForm, readsEnvelope, servedMethod, type Target, targetOf } from './route.ts'
import { cutSlowReader, cutStalledReader } from './slow-reader.ts'
import { type FramedRequests, replyOn, type UpgradedSocket, upgradeOf, wantsWebsocket } from './upgrade.ts'
import { envelopeBody, type RefusalBody, refusalBody, writeRefusal } from './write-refusal.ts'

/** Request line and headers together; the keys and texts of this API need a fraction of it. */
const MAX_HEADER_BYTES = 16_384
/** A client that has not finished its headers by then is cut (slow-loris). */
const HEADERS_TIMEOUT_MS = 15_000
/** Longer than the idle time of common load balancers, so that they close first and never meet a closed socket. */
const KEEP_ALIVE_MS = 75_000
const CONNECTION_CHECK_MS = 5_000
/** Connections that can wait to be accepted. Beyond it the kernel drops them, and their clients try again after a second. */
const BACKLOG = 4_096
/** Closed connections are reported together, this long after the first. */
const DROPS_REPORTED_MS = 1_000
const MANAGEMENT_PATIENCE_MS = 2_000
/** How long after the end of listening a connection that was opened before it can still bring its request. */
const LATE_REQUEST_MS = 250
/** What websockets remember between their requests gets this part of what bodies get, beside it … */
const CONNECTIONS_PART = 1 / 4
/** … and each user and network can have twice this much of it. */
const CONNECTION_LEAST_BYTES = 8_388_608
/** How long an upload can stay below the required rate. */
const PACE_SPAN_MS = 10_000
/** Part of all connections that one network may have … */
const NETWORKS_PART = 1 / 2
/** … and no more beside those of its relayed requests: they could only be idle. */
const CONSOLES = 1_000

export interface EdgeDeps {
  readonly limits: {
    readonly bodyLimit: number
    readonly bodyMemory: number
    /** Bytes of one plain answer, and of all that are gathered or not read yet. */
    readonly answerLimit: number
    readonly answerMemory: number
    readonly bodyTimeoutMs: number
    /** Bytes per second at which a body must arrive, at least. */
    readonly bodyRate: number
    /** Requests open at the same time, whatever they wait for. */
    readonly maxRequests: number
    /** Client connections open at the same time, of which one network can have half. Unlimited when absent. */
    readonly maxConnections?: number
    /** How long a client can leave sent bytes unread. */
    readonly clientStallMs: number
  }
  /** Before every path that a proxy passes on unchanged, such as `/ai`; empty for none. What is called here sees paths without it. */
  readonly basePath: string
  readonly callers: Callers
  readonly now: () => number
  /** 32 hex characters. */
  readonly newId: () => string
  /** The paid path. Never rejects; a rejection is a bug and is logged as one. */
  readonly relay: (accepted: AcceptedOnSocket) => Promise<void>
  /** The management API, as a listener of `node:http`. */
  readonly management: (request: IncomingMessage, reply: ServerResponse) => void
  /** What monitoring reads. */
  readonly metrics: (request: IncomingMessage, reply: ServerResponse) => void
  /** Writes refusals on paths of the relay in the form that their callers read. */
  readonly refusalBody: (caller: Pick<Accepted, 'path' | 'headers'>) => RefusalBody
  /** Called for requests that are refused here, with their code; must return at once. */
  readonly onRefused: (code: string) => void
  /** The console's files, for every other path. */
  readonly console: (request: IncomingMessage, reply: ServerResponse, path: string, requestId: string) => void
  /** Empty when the database answers, otherwise why not. Never rejects. */
  readonly databaseProblem: () => Promise<string>
  /** Called when connections were closed on which no request had arrived: how many since its last call, and the limit the first met. */
  readonly onDropped?: (count: number, by: DroppedBy) => void
  /** A reason to refuse relayed requests early. */
  readonly overload: () => Refusal | undefined
  readonly log: { error(fields: object, message: string): void }
}

export interface Edge {
  readonly server: Server
  readonly exchanges: OpenExchanges
  listen(port: number, host: string): Promise<AddressInfo>
  /**
   * Says on `/readyz` that it is about to stop and keeps serving for `delayMs`, so that senders of requests look elsewhere. Then
   * stops listening, lets running answers finish for `timeoutMs`, and cuts the others. Returns how many were cut.
   */
  close(timeoutMs: number, delayMs?: number): Promise<number>
}

/** Sockets, limits and the path switch. What happens behind them is passed in. */
export function openEdge(deps: EdgeDeps): Edge {
  const exchanges = createOpenExchanges()
  const { basePath, callers } = deps
  const { bodyLimit, bodyMemory, bodyTimeoutMs, bodyRate, maxRequests, clientStallMs, answerMemory, answerLimit } =
    deps.limits
  const memory = new BodyMemory(bodyMemory, bodyLimit)
  const answers = new BodyMemory(
    Math.max(answerMemory, 2 * answerLimit),
    answerLimit,
    'answers that are gathered or not read yet',
  )
  const connectionMemory = new BodyMemory(bodyMemory * CONNECTIONS_PART, CONNECTION_LEAST_BYTES)
  const bodyLimits = { bytes: bodyLimit, timeoutMs: bodyTimeoutMs, leastRate: bodyRate, spanMs: PACE_SPAN_MS }
  let isLeaving = false
  /** Connections on which a file arrives, which may take as long as its handler allows. */
  const uploading = new WeakSet<Socket>()
  /** Requests whose clients wait for `100 Continue`. */
  const heldBack = new WeakSet<IncomingMessage>()

  const refusalBeforeWork = (): Refusal | undefined => {
    if (exchanges.draining) return { code: 'shutting_down', retryAfter: 1 }
    if (exchanges.count >= maxRequests) {
      return { code: 'overloaded', params: { limit: `${maxRequests} open requests` }, retryAfter: 1 }
    }
    return deps.overload()
  }

  const requestsFrom = (network: string): FramedRequests => ({
    bodyLimit,
    claimBody: ({ userId }) => new BodyClaim(memory, { network, userId }),
    claimAnswer: ({ userId }) => new BodyClaim(answers, { network, userId }),
    claimMemory: ({ userId }) => new BodyClaim(connectionMemory, { network, userId }),
    refusal: refusalBeforeWork,
  })

  const relay = (request: IncomingMessage, reply: ServerResponse, target: Target, id: string, raw?: UpgradedSocket) => {
    const base = ['X-Request-Id', id, 'X-Oneapi-Request-Id', id]
    if (isForAnthropicClient(request, target)) base.push('Request-Id', id)
    if (request.headers.origin !== undefined) base.push(...ANY_ORIGIN)
    // A client that reuses the connection would come back here.
    if (isLeaving && raw === undefined) base.push('Connection', 'close')
    if (request.method === 'OPTIONS') return writePreflight(reply, request.headers, base)
    const refuse = (refusal: Refusal) => {
      const encode = deps.refusalBody({ path: target.path, headers: request.headers })
      writeRefusal(reply, refusal, id, base, encode)
    }
    const refusal = refusalBeforeWork()
    if (refusal !== undefined) {
      deps.onRefused(refusal.code)
      return refuse(refusal)
    }

    const abort = new AbortController()
    const client = callers.addressOf(request)
    let claim: BodyClaim | undefined
    let answer: BodyClaim | undefined
    const openAnswer = (userId: number) => new BodyClaim(answers, { network: networkOf(client), userId })
    const endings: (() => void)[] = []
    let stop: (() => void) | undefined
    const interrupt = (reason: Error): void => {
      abort.abort(reason)
      stop?.()
    }
    const leave = exchanges.add({ abort: interrupt })
    reply.once('close', () => {
      claim?.release()
      answer?.release()
      if (!reply.writableFinished) abort.abort()
      // The head was sent before the stop began; a balancer would send the next request down this connection.
      else if (isLeaving && raw === undefined) request.socket.end()
    })
    const accepted: AcceptedOnSocket = {
      id,
      received: deps.now(),
      method: servedMethod(request.method, target.path),
      path: target.path,
      query: target.query,
      headers: request.headers,
      client,
      signal: abort.signal,
      reply,
      upgrade: raw && upgradeOf(request, raw, reply, requestsFrom(networkOf(client)), () => isLeaving),
      replyHeaders: base,
      readBody: (owner) => {
        claim = new BodyClaim(memory, { network: networkOf(client), userId: owner.userId })
        if (reply.destroyed) claim.release()
        // A client that waits for `100 Continue` gets it now: one that was refused earlier has sent no body.
        if (heldBack.has(request) && declaredLength(request) <= bodyLimit) reply.writeContinue()
        return readBody(request, bodyLimits, claim)
      },
      claimBody: (bytes) =>
        bytes > bodyLimit ? { code: 'body_too_large', params: { limit: bodyLimit } } : claim?.holdMore(bytes),
      holdAnswer: ({ userId }, bytes) => {
        // What is still read for a client that has left is read for a moment only.
        if (reply.destroyed) return undefined
        answer ??= openAnswer(userId)
        return answer.hold(bytes)
      },
      detach: () => {
        const taken = claim
        claim = undefined
        return detach(accepted, request, exchanges, taken, openAnswer)
      },
      interrupt,
      atEnd: (task) => void endings.push(task),
      atStop: (task) => void (stop = task),
    }
    deps
      .relay(accepted)
      .catch((error: unknown) => {
        deps.log.error({ requestId: id, error }, 'the relay failed unexpectedly')
        deps.onRefused('internal')
        refuse({ code: 'internal' })
        reply.destroy()
      })
      .finally(() => {
        for (const task of endings) task()
        leave()
      })
  }

  /** A write after the end of an answer is a bug of ours, but no reason to end the process with all its other answers. */
  const onReplyError = (error: Error) => deps.log.error({ error }, 'a reply was written in a way that it cannot be')

  /** To be called once for a request. */
  const enter = (request: IncomingMessage): Target => {
    request.url = pathWithin(basePath, request.url ?? '')
    return targetOf(request.url)
  }

  const onRequest = (request: IncomingMessage, reply: ServerResponse, waitsForContinue: boolean) => {
    reply.on('error', onReplyError)
    const id = deps.newId()
    request.url = originForm(request.url ?? '')
    const isBare = isBareBasePath(basePath, request)
    const target = enter(request)
    if (!hasOneHost(request.rawHeaders)) return refuseEarly(request, reply, target, id, { code: 'several_hosts' })
    // Of a relayed reply that has ended; one that goes on is watched by who writes it.
    if (target.part === 'relay') {
      if (waitsForContinue) heldBack.add(request)
      reply.once('prefinish', () => cutSlowReader(reply, clientStallMs))
      return relay(request, reply, target, id)
    }
    if (waitsForContinue) reply.writeContinue()
    cutStalledReader(reply, clientStallMs)
    reply.setHeader('X-Request-Id', id)
    reply.setHeader('X-Oneapi-Request-Id', id)
    if (isBare) return redirectIntoBasePath(basePath, reply)
    switch (target.part) {
      case 'management':
        if (isUpload(request.method, target)) {
          uploading.add(request.socket)
          reply.once('close', () => uploading.delete(request.socket))
        }
        return deps.management(request, reply)
      case 'health':
        return void writeHealth(reply, target.path, async () => {
          if (isLeaving) return 'shutting_down'
          if (memory.isNearlyFull) return 'overloaded'
          return refusalBeforeWork()?.code ?? (await deps.databaseProblem())
        })
      case 'metrics':
        return deps.metrics(request, reply)
      case 'console':
        return deps.console(request, reply, target.path, id)
      case 'malformed':
        return refuseEarly(request, reply, target, id, {
          code: 'unknown_path',
          params: { method: request.method ?? '', path: '' },
        })
    }
  }

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // The body's own time limit answers in the caller's dialect; this one only catches what that one does not see.
    requestTimeout: HEADERS_TIMEOUT_MS + 2 * bodyTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CONNECTION_CHECK_MS,
    shouldUpgradeCallback: wantsWebsocket,
  })
  // Beyond a number of headers, Node would drop the others in silence; their size is bounded already.
  server.maxHeadersCount = 0
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== REQUEST_TIMEOUT || !uploading.has(socket)) onClientError(error, socket)
  })
  const { maxConnections: all = Infinity } = deps.limits
  const ofNetwork = Math.max(1, Math.floor(Math.min(all * NETWORKS_PART, maxRequests + CONSOLES)))
  const connections = new ClientConnections({ all, ofNetwork }, ({ remoteAddress: peer }) =>
    peer === undefined || callers.isProxy?.(peer) === true ? undefined : networkOf(peer),
  )
  let dropped = 0
  server.on('connection', (socket: Socket) => {
    const by = connections.add(socket)
    if (by === undefined) return
    dropped += 1
    if (dropped > 1) return
    setTimeout(() => {
      deps.onDropped?.(dropped, by)
      dropped = 0
    }, DROPS_REPORTED_MS).unref()
  })
  server.on('request', (request: IncomingMessage, reply: ServerResponse) => {
    connections.serve(request, reply, () => onRequest(request, reply, false))
  })
  server.on('checkContinue', (request: IncomingMessage, reply: ServerResponse) => {
    connections.serve(request, reply, () => onRequest(request, reply, true))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!connections.upgrade(request.socket)) return
    const id = deps.newId()
    const target = enter(request)
    const reply = replyOn(socket, request)
    reply.on('error', onReplyError)
    if (!hasOneHost(request.rawHeaders)) refuseEarly(request, reply, target, id, { code: 'several_hosts' })
    else if (target.part === 'relay') relay(request, reply, target, id, { socket, head })
    else refuseEarly(request, reply, target, id, { code: 'upgrade_refused', params: { path: target.path } })
  })

  return {
    server,
    exchanges,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off('error', reject)
          const address = server.address()
          if (address === null || typeof address === 'string') reject(new Error('the server has no TCP address'))
          else resolve(address)
        })
      }),
    close: async (timeoutMs, delayMs = 0) => {
      isLeaving = true
      if (delayMs > 0) await delay(delayMs)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const lateMs = Math.min(LATE_REQUEST_MS, timeoutMs)
      await Promise.race([closed, delay(lateMs, undefined, { ref: false })])
      const cut = await exchanges.drain(timeoutMs - lateMs)
      server.closeIdleConnections()
      // Calls of the management API are short; they get a moment too.
      const patience = setTimeout(() => server.closeAllConnections(), MANAGEMENT_PATIENCE_MS)
      await closed
      clearTimeout(patience)
      return cut
    },
  }
}

/** What is refused before any part of the gateway sees it, in the form that callers of its path read. */
function refuseEarly(request: IncomingMessage, reply: Reply, target: Target, id: string, refusal: Refusal): void {
  const encode = readsEnvelope(target) ? envelopeBody(request.headers['accept-language']) : refusalBody
  writeRefusal(reply, refusal, id, [], encode)
}

/** Anthropic's clients show their users the id under this name (`message._request_id`). */
function isForAnthropicClient({ headers }: IncomingMessage, { path }: Target): boolean {
  return headers['anthropic-version'] !== undefined || path.startsWith('/v1/messages')
}

const declaredLength = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

/** Bytes that are not HTTP. Answered only on a fresh connection: later, the answer could land in the middle of another. */
function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0 || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const line = CLIENT_ERRORS[error.code ?? ''] ?? '400 Bad Request'
  const message = `The request could not be read: ${line.slice(4)}.`
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } })
  socket.end(
    `HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Node reports it once for a request, and leaves the connection to us. */
const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  [REQUEST_TIMEOUT]: '408 Request Timeout',
}
