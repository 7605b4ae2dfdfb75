import type { SocketRequest } from '../../../outbound/guarded-socket.ts'
import type { Beating } from '../../client/pulse.ts'
import type { Candidate } from '../../stages/planned.ts'
import { UpstreamSocket, type UpstreamSocketDeps } from './upstream-socket.ts'

/** Open provider websockets: per websocket of a client, and in this process. */
export const UPSTREAM_SOCKETS = { perConnection: 4, all: 2_000 } as const
/** How long a channel's key uses POST after one of its websockets was refused or violated the protocol. */
export const REFUSED_MS = 600_000
/** Maximum remembered refusals; the oldest are dropped. */
const REFUSALS = 1_000

/** Which of its streams a client uses, and which lane answers. */
export interface SocketUse {
  readonly stream: string
  readonly candidate: Pick<Candidate, 'lane' | 'route'>
}

export class UpstreamSockets {
  readonly #deps: UpstreamSocketDeps
  readonly #connections = new Map<string, ConnectionSockets>()
  readonly #refusals = new Map<string, number>()
  #open = 0

  constructor(deps: UpstreamSocketDeps) {
    this.#deps = deps
  }

  /** Opens the sockets for a client's new websocket, which must call `beat` regularly, and `leave` in the end. */
  open(id: string): ConnectionSockets {
    const sockets = new ConnectionSockets(
      (address) => this.#newSocket(address),
      () => this.#connections.delete(id),
    )
    this.#connections.set(id, sockets)
    return sockets
  }

  /** A websocket for a request, to be used at once; undefined if the request must be sent by POST. */
  take(id: string, use: SocketUse, address: SocketRequest): UpstreamSocket | undefined {
    const until = this.#refusals.get(refusalKey(use)) ?? 0
    if (until > this.#deps.steady()) return undefined
    return this.#connections.get(id)?.take(useKey(use), address)
  }

  refused(use: SocketUse): void {
    const key = refusalKey(use)
    this.#refusals.delete(key)
    this.#refusals.set(key, this.#deps.steady() + REFUSED_MS)
    if (this.#refusals.size <= REFUSALS) return
    for (const oldest of this.#refusals.keys()) return void this.#refusals.delete(oldest)
  }

  close(): void {
    for (const sockets of this.#connections.values()) sockets.cut()
  }

  #newSocket(address: SocketRequest): UpstreamSocket | undefined {
    if (this.#open >= UPSTREAM_SOCKETS.all) return undefined
    this.#open += 1
    return new UpstreamSocket(this.#deps, address, () => (this.#open -= 1))
  }
}

/** The provider websockets of one client's websocket: one per stream and lane. */
export class ConnectionSockets implements Beating {
  readonly #newSocket: (address: SocketRequest) => UpstreamSocket | undefined
  readonly #onLeft: () => void
  /** Most recently used last. */
  readonly #sockets = new Map<string, UpstreamSocket>()

  constructor(newSocket: (address: SocketRequest) => UpstreamSocket | undefined, onLeft: () => void) {
    this.#newSocket = newSocket
    this.#onLeft = onLeft
  }

  take(key: string, address: SocketRequest): UpstreamSocket | undefined {
    this.#sweep()
    const found = this.#sockets.get(key)
    if (found !== undefined && found.isFree && isSame(found.address, address)) {
      this.#sockets.delete(key)
      this.#sockets.set(key, found)
      return found
    }
    if (found?.isBusy === true) return undefined
    // Its channel has a different key or address now, or it is about to become too old.
    found?.leave()
    this.#sockets.delete(key)
    if (!this.#hasPlace()) return undefined
    const socket = this.#newSocket(address)
    if (socket !== undefined) this.#sockets.set(key, socket)
    return socket
  }

  beat(now: number): void {
    for (const socket of this.#sockets.values()) socket.beat(now)
    this.#sweep()
  }

  /** The client has left; an answer that is still read for its usage is read to its end. */
  leave(): void {
    this.#onLeft()
    for (const socket of this.#sockets.values()) socket.leave()
    this.#sweep()
  }

  cut(): void {
    for (const socket of this.#sockets.values()) socket.cut()
    this.#sockets.clear()
  }

  #hasPlace(): boolean {
    if (this.#sockets.size < UPSTREAM_SOCKETS.perConnection) return true
    for (const [key, socket] of this.#sockets) {
      if (!socket.isFree) continue
      socket.leave()
      this.#sockets.delete(key)
      return true
    }
    return false
  }

  #sweep(): void {
    for (const [key, { isOver }] of this.#sockets) if (isOver) this.#sockets.delete(key)
  }
}

const refusalKey = ({ candidate: { lane, route } }: SocketUse) => `${lane.channel} ${route.key.fingerprint}`
const useKey = (use: SocketUse) => JSON.stringify([refusalKey(use), use.candidate.lane.model, use.stream])

/** Compares the credentials too: a websocket opened with different ones belongs to someone else. */
function isSame(one: SocketRequest, other: SocketRequest): boolean {
  return (
    one.origin === other.origin &&
    one.path === other.path &&
    one.headers.length === other.headers.length &&
    one.headers.every((text, at) => text === other.headers[at])
  )
}
