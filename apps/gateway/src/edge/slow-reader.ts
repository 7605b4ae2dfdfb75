import type { Reply } from './exchange.ts'

/**
 * Call after `end`: a client that has not read all of the reply by then is cut as soon as it reads nothing for `ms`. Otherwise
 * clients that request large answers and never read them would fill the memory.
 */
export function cutSlowReader(reply: Pick<Reply, 'writableLength' | 'setTimeout' | 'destroy'>, ms: number): void {
  if (reply.writableLength > 0) reply.setTimeout(ms, () => void reply.destroy())
}

/** Call before anything is written: the same for a reply that is written little by little. */
export function cutStalledReader(reply: Pick<Reply, 'writableLength' | 'setTimeout' | 'destroy'>, ms: number): void {
  reply.setTimeout(ms, () => {
    if (reply.writableLength > 0) reply.destroy()
  })
}
