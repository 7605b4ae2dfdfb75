import type { Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'

/** For JSON not from a provider, or already serialized. With `owner`, the JSON's memory counts, and can be refused. */
export function showJson(accepted: Accepted, answer: object, owner?: { readonly userId: number }): Refusal | undefined {
  const { reply, replyHeaders } = accepted
  if (reply.destroyed) return undefined
  const text = Buffer.isBuffer(answer) ? answer : Buffer.from(JSON.stringify(answer))
  const refusal = owner && accepted.holdAnswer(owner, text.length)
  if (refusal !== undefined) return refusal
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(text.length)]
  reply.writeHead(200, [...replyHeaders, ...head]).end(text)
  return undefined
}
