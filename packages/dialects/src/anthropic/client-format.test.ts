import { expect, test } from 'vitest'
import { messagesFormat } from './client-format.ts'

const said = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const error = { message: 'No.', type: 'invalid_request_error', code: 'model_not_found' }

test('an error has the type of its status, and names the request twice', () => {
  expect(JSON.parse(said(messagesFormat.encodeError(error, 404, 'r1')))).toEqual({
    type: 'error',
    error: { type: 'not_found_error', message: 'No. (request id: r1)', code: 'model_not_found' },
    request_id: 'r1',
  })
})

test.each([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [413, 'request_too_large'],
  [422, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [502, 'api_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])('status %i is reported as %s', (status, type) => {
  const encoded = JSON.parse(
    said(messagesFormat.encodeError({ ...error, type: 'server_error' }, status, 'r')),
  ) as object
  expect(encoded).toMatchObject({ error: { type } })
})

test('the provider’s own type says more than the status', () => {
  const own = { message: 'Overloaded', type: 'overloaded_error', code: null }
  expect(said(messagesFormat.encodeStreamError(own, 502, 'r'))).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded (request id: r)"},"request_id":"r"}\n\n',
  )
})

test('what the deltas say is collected for counting, and nothing else', () => {
  const text = messagesFormat.openText()
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Say "text": \\ ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'text' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"text":1}' } },
  ]
  for (const event of events) {
    text.add(new TextEncoder().encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
  }
  expect(text.finish()).toEqual({ text: 'Say "text": \\ hm {"text":1}', beyondBytes: 0 })
})
