import { type AnswerStream, openAnswerStream } from '../../framing/answer-stream.ts'
import { ChatSniffer } from './chat-sniffer.ts'

/**
 * Opens the relay of one stream of chat or text completions. Without `usageAsked` the usage-only chunk (`choices: []` with a usage)
 * is removed; a usage inside a chunk with choices is left alone, unless it is null and `dropsNull` is set. `n`: how many choices were
 * requested.
 */
export function openChatStream({ wantsUsage, n, dropsNull = false }: ChatStreamWish): AnswerStream {
  return openAnswerStream(new ChatSniffer(wantsUsage, n, dropsNull))
}

interface ChatStreamWish {
  readonly wantsUsage: boolean
  readonly n?: number
  readonly dropsNull?: boolean
}
