import type { Refusal } from '@sluice/contract/errors'
import { isBodyRefusal } from '@sluice/dialects/body-refusal'
import { type ChatRequest, identifyChat } from '@sluice/dialects/openai-chat/identify'
import type { Accepted } from '../edge/exchange.ts'

/** A chat request whose shape is known: step 2 of ten. */
export interface Identified {
  readonly accepted: Accepted
  /** The bytes as they came; never changed, so every candidate can be sent its own version of them. */
  readonly body: Buffer
  readonly chat: ChatRequest
}

/** JSON, with any parameters; a missing Content-Type is taken for JSON, as simple clients leave it out. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** Reads what the gateway must know of a body. The rest passes through unseen. */
export function identify(accepted: Accepted, body: Buffer): Identified | Refusal {
  const type = accepted.headers['content-type']
  if (type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) {
    return { code: 'unsupported_content_type', params: { got: type.slice(0, 100) } }
  }
  const chat = identifyChat(body)
  return isBodyRefusal(chat) ? chat : { accepted, body, chat }
}
