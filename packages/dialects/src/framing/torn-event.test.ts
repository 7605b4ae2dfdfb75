import { expect, test } from 'vitest'
import { MessageSniffer } from '../anthropic/events/message-sniffer.ts'
import { GeminiSniffer } from '../gemini/stream/gemini-sniffer.ts'
import { openChatDecoder } from '../openai-chat/decode-answer.ts'
import { ChatSniffer } from '../openai-chat/stream/chat-sniffer.ts'
import { ResponseSniffer } from '../openai-responses/response-sniffer.ts'
import { type AnswerSniffer, openAnswerStream } from './answer-stream.ts'
import { isTorn } from './torn-event.ts'

test('an object without its end is torn; whole ones, other values and empty data are not', () => {
  expect(['{"a":', ' {"a":{"b":1} ,', '{'].map(isTorn)).toEqual([true, true, true])
  expect(['{"a":1}', '{}\n', '', '[DONE]', 'ping', '[1,2'].map(isTorn)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ])
})

const CHAT = '{"choices":[{"index":0,"delta":{"content":"one"}}]}'

/** A valid event, a torn one and a valid end, in each dialect. */
const STREAMS: readonly (readonly [string, () => AnswerSniffer, sound: string, torn: string, end: string])[] = [
  ['chat', () => new ChatSniffer(true), `data: ${CHAT}`, `data: ${CHAT.slice(0, -9)}`, 'data: [DONE]'],
  [
    'messages',
    () => new MessageSniffer(),
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"one"}}',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_de',
    'event: message_stop\ndata: {"type":"message_stop"}',
  ],
  [
    'responses',
    () => new ResponseSniffer(),
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"one"}',
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","del',
    'event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed","output":[]}}',
  ],
  [
    'gemini',
    () => new GeminiSniffer(),
    'data: {"candidates":[{"content":{"parts":[{"text":"one"}]}}]}',
    'data: {"candidates":[{"content":{"parts":[{"te',
    'data: {"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}',
  ],
]

test.each(STREAMS)(
  '%s: what comes before a torn event is sent, and the answer does not count as complete',
  (...row) => {
    const [, open, sound, torn, end] = row
    for (const newline of ['\n', '\r\n']) {
      const text = [sound, torn, end, ''].join('\n\n').replaceAll('\n', newline)
      for (const size of [text.length, 7, 1]) {
        const stream = openAnswerStream(open())
        const bytes = new TextEncoder().encode(text)
        const sent: number[] = []
        for (let at = 0; at < bytes.length; at += size) {
          for (const piece of stream.push(bytes.subarray(at, at + size))) sent.push(...piece)
        }
        expect(stream.end().outcome).toBe('broken')
        expect(stream.error?.message).toBe('The provider sent an incomplete event.')
        expect(new TextDecoder().decode(Uint8Array.from(sent)).trim()).toBe(sound.replaceAll('\n', newline))
      }
    }
  },
)

test('a torn event ends an answer that is translated into another dialect', () => {
  const decoder = openChatDecoder({ thinkTags: false })
  decoder.push({ name: '', data: CHAT })
  expect(decoder.push({ name: '', data: CHAT.slice(0, -9) })).toMatchObject([{ type: 'error' }])
  expect(decoder.push({ name: '', data: '[DONE]' })).toEqual([])
})

test('a torn event is detected however its neighbours arrive', () => {
  const whole = 'data: {"candidates":[],"usageMetadata":{"promptTokenCount":12}}\n\n'
  for (const newline of ['\n', '\r\n']) {
    const bytes = new TextEncoder().encode(`data: {\n\n${whole}`.replaceAll('\n', newline))
    for (const size of [bytes.length, 1]) {
      const stream = openAnswerStream(new GeminiSniffer())
      for (let at = 0; at < bytes.length; at += size) stream.push(bytes.subarray(at, at + size))
      stream.end()
      expect(stream.error?.message).toBe('The provider sent an incomplete event.')
    }
  }
})
