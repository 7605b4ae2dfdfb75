import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type Accepted, Exchange, type ExchangeMeans, type ExchangeMemory } from './exchange.ts'
import type { OpenExchanges } from './open-exchanges.ts'

/** A request that continues after its client has its answer. It counts as open, and a stopping gateway waits for it. */
export interface Detached {
  readonly accepted: Accepted
  readonly reply: KeptReply
  /** Stops the request as if its client had left and nobody read the rest of the answer. */
  stop(): void
  /** Releases the resources of the request; call once, after all work on it has ended. */
  end(): void
}

/** The detached request takes over `memory`, the memory of its body. */
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

/** The reply to a request whose client does not wait: nothing is sent, and only the end of the reply is kept. */
class KeptReply extends ServerResponse {
  /** The data that ended the reply: a whole body, or the last event of a stream. */
  ending: Uint8Array = new Uint8Array(0)

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (chunk instanceof Uint8Array) this.ending = chunk
    return super.end(chunk, encoding as BufferEncoding, callback as () => void)
  }
}

/** `request` only determines the HTTP version in which the reply would be written. */
function openKeptReply(request: IncomingMessage): KeptReply {
  const reply = new KeptReply(request)
  const nowhere = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  reply.shouldKeepAlive = false
  reply.assignSocket(nowhere as Socket)
  reply.once('finish', () => nowhere.destroy())
  return reply
}
