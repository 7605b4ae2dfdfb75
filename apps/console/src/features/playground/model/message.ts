import * as v from 'valibot'

const textPart = v.object({ type: v.literal('text'), text: v.string() })
/** `url` contains the picture itself: `data:image/jpeg;base64,…`. */
const imagePart = v.object({
  type: v.literal('image_url'),
  image_url: v.object({ url: v.pipe(v.string(), v.startsWith('data:image/')) }),
})
export const messageContent = v.union([v.string(), v.array(v.variant('type', [textPart, imagePart]))])

/** Plain text, or parts if it includes pictures; as it is sent. */
export type MessageContent = v.InferOutput<typeof messageContent>
export type ContentPart = Exclude<MessageContent, string>[number]

/** What is known about how a reply was produced. */
const replyFigures = v.object({
  /** `X-Request-Id` of the answer, 32 hex characters; '' when no answer arrived. Links to receipt and log. */
  requestId: v.string(),
  /** Milliseconds from sending to the first text or reasoning; absent when none arrived. */
  firstTokenMs: v.optional(v.number()),
  /** Milliseconds from sending to the end. */
  totalMs: v.number(),
  /** The model's reason for ending the reply; `length` when it had reached its token limit. */
  finish: v.optional(v.string()),
  /** Input tokens of every class, from the receipt, like the next two fields. Absent while there is no receipt. */
  promptTokens: v.optional(v.number()),
  /** Reasoning included. */
  completionTokens: v.optional(v.number()),
  /** What was charged: quota points as exact decimal text. */
  cost: v.optional(v.string()),
})
export type ReplyFigures = v.InferOutput<typeof replyFigures>

export const chatMessage = v.object({
  id: v.string(),
  /** The message it follows; null begins the conversation. Several messages with the same parent are branches. */
  parent: v.nullable(v.string()),
  role: v.picklist(['user', 'assistant', 'system', 'error']),
  content: messageContent,
  reasoning_content: v.nullable(v.string()),
  /** For replies, and errors in place of a reply: the model that was asked. */
  model: v.optional(v.string()),
  /** Unix milliseconds. */
  timestamp: v.number(),
  /** Only for the role `error`. */
  error: v.optional(v.literal(true)),
  /** Only for the role `error`: what had arrived of the reply's text; its reasoning is in `reasoning_content`. */
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
  /** End of the branch that is shown, per column: two while two models are compared. Null while a column shows nothing yet. */
  leaves: v.pipe(v.array(v.nullable(v.string())), v.minLength(1), v.maxLength(2)),
  /** Given by the user; '' uses the first question. */
  title: v.optional(v.string(), ''),
})
export type Conversation = v.InferOutput<typeof conversation>

/** A new conversation without messages and with the same number of columns. */
export function newConversation(
  of: Pick<Conversation, 'id' | 'timestamp' | 'createdBy'>,
  columns: number,
): Conversation {
  return { ...of, messages: [], leaves: Array.from({ length: columns }, () => null), title: '' }
}

/** The text of a message's content, without its pictures. */
export function textOf(content: MessageContent): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** The pictures of a message's content as `data:` addresses. */
export function imagesOf(content: MessageContent): readonly string[] {
  if (typeof content === 'string') return []
  return content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))
}

/** Text and pictures as message content: a plain string if there are no pictures. */
export function contentOf(text: string, images: readonly string[]): MessageContent {
  if (images.length === 0) return text
  const parts: ContentPart[] = images.map((url) => ({ type: 'image_url', image_url: { url } }))
  return text === '' ? parts : [{ type: 'text', text }, ...parts]
}
