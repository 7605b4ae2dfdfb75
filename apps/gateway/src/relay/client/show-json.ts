import type { Accepted } from '../../edge/exchange.ts'

/** Sends JSON that does not come from a provider, or that is already written. */
export function showJson({ reply, replyHeaders }: Accepted, answer: object): undefined {
  if (reply.destroyed) return undefined
  const text = Buffer.isBuffer(answer) ? answer : Buffer.from(JSON.stringify(answer))
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(text.length)]
  reply.writeHead(200, [...replyHeaders, ...head]).end(text)
  return undefined
}
