import type { ServerResponse } from 'node:http'

/**
 * Call after `end`: when the client has not taken all of the reply at once, it is cut as soon as it takes nothing for `ms`.
 * Otherwise whoever asks for large answers and never reads them would fill the memory.
 */
export function cutSlowReader(reply: ServerResponse, ms: number): void {
  if (reply.writableLength > 0) reply.setTimeout(ms, () => void reply.destroy())
}
