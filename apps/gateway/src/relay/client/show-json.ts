import type { Refusal } from '@sluice/contract/errors'
import type { Accepted } from '../../edge/exchange.ts'

/**
 * Sends JSON that does not come from a provider, or that is already serialized. Pass `owner` if the JSON can be large: its memory
 * then counts, and can be refused, like that of an answer.
 */
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
