import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordedStreams } from '../../../tests/recorded/answers/read.ts'
import { MessageSniffer } from '../src/anthropic/events/message-sniffer.ts'
import type { ChatDialect } from '../src/canon/parts.ts'
import { fold } from '../src/canon/reply.ts'
import { type AnswerStream, openAnswerStream } from '../src/framing/answer-stream.ts'
import { GeminiSniffer } from '../src/gemini/stream/gemini-sniffer.ts'
import { openChatStream } from '../src/openai-chat/stream/chat-sniffer.ts'
import { ResponseSniffer } from '../src/openai-responses/response-sniffer.ts'
import { answers } from './arbitrary/answers.ts'
import { cut, sse } from './arbitrary/event-bytes.ts'
import { harmedStreams } from './arbitrary/hostile.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'
import { eventsOf, framesOf, joined, streamOf } from './views.ts'

const OPEN: Partial<Record<ChatDialect, () => AnswerStream>> = {
  'openai-chat': () => openChatStream({ wantsUsage: true }),
  'openai-responses': () => openAnswerStream(new ResponseSniffer()),
  'anthropic-messages': () => openAnswerStream(new MessageSniffer()),
  gemini: () => openAnswerStream(new GeminiSniffer()),
}

function pass(dialect: ChatDialect, chunks: readonly Uint8Array[]) {
  const stream = OPEN[dialect]?.()
  if (stream === undefined) throw new Error(`nothing watches ${dialect}`)
  const sent = chunks.flatMap((chunk) => stream.push(chunk).map((piece) => piece.slice()))
  const { outcome, forward } = stream.end()
  const text = new TextDecoder().decode(joined([...sent, ...forward, stream.terminal]))
  return { text, outcome, counts: stream.report?.counts, failed: stream.error?.message }
}

describe.each(CLIENT_DIALECTS)('a stream of $dialect that passes', ({ client, upstream, answers: features }) => {
  const { dialect } = client

  test('is untouched, complete, and its usage is what the decoder reads, however it is cut', () => {
    fc.assert(
      fc.property(answers(features), fc.array(fc.nat(), { maxLength: 6 }), ({ events, counts }, places) => {
        const bytes = streamOf(client, events, counts)
        const passed = pass(dialect, cut(bytes, places))
        expect(passed.text).toBe(new TextDecoder().decode(bytes))
        const { usage } = fold(eventsOf(upstream.openDecoder(), framesOf(bytes)))
        expect(passed).toMatchObject({ outcome: 'complete', counts: usage?.counts, failed: undefined })
      }),
      { numRuns: 300 },
    )
  })

  test('is read the same however it is cut, whatever the provider does', () => {
    fc.assert(
      fc.property(harmedStreams(recordedStreams(dialect)), fc.array(fc.nat(), { maxLength: 6 }), (frames, places) => {
        const bytes = new TextEncoder().encode(frames.map(sse).join(''))
        expect(pass(dialect, cut(bytes, places))).toStrictEqual(pass(dialect, [bytes]))
      }),
      { numRuns: 300 },
    )
  })

  test('counts as complete or failed exactly when the decoder says so, wherever the provider breaks off', () => {
    for (const stream of recordedStreams(dialect)) {
      for (let length = 0; length <= stream.length; length++) {
        const bytes = new TextEncoder().encode(stream.slice(0, length).map(sse).join(''))
        const { finish, error } = fold(eventsOf(upstream.openDecoder(), framesOf(bytes)))
        const { outcome, failed } = pass(dialect, [bytes])
        expect({ complete: outcome === 'complete', failed: failed !== undefined }).toStrictEqual({
          complete: finish !== undefined,
          failed: error !== undefined,
        })
      }
    }
  })
})
