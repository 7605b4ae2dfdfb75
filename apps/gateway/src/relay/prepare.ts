import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { rewriteChat } from '@sluice/dialects/openai-chat/rewrite'
import { splice } from '@sluice/dialects/splice/splice'
import type { Identified } from './identify.ts'
import type { Route } from './routing-table.ts'
import type { CallRequest } from './upstream-call.ts'

const ACCEPT_STREAM: readonly string[] = ['accept', 'text/event-stream']
const ACCEPT_JSON: readonly string[] = ['accept', 'application/json']

/**
 * The request for one candidate: step 6 of ten. It starts from the client's bytes each time, so nothing of one channel (its
 * model name, its system prompt) reaches the next. Client headers are not forwarded; what the provider needs is known.
 */
export function prepare(
  { body, chat }: Pick<Identified, 'body' | 'chat'>,
  route: Route,
  upstreamModel: string,
): CallRequest | Refusal {
  const { systemPrompt } = route.channel
  const splices = rewriteChat(body, chat, {
    model: upstreamModel,
    askUsage: !route.kind.quirks.includes('no-stream-options'),
    ...(systemPrompt === null ? {} : { systemPrompt }),
  })
  if (isBodyRefusal(splices)) return splices
  return {
    origin: route.address.origin,
    path: route.address.path,
    headers: [...route.headers, ...(chat.stream ? ACCEPT_STREAM : ACCEPT_JSON)],
    body: splices.length === 0 ? body : Buffer.concat(splice(body, splices)),
    streamed: chat.stream,
    usageAsked: chat.usageAsked,
  }
}
