import type { Reply } from './exchange.ts'

/**
 * Call after `end`: a client that has not read the whole reply by then is disconnected as soon as it reads nothing for `ms`.
 * Otherwise clients that request large answers and never read them would fill the memory.
 */
export function cutSlowReader(reply: Pick<Reply, 'writableLength' | 'setTimeout' | 'destroy'>, ms: number): void {
  if (reply.writableLength > 0) reply.setTimeout(ms, () => void reply.destroy())
}

/** Like `cutSlowReader`, for a reply that is written little by little. Call before anything is written. */
export function cutStalledReader(reply: Pick<Reply, 'writableLength' | 'setTimeout' | 'destroy'>, ms: number): void {
  reply.setTimeout(ms, () => {
    if (reply.writableLength > 0) reply.destroy()
  })
}
