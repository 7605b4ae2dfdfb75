import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type Accepted, Exchange, type ExchangeMeans, type ExchangeMemory } from './exchange.ts'
import type { OpenExchanges } from './open-exchanges.ts'

/** A request that goes on after its client has its answer. It counts as open, and a stopping gateway waits for it. */
export interface Detached {
  readonly accepted: Accepted
  readonly reply: KeptReply
  /** As if its client had left and nothing could be read on. */
  stop(): void
  /** Gives back what was taken for it; call once, when nothing works on it any more. */
  end(): void
}

/** `memory` is that of its body, which it takes over. */
export function detach(
  accepted: Accepted,
  request: IncomingMessage,
  exchanges: OpenExchanges,
  means: Omit<ExchangeMeans, 'read' | 'detach'>,
  memory: Pick<ExchangeMemory, 'body'>,
): Detached {
  const { id, received, method, path, query, headers, client } = accepted
  const reply = openKeptReply(request)
  const head = { id, received, method, path, query, headers, client, upgrade: undefined, replyHeaders: [] }
  const read = () => Promise.reject(new Error('the body was read before'))
  const exchange = new Exchange(head, reply, { ...means, read }, memory)
  const leave = exchanges.add({ abort: (reason) => exchange.interrupt(reason) })
  return {
    accepted: exchange,
    reply,
    stop: () => {
      reply.destroy()
      exchange.interrupt(new Error('nobody wants the answer'))
    },
    end: () => {
      exchange.end()
      exchange.release()
      leave()
    },
  }
}

/** The reply to a request whose client does not wait for it: nothing is sent, and only its end is kept. */
class KeptReply extends ServerResponse {
  /** What the reply was ended with: a whole body, or the last event of a stream. */
  ending: Uint8Array = new Uint8Array(0)

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (chunk instanceof Uint8Array) this.ending = chunk
    return super.end(chunk, encoding as BufferEncoding, callback as () => void)
  }
}

/** `request` says only in which version of HTTP the reply would be written. */
function openKeptReply(request: IncomingMessage): KeptReply {
  const reply = new KeptReply(request)
  const nowhere = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  reply.shouldKeepAlive = false
  reply.assignSocket(nowhere as Socket)
  reply.once('finish', () => nowhere.destroy())
  return reply
}
