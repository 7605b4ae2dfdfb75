import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait their turn on one connection; no client known to pipeline sends more at once. */
const MOST_WAITING = 32

export interface ConnectionLimits {
  /** Infinite where open files are not limited. */
  readonly all: number
  readonly ofNetwork: number
}

/** The limit that closed a connection without any request. */
export type DroppedBy = keyof ConnectionLimits

interface Client {
  readonly socket: Socket
  /** Undefined for a peer that represents many clients: a trusted proxy, or another thread of this process. */
  readonly network: Network | undefined
  isBusy: boolean
  isNew: boolean
  readonly waiting: (() => void)[]
}

interface Network {
  readonly name: string
  count: number
  /** Idle connections, longest idle first. */
  readonly idle: Set<Client>
}

/** `met` is the limit for which this or another connection was closed before any request. */
interface Room {
  readonly isThere: boolean
  readonly met?: DroppedBy
}

/**
 * The open connections of clients. Each serves one request at a time, even if its client pipelines, so that a connection never
 * costs more than one reply (class S27). When no more connections fit, the longest idle is closed; a network with a full share must
 * make room from its own. A connection that waits for a reply, reads a stream or has become a websocket is not idle.
 */
export class ClientConnections {
  readonly #limits: ConnectionLimits
  readonly #networkOf: (socket: Socket) => string | undefined
  readonly #clients = new Map<Socket, Client>()
  readonly #idle = new Set<Client>()
  readonly #networks = new Map<string, Network>()

  constructor(limits: ConnectionLimits, networkOf: (socket: Socket) => string | undefined) {
    this.#limits = limits
    this.#networkOf = networkOf
  }

  /** Adds a connection, or closes it without room. Returns the limit if it, or one closed for it, had no request yet. */
  add(socket: Socket): DroppedBy | undefined {
    const name = this.#networkOf(socket)
    const network =
      name === undefined ? undefined : (this.#networks.get(name) ?? { name, count: 0, idle: new Set<Client>() })
    const { isThere, met } = this.#makeRoom(network)
    if (!isThere) {
      socket.destroy()
      return met
    }
    const client: Client = { socket, network, isBusy: false, isNew: true, waiting: [] }
    this.#clients.set(socket, client)
    if (network !== undefined) {
      network.count += 1
      this.#networks.set(network.name, network)
    }
    this.#rest(client)
    socket.once('close', () => this.#remove(client))
    return met
  }

  /** Calls `begin` once every earlier reply on the connection is written; never if the connection ends first. */
  serve({ socket }: IncomingMessage, reply: ServerResponse, begin: () => void): void {
    const client = this.#clients.get(socket)
    if (client === undefined || socket.destroyed) return
    const turn = () => {
      begin()
      reply.once('close', () => this.#next(client))
    }
    if (!client.isBusy) {
      this.#wake(client)
      turn()
    } else if (client.waiting.length < MOST_WAITING) client.waiting.push(turn)
    else socket.destroy()
  }

  /** Turns the connection into a websocket. If replies are still due on it, closes it instead and returns false. */
  upgrade(socket: Socket): boolean {
    const client = this.#clients.get(socket)
    const isFree = client !== undefined && !client.isBusy
    if (isFree) this.#wake(client)
    else socket.destroy()
    return isFree
  }

  #makeRoom(network: Network | undefined): Room {
    const { all, ofNetwork } = this.#limits
    if (network !== undefined && network.count >= ofNetwork) return this.#cutFirst(network.idle, 'ofNetwork')
    return this.#clients.size >= all ? this.#cutFirst(this.#idle, 'all') : { isThere: true }
  }

  #cutFirst(idle: ReadonlySet<Client>, met: DroppedBy): Room {
    const [longest] = idle
    if (longest === undefined) return { isThere: false, met }
    const { isNew, socket } = longest
    // Node reports the end of the socket only after the next connections.
    this.#remove(longest)
    socket.destroy()
    return isNew ? { isThere: true, met } : { isThere: true }
  }

  #remove(client: Client): void {
    if (!this.#clients.delete(client.socket)) return
    this.#wake(client)
    const { network } = client
    if (network === undefined) return
    network.count -= 1
    if (network.count === 0) this.#networks.delete(network.name)
  }

  #next(client: Client): void {
    if (!this.#clients.has(client.socket)) return
    const turn = client.waiting.shift()
    if (turn !== undefined) turn()
    else this.#rest(client)
  }

  #rest(client: Client): void {
    client.isBusy = false
    this.#idle.add(client)
    client.network?.idle.add(client)
  }

  #wake(client: Client): void {
    client.isBusy = true
    client.isNew = false
    this.#idle.delete(client)
    client.network?.idle.delete(client)
  }
}
