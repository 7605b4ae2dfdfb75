import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** The reply to a request whose client does not wait for it: nothing is sent, and only its end is kept. */
export class KeptReply extends ServerResponse {
  /** What the reply was ended with: a whole body, or the last event of a stream. */
  ending: Uint8Array = new Uint8Array(0)

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (chunk instanceof Uint8Array) this.ending = chunk
    return super.end(chunk, encoding as BufferEncoding, callback as () => void)
  }
}

/** `request` says only in which version of HTTP the reply would be written. */
export function openKeptReply(request: IncomingMessage): KeptReply {
  const reply = new KeptReply(request)
  const nowhere = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  reply.shouldKeepAlive = false
  reply.assignSocket(nowhere as Socket)
  reply.once('finish', () => nowhere.destroy())
  return reply
}
