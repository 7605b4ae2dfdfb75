import type { ChatMessage } from '../model/message.ts'
import type { ReplyEnd } from './playground.ts'
import type { ArrivedReply } from './running-reply.ts'

type ReplyPosition = Pick<ChatMessage, 'id' | 'parent' | 'timestamp'> & { readonly model: string }

/** A reply as it stays in the conversation, even if only a part of it arrived. */
export function replyMessage(
  position: ReplyPosition,
  { text, reasoning, figures }: ArrivedReply,
  end?: ReplyEnd,
): ChatMessage {
  const finish = end?.kind === 'complete' && end.finish !== '' ? { finish: end.finish } : {}
  return {
    ...position,
    role: 'assistant',
    content: text,
    reasoning_content: reasoning === '' ? null : reasoning,
    figures: { ...figures, ...finish },
  }
}

/** What replaces a reply that failed: the reason, and what had arrived of it. */
export function errorMessage(
  position: ReplyPosition,
  { text, reasoning, figures }: ArrivedReply,
  why: string,
): ChatMessage {
  return {
    ...position,
    role: 'error',
    content: why,
    reasoning_content: reasoning === '' ? null : reasoning,
    error: true,
    figures,
    ...(text === '' ? {} : { arrived: text }),
  }
}
