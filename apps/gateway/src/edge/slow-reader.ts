import type { Reply } from './exchange.ts'

/** Call after `end`: disconnects a client that reads nothing for `ms`, because unread answers would fill the memory. */
export function cutSlowReader(reply: Pick<Reply, 'writableLength' | 'setTimeout' | 'destroy'>, ms: number): void {
  if (reply.writableLength > 0) reply.setTimeout(ms, () => void reply.destroy())
}

/** Like `cutSlowReader`, for a reply written in small parts. Call before the first write. */
export function cutStalledReader(reply: Pick<Reply, 'writableLength' | 'setTimeout' | 'destroy'>, ms: number): void {
  reply.setTimeout(ms, () => {
    if (reply.writableLength > 0) reply.destroy()
  })
}
