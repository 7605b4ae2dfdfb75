import { readFileSync } from 'node:fs'
import { eventsOf } from '../../../packages/dialects/laws/views.ts'
import type { UpstreamCodec } from '../../../packages/dialects/src/canon/codec.ts'
import type { AnswerEvent } from '../../../packages/dialects/src/canon/events.ts'
import type { ChatDialect } from '../../../packages/dialects/src/canon/parts.ts'
import { type CanonReply, fold } from '../../../packages/dialects/src/canon/reply.ts'
import { type RecordedAnswer, readAnswer, recordedAnswers } from '../../../tests/recorded/answers/read.ts'

export interface Recording {
  readonly name: string
  readonly events: readonly AnswerEvent[]
  readonly reply: CanonReply
}

/** Recorded for their prices, but also relevant here; paths below `tests/recorded`. */
const PRICED: Partial<Record<ChatDialect, readonly string[]>> = {
  'openai-chat': ['moonshot/chat.sse', 'deepseek/chat.sse', 'mistral/chat.json'],
  'openai-responses': ['openai/responses.json', 'openai/responses-web-search.json'],
  'anthropic-messages': ['anthropic/cache-written-for-an-hour.sse', 'anthropic/web-search.sse'],
  gemini: ['google/counts.sse'],
  'bedrock-converse': ['bedrock/cache-read.json'],
  cohere: ['cohere/chat.json'],
}

export function recordingsOf(codec: UpstreamCodec): readonly Recording[] {
  const priced = (PRICED[codec.dialect] ?? []).map((path) => {
    const bytes = readFileSync(new URL(`../../../tests/recorded/${path}`, import.meta.url))
    return readAnswer(path, bytes)
  })
  return [...recordedAnswers(codec.dialect), ...priced].map((answer) => read(codec, answer))
}

function read(codec: UpstreamCodec, answer: RecordedAnswer): Recording {
  const events = 'frames' in answer ? eventsOf(codec.openDecoder(), answer.frames) : codec.decodeReply(answer.reply)
  return { name: answer.name, events, reply: fold(events) }
}
