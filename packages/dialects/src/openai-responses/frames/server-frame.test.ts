import { expect, test } from 'vitest'
import { readServerFrame } from './server-frame.ts'

const read = (frame: string) => {
  const found = readServerFrame(new TextEncoder().encode(frame))
  return 'event' in found ? { ...found, event: new TextDecoder().decode(found.event) } : found
}

test('a frame is the event that a stream would have', () => {
  expect(read('{"type":"response.output_text.delta","delta":"é"}')).toEqual({
    kind: 'event',
    event: 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"é"}\n\n',
  })
})

test.each([
  ['{"delta":"x", "type":"response.output_text.delta"}', 'event'],
  ['{"type":"odd\\nname"}', 'event'],
  ['{"type":7}', 'fault'],
  ['{"type":""}', 'fault'],
  ['[]', 'fault'],
  ['{"delta":', 'fault'],
  ['', 'fault'],
])('%s is read as what it is', (frame, kind) => {
  expect(read(frame).kind).toBe(kind)
})

test('line breaks between the members of a frame do not break the event', () => {
  const { event } = read('{\r\n "type": "response.created",\n "response": {}\n}') as { event: string }
  expect(event).toBe('event: response.created\ndata: {   "type": "response.created",  "response": {} }\n\n')
})

test('a name with a line break in it does not get into the event', () => {
  expect(read('{"type":"odd\\nname"}')).toEqual({ kind: 'event', event: 'data: {"type":"odd\\nname"}\n\n' })
})

test.each([
  ['{"type":"response.completed","response":{"output":[],"id":"resp_1"}}', 'resp_1'],
  ['{"response":{"id":"resp_2"},"type":"response.completed"}', 'resp_2'],
  ['{"type":"response.incomplete","response":{"id":"resp_5"}}', ''],
  ['{"type":"response.failed","response":{"id":"resp_3"}}', ''],
  ['{"type":"response.cancelled","response":{"id":"resp_4"}}', ''],
  ['{"type":"response.completed"}', ''],
  ['{"type":"response.completed","response":7}', ''],
])('%s ends a response, which can be continued from "%s"', (frame, id) => {
  expect(read(frame)).toMatchObject({ kind: 'last', id })
})

test('an error has the status, the headers and the body that a POST would have', () => {
  const frame = {
    type: 'error',
    status: 429,
    error: { type: 'rate_limit_error', code: 'slow_down', message: 'Wait.' },
    headers: { 'Retry-After': 3, 'x-ratelimit-remaining-tokens': '0', odd: null },
  }
  expect(read(JSON.stringify(frame))).toMatchObject({
    kind: 'error',
    status: 429,
    code: 'slow_down',
    headers: { 'retry-after': '3', 'x-ratelimit-remaining-tokens': '0' },
    body: '{"error":{"type":"rate_limit_error","code":"slow_down","message":"Wait."}}',
  })
})

test('an error can have its members at the top, and no status', () => {
  expect(read('{"type":"error","sequence_number":3,"code":"odd","message":"No.","param":null}')).toMatchObject({
    kind: 'error',
    status: 0,
    code: 'odd',
    body: '{"error":{"code":"odd","message":"No.","param":null}}',
  })
  expect(read('{"type":"error","status":200}')).toMatchObject({ kind: 'error', status: 0, code: '' })
})
