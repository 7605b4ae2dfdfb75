import { type AnswerStream, openAnswerStream } from '../../framing/answer-stream.ts'
import { ChatSniffer } from './chat-sniffer.ts'

/**
 * Opens the relay of one stream of chat or text completions. Without `usageAsked` the usage-only chunk (`choices: []` with a usage)
 * is removed; a usage inside a chunk with choices is left alone. `n`: how many choices were requested.
 */
export function openChatStream({ wantsUsage, n }: { readonly wantsUsage: boolean; readonly n?: number }): AnswerStream {
  return openAnswerStream(new ChatSniffer(wantsUsage, n))
}
