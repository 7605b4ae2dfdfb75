import * as v from 'valibot'

const textPart = v.object({ type: v.literal('text'), text: v.string() })
/** `url` contains the picture itself: `data:image/jpeg;base64,…`. */
const imagePart = v.object({
  type: v.literal('image_url'),
  image_url: v.object({ url: v.pipe(v.string(), v.startsWith('data:image/')) }),
})
export const messageContent = v.union([v.string(), v.array(v.variant('type', [textPart, imagePart]))])

/** As it is sent: plain text, or parts if it includes pictures. */
export type MessageContent = v.InferOutput<typeof messageContent>
export type ContentPart = Exclude<MessageContent, string>[number]

const replyFigures = v.object({
  /** `X-Request-Id` of the answer, 32 hex characters; '' when no answer arrived. Links to receipt and log. */
  requestId: v.string(),
  /** Milliseconds from sending to the first text or reasoning; absent when none arrived. */
  firstTokenMs: v.optional(v.number()),
  /** Milliseconds from sending to the end. */
  totalMs: v.number(),
  /** The model's reason for ending the reply; `length` when it reached its token limit. */
  finish: v.optional(v.string()),
  /** Input tokens of every class. This and the next two fields come from the receipt, and are absent without one. */
  promptTokens: v.optional(v.number()),
  /** Reasoning included. */
  completionTokens: v.optional(v.number()),
  /** What was charged, in quota points as exact decimal text. */
  cost: v.optional(v.string()),
})
export type ReplyFigures = v.InferOutput<typeof replyFigures>

export const chatMessage = v.object({
  id: v.string(),
  /** The message that this one follows; null begins the conversation. Messages with the same parent are branches. */
  parent: v.nullable(v.string()),
  role: v.picklist(['user', 'assistant', 'system', 'error']),
  content: messageContent,
  reasoning_content: v.nullable(v.string()),
  /** The model that was asked, for replies and for errors in place of a reply. */
  model: v.optional(v.string()),
  timestamp: v.number(),
  /** Only for the role `error`. */
  error: v.optional(v.literal(true)),
  /** Only for the role `error`: the part of the reply's text that had arrived; its reasoning is in `reasoning_content`. */
  arrived: v.optional(v.string()),
  figures: v.optional(replyFigures),
})
export type ChatMessage = v.InferOutput<typeof chatMessage>

export const conversation = v.object({
  id: v.string(),
  /** When the conversation began, in unix milliseconds. */
  timestamp: v.number(),
  /** Name of the user, or 'unknown'. */
  createdBy: v.string(),
  /** The messages of all branches, in the order in which they were added. */
  messages: v.array(chatMessage),
  /** End of the shown branch of each column; there are two while two models are compared. Null while a column shows nothing yet. */
  leaves: v.pipe(v.array(v.nullable(v.string())), v.minLength(1), v.maxLength(2)),
  /** Given by the user; '' uses the first question. */
  title: v.optional(v.string(), ''),
})
export type Conversation = v.InferOutput<typeof conversation>

export function newConversation(
  of: Pick<Conversation, 'id' | 'timestamp' | 'createdBy'>,
  columns: number,
): Conversation {
  return { ...of, messages: [], leaves: Array.from({ length: columns }, () => null), title: '' }
}

export function textOf(content: MessageContent): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

export function imagesOf(content: MessageContent): readonly string[] {
  if (typeof content === 'string') return []
  return content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))
}

/** A plain string if there are no pictures. */
export function contentOf(text: string, images: readonly string[]): MessageContent {
  if (images.length === 0) return text
  const parts: ContentPart[] = images.map((url) => ({ type: 'image_url', image_url: { url } }))
  return text === '' ? parts : [{ type: 'text', text }, ...parts]
}
