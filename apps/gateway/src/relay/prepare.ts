import type { Refusal } from '@sluice/contract/errors'
import { splice } from '@sluice/dialects/splice/splice'
import type { Identified } from './identify.ts'
import type { Route } from './routing-table.ts'
import type { CallRequest } from './upstream-call.ts'

/**
 * The request for one candidate: step 6 of ten. It starts from the client's bytes each time, so nothing of one channel (its
 * model name, its system prompt) reaches the next. Client headers are not forwarded; what the provider needs is known.
 */
export function prepare(
  { body, asked }: Pick<Identified, 'body' | 'asked'>,
  route: Route,
  upstreamModel: string,
): CallRequest | Refusal {
  const splices = asked.edits(body, {
    model: upstreamModel,
    askUsage: !route.kind.quirks.includes('no-stream-options'),
    systemPrompt: route.channel.systemPrompt,
  })
  if ('code' in splices) return splices
  const { origin, path } = route.addressOf(asked.path)
  return {
    origin,
    path,
    headers: [...route.headers, ...asked.headers],
    body: splices.length === 0 ? body : Buffer.concat(splice(body, splices)),
    asked,
  }
}
