import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Refusal } from '@sluice/contract/errors'
import { WebSocketServer } from 'ws'
import { CLOSE_TIMEOUT_MS, FrameSocket } from '../outbound/frame-socket.ts'
import { FrameGate, type FrameGateOptions } from './frame-gate.ts'

/** Memory that counts against its owner's share. */
export interface MemoryClaim {
  /** Takes more, or gives back the excess; a refusal changes nothing. */
  hold(bytes: number): Refusal | undefined
  /** Like `hold`, but in addition to what is already held. */
  holdMore(bytes: number): Refusal | undefined
  /** Releases everything; the claim cannot be used afterwards. */
  release(): void
}

interface MemoryOwner {
  readonly userId: number
}

/** What many requests on one websocket share with requests that have a socket of their own. */
export interface FramedRequests {
  /** Bytes of one request body. */
  readonly bodyLimit: number
  /** Claims memory for the body of one request from what all bodies share. */
  claimBody(owner: MemoryOwner): MemoryClaim
  /** Claims memory for one answer from what all answers share. */
  claimAnswer(owner: MemoryOwner): MemoryClaim
  /** Claims memory for what a connection remembers between its requests, from a budget of its own. */
  claimMemory(owner: MemoryOwner): MemoryClaim
  /** Why no request may begin now. */
  refusal(): Refusal | undefined
}

/** A request that wants to become a websocket. */
export interface Upgrade {
  /** Completes the handshake; call at most once. Undefined when the client has left, or an invalid handshake was refused. */
  accept(options: {
    /** Bytes of one message. */
    readonly maxFrame: number
    /** The protocol to agree on, of those that the client offers. */
    readonly protocol: string | undefined
    /** Flat list of names and values. */
    readonly headers: readonly string[]
    /** Drops messages as they arrive, depending on their announced length. */
    readonly gate?: FrameGateOptions
  }): FrameSocket | undefined
  /** The gateway is about to stop: connections that can end should end. */
  readonly isUnwelcome: boolean
  readonly requests: FramedRequests
}

/** True only for websockets; other upgrades are ignored and answered as plain requests. */
export function wantsWebsocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** A plain reply on the socket of an upgrade, for refusals, which then look like all others. */
export function replyOn(socket: Duplex, request: IncomingMessage): ServerResponse {
  const reply = new ServerResponse(request)
  reply.shouldKeepAlive = false
  reply.assignSocket(socket as Socket)
  reply.once('finish', () => (socket as Socket).destroySoon())
  // A client that disconnects in the middle is not a failure of ours.
  socket.on('error', () => socket.destroy())
  return reply
}

/** The connection after an upgrade. */
export interface UpgradedSocket {
  readonly socket: Duplex
  /** Bytes that arrived after the request. */
  readonly head: Buffer
}

export function upgradeOf(
  request: IncomingMessage,
  { socket, head }: UpgradedSocket,
  reply: ServerResponse,
  requests: FramedRequests,
  isStopping: () => boolean,
): Upgrade {
  return {
    requests,
    get isUnwelcome() {
      return isStopping()
    },
    accept: ({ maxFrame, protocol, headers, gate }) => {
      reply.detachSocket(socket as Socket)
      const options = {
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload: maxFrame,
        closeTimeout: CLOSE_TIMEOUT_MS,
        handleProtocols: () => protocol ?? false,
      }
      const server = new WebSocketServer(options)
      server.on('headers', (lines) => {
        for (let i = 0; i + 1 < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
      })
      let accepted: FrameSocket | undefined
      server.handleUpgrade(request, socket, head, (opened) => {
        accepted = new FrameSocket(opened)
        if (gate === undefined) return
        const before = new FrameGate(gate)
        // The reader has failed, and must not be fed any more.
        opened.on('error', () => before.end())
        standBefore(socket, before)
      })
      return accepted
    },
  }
}

/** The reader of frames listens to the socket; from now on, the gate listens instead and calls the reader. */
function standBefore(socket: Duplex, gate: FrameGate): void {
  const readers = socket.listeners('data')
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    gate.pass(chunk, (piece) => {
      for (const read of readers) Reflect.apply(read, socket, [piece])
    })
  })
}
