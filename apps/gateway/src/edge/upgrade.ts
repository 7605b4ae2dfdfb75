import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { CLOSE_TIMEOUT_MS, FrameSocket } from '../outbound/frame-socket.ts'

/** A request that wants to become a websocket. */
export interface Upgrade {
  /** Completes the handshake; call at most once. Undefined when the client has left, or a wrong handshake was refused. */
  accept(options: {
    /** Bytes of one message. */
    readonly maxFrame: number
    /** The protocol to agree on, of those that the client offers. */
    readonly protocol: string | undefined
    /** Flat list of names and values. */
    readonly headers: readonly string[]
  }): FrameSocket | undefined
  /** The gateway wants to stop: what can end should end. */
  readonly isUnwelcome: boolean
}

/** Only websockets; other upgrades are left alone and answered as plain requests. */
export function wantsWebsocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** A plain reply on the socket of an upgrade: for refusals, which then read like all others. */
export function replyOn(socket: Duplex, request: IncomingMessage): ServerResponse {
  const reply = new ServerResponse(request)
  reply.shouldKeepAlive = false
  reply.assignSocket(socket as Socket)
  reply.once('finish', () => (socket as Socket).destroySoon())
  // A client that is cut in the middle is not a failure of ours.
  socket.on('error', () => socket.destroy())
  return reply
}

/** What remains of a connection after an upgrade. */
export interface UpgradedSocket {
  readonly socket: Duplex
  /** Bytes that arrived after the request. */
  readonly head: Buffer
}

export function upgradeOf(
  request: IncomingMessage,
  { socket, head }: UpgradedSocket,
  reply: ServerResponse,
  isStopping: () => boolean,
): Upgrade {
  return {
    get isUnwelcome() {
      return isStopping()
    },
    accept: ({ maxFrame, protocol, headers }) => {
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
      server.handleUpgrade(request, socket, head, (opened) => (accepted = new FrameSocket(opened)))
      return accepted
    },
  }
}
