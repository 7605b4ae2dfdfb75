import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Refusal } from '@sluice/contract/errors'
import { WebSocketServer } from 'ws'
import { CLOSE_TIMEOUT_MS, FrameSocket } from '../outbound/frame-socket.ts'
import { FrameGate, type FrameGateOptions } from './frame-gate.ts'

/** Memory that counts against the share of its owner. */
export interface MemoryClaim {
  /** Takes more, or gives back the excess; a refusal changes nothing. */
  hold(bytes: number): Refusal | undefined
  /** Like `hold`, but in addition to what is already held. */
  holdMore(bytes: number): Refusal | undefined
  /** Releases everything and ends the claim. */
  release(): void
}

interface MemoryOwner {
  readonly userId: number
}

/** The limits that many requests on one websocket share with requests on sockets of their own. */
export interface FramedRequests {
  /** Bytes. */
  readonly bodyLimit: number
  /** Claims memory for one request body from the budget of all bodies. */
  claimBody(owner: MemoryOwner): MemoryClaim
  /** Claims memory for one answer from the budget of all answers. */
  claimAnswer(owner: MemoryOwner): MemoryClaim
  /** Claims memory, from a separate budget, for the data that a connection keeps between its requests. */
  claimMemory(owner: MemoryOwner): MemoryClaim
  refusal(): Refusal | undefined
}

export interface Upgrade {
  /** Completes the handshake; call at most once. Undefined when the client has left, or an invalid handshake was refused. */
  accept(options: {
    /** Largest message in bytes. */
    readonly maxFrame: number
    /** One that the client offers. */
    readonly protocol: string | undefined
    /** Flat list of names and values. */
    readonly headers: readonly string[]
    /** Drops messages by their announced length as they arrive. */
    readonly gate?: FrameGateOptions
  }): FrameSocket | undefined
  /** The gateway will stop soon: connections that can end should end. */
  readonly isUnwelcome: boolean
  readonly requests: FramedRequests
}

/** True only for websockets; requests for other upgrades are answered as plain requests. */
export function wantsWebsocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** A plain reply on the socket of an upgrade. Refusals use it, so they look like all others. */
export function replyOn(socket: Duplex, request: IncomingMessage): ServerResponse {
  const reply = new ServerResponse(request)
  reply.shouldKeepAlive = false
  reply.assignSocket(socket as Socket)
  reply.once('finish', () => (socket as Socket).destroySoon())
  socket.on('error', () => socket.destroy())
  return reply
}

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
        // The reader has failed and must get no more input.
        opened.on('error', () => before.end())
        standBefore(socket, before)
      })
      return accepted
    },
  }
}

/** The reader of frames listens to the socket. After this call, the gate listens instead and calls the reader. */
function standBefore(socket: Duplex, gate: FrameGate): void {
  const readers = socket.listeners('data')
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    gate.pass(chunk, (piece) => {
      for (const read of readers) Reflect.apply(read, socket, [piece])
    })
  })
}
