import type { Encoded, Inexpressible, Target, UpstreamCodec } from '../canon/codec.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { Losses } from '../canon/losses.ts'
import type { ImagePart, Part, Turn } from '../canon/parts.ts'
import { loseTheRest } from '../canon/plain-talk.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeReply, openDecoder } from './coze-answer.ts'

export const cozeUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'coze',
  encodeRequest,
  openDecoder,
  decodeReply,
})

/**
 * Coze's `POST /v3/chat`. The model is a bot (`bot-…` or its bare id), which has its own settings. The system prompt is prepended
 * to the first message, because Coze has no member for it. Coze only streams; the channel's user id is added later. Source: Coze's
 * API, v3.
 */
function encodeRequest(request: CanonRequest, { model }: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const messages: JsonObject[] = []
  for (const [index, turn] of request.turns.entries()) {
    const message = encodeTurn(turn, index, losses)
    if ('rule' in message) return message as Inexpressible
    messages.push(message)
  }
  if (request.system.length > 0) {
    losses.changed('messages[system]')
    const text = request.system.map((part) => part.text).join('\n')
    messages.unshift({ role: 'user', type: 'question', content_type: 'text', content: text })
  }
  loseTheRest(request, { sampling: [], maxTokens: false }, losses)
  const body = {
    bot_id: model.replace(/^bot-/, ''),
    stream: true,
    auto_save_history: false,
    additional_messages: messages,
  }
  return { body, losses: losses.list() }
}

function encodeTurn({ role, parts }: Turn, index: number, losses: Losses): JsonObject | Inexpressible {
  if (role === 'tool')
    return { field: `messages[${index}]`, rule: 'must not be a tool result: Coze runs the tools of its bots itself' }
  // Coze has no role for instructions in the middle of a conversation.
  if (role === 'system') losses.changed('messages[].role')
  const items: JsonObject[] = []
  for (const [at, part] of parts.entries()) {
    const item = encodePart(part)
    if (item === undefined) {
      const rule = `must be text or an image with a URL, not ${part.kind}`
      return { field: `messages[${index}].content[${at}]`, rule }
    }
    if (part.kind === 'reasoning') losses.dropped('reasoning_content')
    else items.push(item)
  }
  const isText = items.every(({ type }) => type === 'text')
  const said = role === 'assistant' ? { role, type: 'answer' } : { role: 'user', type: 'question' }
  return isText
    ? { ...said, content_type: 'text', content: items.map(({ text }) => text).join('\n') }
    : { ...said, content_type: 'object_string', content: JSON.stringify(items) }
}

function encodePart(part: Part): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return { type: 'text', text: part.text }
    case 'image':
      return encodeImage(part)
    default:
      return undefined
  }
}

/** Pictures must be uploaded or have an address. */
function encodeImage({ source }: ImagePart): JsonObject | undefined {
  return source.type === 'url' ? { type: 'image', file_url: source.url } : undefined
}
