import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { networkOf } from './address-range.ts'
import { ClientConnections } from './client-connections.ts'
import type { EdgeDeps } from './edge-deps.ts'
import { Entrance } from './entrance.ts'
import { type OpenExchanges, createOpenExchanges } from './open-exchanges.ts'
import { RelayedRequests } from './relayed-requests.ts'
import { wantsWebsocket } from './upgrade.ts'

/** Request line and headers together; keys and texts of this API need a fraction of it. */
const MAX_HEADER_BYTES = 16_384
/** Deadline for a client's headers (slow-loris). */
const HEADERS_TIMEOUT_MS = 15_000
/** Longer than the idle time of common load balancers, so that they close first and never meet a closed socket. */
const KEEP_ALIVE_MS = 75_000
const CONNECTION_CHECK_MS = 5_000
/** Connections that can wait to be accepted. The kernel drops further ones, and their clients retry after a second. */
const BACKLOG = 4_096
/** Closed connections are reported together, this long after the first. */
const DROPS_REPORTED_MS = 1_000
const MANAGEMENT_PATIENCE_MS = 2_000
/** How long after listening has ended a first request may still arrive on a connection opened before. */
const LATE_REQUEST_MS = 250
/** Share of all connections that one network may have; `CONSOLES` can lower it. */
const NETWORKS_PART = 1 / 2
/** Connections of one network beyond those of its relayed requests: further ones could only be idle. */
const CONSOLES = 1_000

export interface Edge {
  readonly server: Server
  readonly exchanges: OpenExchanges
  listen(port: number, host: string): Promise<AddressInfo>
  /**
   * Reports on `/readyz` that it will stop, and keeps serving for `delayMs`, so that new requests go elsewhere. Then stops
   * listening, gives running answers `timeoutMs` to finish, and cuts off the others. Returns how many were cut off.
   */
  close(timeoutMs: number, delayMs?: number): Promise<number>
}

export function openEdge(deps: EdgeDeps): Edge {
  const exchanges = createOpenExchanges()
  let isLeaving = false
  const relayed = new RelayedRequests(deps, exchanges, () => isLeaving)
  const entrance = new Entrance(deps, relayed, () => isLeaving)
  const server = openServer(deps.limits.bodyTimeoutMs)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== REQUEST_TIMEOUT || !entrance.isUploading(socket)) onClientError(error, socket)
  })
  const connections = openConnections(deps)
  server.on('connection', dropReporter(connections, deps))
  server.on('request', (request: IncomingMessage, reply: ServerResponse) => {
    connections.serve(request, reply, () => entrance.serve(request, reply, false))
  })
  server.on('checkContinue', (request: IncomingMessage, reply: ServerResponse) => {
    connections.serve(request, reply, () => entrance.serve(request, reply, true))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (connections.upgrade(request.socket)) entrance.upgrade(request, { socket, head })
  })
  return {
    server,
    exchanges,
    listen: (port, host) => listen(server, port, host),
    close: async (timeoutMs, delayMs = 0) => {
      isLeaving = true
      if (delayMs > 0) await delay(delayMs)
      return await closeServer(server, exchanges, timeoutMs)
    },
  }
}

function openServer(bodyTimeoutMs: number): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // The time limit for bodies answers in the caller's dialect; this one catches only the requests that the other does not see.
    requestTimeout: HEADERS_TIMEOUT_MS + 2 * bodyTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CONNECTION_CHECK_MS,
    shouldUpgradeCallback: wantsWebsocket,
  })
  // By default, Node silently drops headers beyond a certain number; their size is limited anyway.
  server.maxHeadersCount = 0
  return server
}

function openConnections({ limits, callers }: EdgeDeps): ClientConnections {
  const { maxConnections: all = Infinity, maxRequests } = limits
  const ofNetwork = Math.max(1, Math.floor(Math.min(all * NETWORKS_PART, maxRequests + CONSOLES)))
  return new ClientConnections({ all, ofNetwork }, ({ remoteAddress: peer }) =>
    peer === undefined || callers.isProxy?.(peer) === true ? undefined : networkOf(peer),
  )
}

/** Adds new connections, and reports together those that were closed for them. */
function dropReporter(connections: ClientConnections, { onDropped }: EdgeDeps): (socket: Socket) => void {
  let dropped = 0
  return (socket) => {
    const by = connections.add(socket)
    if (by === undefined) return
    dropped += 1
    if (dropped > 1) return
    setTimeout(() => {
      onDropped?.(dropped, by)
      dropped = 0
    }, DROPS_REPORTED_MS).unref()
  }
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the server has no TCP address'))
      else resolve(address)
    })
  })
}

async function closeServer(server: Server, exchanges: OpenExchanges, timeoutMs: number): Promise<number> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const lateMs = Math.min(LATE_REQUEST_MS, timeoutMs)
  await Promise.race([closed, delay(lateMs, undefined, { ref: false })])
  const cut = await exchanges.drain(timeoutMs - lateMs)
  server.closeIdleConnections()
  // Calls of the management API are short, so they get a moment too.
  const patience = setTimeout(() => server.closeAllConnections(), MANAGEMENT_PATIENCE_MS)
  await closed
  clearTimeout(patience)
  return cut
}

/** Handles bytes that are not HTTP. Answers only on a fresh connection: later, the answer could land in the middle of another. */
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

/** Node reports this once for a request, and leaves the connection to us. */
const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  [REQUEST_TIMEOUT]: '408 Request Timeout',
}
