import type { ChatMessage } from '../model/message.ts'
import type { ReplyEnd } from './playground.ts'
import type { ArrivedReply } from './running-reply.ts'

type Place = Pick<ChatMessage, 'id' | 'parent' | 'timestamp'> & { readonly model: string }

/** A reply as it stays in the conversation, also when only a part of it arrived. */
export function replyMessage(place: Place, { text, reasoning, figures }: ArrivedReply, end?: ReplyEnd): ChatMessage {
  const finish = end?.kind === 'complete' && end.finish !== '' ? { finish: end.finish } : {}
  return {
    ...place,
    role: 'assistant',
    content: text,
    reasoning_content: reasoning === '' ? null : reasoning,
    figures: { ...figures, ...finish },
  }
}

/** What takes the place of a reply that failed: why, and what had arrived of it. */
export function errorMessage(place: Place, { text, reasoning, figures }: ArrivedReply, why: string): ChatMessage {
  return {
    ...place,
    role: 'error',
    content: why,
    reasoning_content: reasoning === '' ? null : reasoning,
    error: true,
    figures,
    ...(text === '' ? {} : { arrived: text }),
  }
}
