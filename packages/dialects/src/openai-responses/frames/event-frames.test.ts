import { expect, test } from 'vitest'
import { createFrame, encodeErrorFrame, framesOf, onStream } from './event-frames.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const texts = (frames: readonly Uint8Array[]) => frames.map((frame) => new TextDecoder().decode(frame))

test.each([
  ['one event', 'event: a\ndata: {"a":1}\n\n', ['{"a":1}']],
  ['several at once', 'event: a\ndata: {"a":1}\n\nevent: b\ndata:{"b":"é"}\n\n', ['{"a":1}', '{"b":"é"}']],
  ['data before its name', 'data: {"a":1}\nevent: a\n\n', ['{"a":1}']],
  ['comments', ': ping\n\n:\ndata: {"a":1}\n\n', ['{"a":1}']],
  ['lines that end as on other systems', 'data: {"a":1}\r\n\r\ndata: {"b":1}\r\n\r\n', ['{"a":1}', '{"b":1}']],
  ['data in several lines', 'data: {"a":\ndata: 1}\n\ndata: {"b":1}\n\n', ['{"a":\n1}', '{"b":1}']],
  ['an end without JSON', 'data: {"a":1}\n\ndata: [DONE]\n\n', ['{"a":1}']],
  ['nothing', '', []],
])('%s', (_, events, frames) => {
  expect(texts(framesOf(bytes(events)))).toEqual(frames)
})

test('a frame says which stream it belongs to', () => {
  const [frame] = texts([onStream(bytes('{"type":"a"}'), 'my "stream"')])
  expect(JSON.parse(frame ?? '')).toEqual({ stream_id: 'my "stream"', type: 'a' })
})

test('an error has a status, and says when to try again', () => {
  const error = { message: 'Wait.', type: 'rate_limit_error', code: null, param: null }
  const [frame] = texts([encodeErrorFrame(error, 429, '3')])
  expect(JSON.parse(frame ?? '')).toEqual({
    type: 'error',
    status: 429,
    error: { ...error, code: 'rate_limit_error' },
    headers: { 'retry-after': '3' },
  })
})

const frameOf = (body: string) => Buffer.concat(createFrame(Buffer.from(body))).toString()

test.each([
  ['{"model":"m","input":"x","stream":true}', '{"type":"response.create","model":"m","input":"x"}'],
  ['{"stream":true,"model":"m"}', '{"type":"response.create","model":"m"}'],
  [
    ' { "model" : "m" , "stream" : true , "n" : 1e400 } ',
    ' {"type":"response.create", "model" : "m" ,  "n" : 1e400 } ',
  ],
  ['{"model":"m"}', '{"type":"response.create","model":"m"}'],
  ['{"model":"m","input":[{"stream":true}]}', '{"type":"response.create","model":"m","input":[{"stream":true}]}'],
])('%s', (body, frame) => {
  expect(frameOf(body)).toBe(frame)
})
