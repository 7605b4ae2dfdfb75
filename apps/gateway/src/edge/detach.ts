import type { IncomingMessage } from 'node:http'
import type { BodyClaim } from '../body-memory.ts'
import type { Accepted } from './exchange.ts'
import { type KeptReply, openKeptReply } from './kept-reply.ts'
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

/** `claim` is the memory of its body, which it takes over; `openAnswer` makes that of its answer. */
export function detach(
  accepted: Accepted,
  request: IncomingMessage,
  exchanges: OpenExchanges,
  claim: BodyClaim | undefined,
  openAnswer: (userId: number) => BodyClaim,
): Detached {
  let answer: BodyClaim | undefined
  const abort = new AbortController()
  const reply = openKeptReply(request)
  const endings: (() => void)[] = []
  let giveUp: (() => void) | undefined
  const interrupt = (reason: Error): void => {
    abort.abort(reason)
    giveUp?.()
  }
  const leave = exchanges.add({ abort: interrupt })
  return {
    accepted: {
      ...accepted,
      signal: abort.signal,
      reply,
      upgrade: undefined,
      replyHeaders: [],
      readBody: () => Promise.reject(new Error('the body was read before')),
      interrupt,
      holdAnswer: ({ userId }, bytes) => (answer ??= openAnswer(userId)).hold(bytes),
      claimBody: (bytes) => accepted.claimBody(bytes) ?? claim?.holdMore(bytes),
      atEnd: (task) => void endings.push(task),
      atStop: (task) => void (giveUp = task),
    },
    reply,
    stop: () => {
      reply.destroy()
      interrupt(new Error('nobody wants the answer'))
    },
    end: () => {
      for (const task of endings) task()
      claim?.release()
      answer?.release()
      leave()
    },
  }
}
