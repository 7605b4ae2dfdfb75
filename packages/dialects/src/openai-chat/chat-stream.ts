import { type AnswerStream, openAnswerStream } from '../framing/answer-stream.ts'
import { ChatSniffer } from './chat-sniffer.ts'

/**
 * Opens the relay of one stream of chat or text completions. Without `usageAsked` the usage-only chunk (`choices: []` with
 * a usage) is removed; a usage inside a chunk with choices is left alone.
 */
export function openChatStream(options: { readonly usageAsked: boolean }): AnswerStream {
  return openAnswerStream(new ChatSniffer(options.usageAsked))
}
