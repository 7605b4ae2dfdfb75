import { expect, test } from 'vitest'
import { identifyChat } from './identify.ts'

const identify = (body: string): unknown => identifyChat(new TextEncoder().encode(body))

// S8: what is checked must be what is served. JSON readers disagree about repeated keys, so they never pass.
test.each([
  ['model', '{"model":"cheap","messages":[1],"model":"dear"}'],
  ['model', '{"model":"cheap","messages":[1],"\\u006dodel":"dear"}'],
  ['max_tokens', '{"model":"m","messages":[1],"max_tokens":1,"max_tokens":100000}'],
  ['n', '{"n":1,"model":"m","messages":[1],"n":100}'],
  ['messages', '{"model":"m","messages":[1],"messages":[2]}'],
  [
    'stream_options.include_usage',
    '{"model":"m","messages":[1],"stream":true,"stream_options":{"include_usage":true,"include_usage":false}}',
  ],
])('a repeated %s is refused', { tags: 'S8' }, (field, body) => {
  expect(identify(body)).toStrictEqual({ code: 'duplicate_key', params: { field }, field })
})

// S23: an output cap that upstreams read as "no cap" must not shrink the hold.
test('a cap of 0 does not count as a cap', { tags: 'S23' }, () => {
  expect(identify('{"model":"m","messages":[1],"max_tokens":0}')).toMatchObject({ maxOutput: undefined })
})

// S27: nesting must not exhaust the stack.
test('a body of a million brackets is refused, not crashed on', { tags: 'S27' }, () => {
  expect(identify(`{"model":"m","messages":${'['.repeat(1_000_000)}`)).toMatchObject({ code: 'invalid_json' })
})

// S23: text under a text key is prompt, whatever it starts with: otherwise a prompt could hide from the hold.
test('text that looks like an image is counted as text', { tags: 'S23' }, () => {
  const text = `data:image/png;base64,${'A'.repeat(10_000)}`
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text }] }] })
  expect(identify(body)).toMatchObject({ media: { count: 0, bytes: 0 } })
})
