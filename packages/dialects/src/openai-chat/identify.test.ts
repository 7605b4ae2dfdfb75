import { describe, expect, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import { identifyChat } from './identify.ts'

const identify = (body: string | object): ReturnType<typeof identifyChat> =>
  identifyChat(new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)))
const messages = [{ role: 'user', content: 'Hi' }]

test('reads what the gateway needs and nothing more', () => {
  const request = identify({
    model: 'gpt-4o',
    messages,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
    n: 2,
    a_field_of_tomorrow: { x: 1 },
  })
  expect(request).toMatchObject({ model: 'gpt-4o', stream: true, wantsUsage: true, maxOutput: 100, n: 2 })
})

test('absent and null fields take their defaults', () => {
  const defaults = { stream: false, wantsUsage: false, maxOutput: undefined, n: 1 }
  expect(identify({ model: 'm', messages })).toMatchObject(defaults)
  const nulls = { stream: null, stream_options: null, max_tokens: null, max_completion_tokens: null, n: null }
  expect(identify({ model: 'm', messages, ...nulls })).toMatchObject(defaults)
})

test('the larger of two output caps counts, and a cap of 0 is no cap', () => {
  expect(identify({ model: 'm', messages, max_tokens: 10, max_completion_tokens: 20 })).toMatchObject({ maxOutput: 20 })
  expect(identify({ model: 'm', messages, max_tokens: 0, max_completion_tokens: 20 })).toMatchObject({
    maxOutput: undefined,
  })
})

test('a model name written with escapes is the same name', () => {
  expect(identify('{"model":"gpt\\u002d4o","messages":[1]}')).toMatchObject({ model: 'gpt-4o' })
})

test('the prompt estimate counts messages and tools, but not inline images', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(50_000)}` } }
  const bytes = JSON.stringify(messages).length + JSON.stringify(tools).length
  expect(identify({ model: 'm', messages, tools })).toMatchObject({ promptBytes: bytes, media: { count: 0, bytes: 0 } })
  const seen = identify({ model: 'm', messages: [{ role: 'user', content: [image] }] })
  if (isBodyRefusal(seen)) throw new Error('refused')
  expect(seen.media).toStrictEqual({ count: 1, bytes: 50_024 })
  expect(seen.promptBytes).toBeLessThan(200)
})

describe('refuses with the field and the rule', () => {
  test.each([
    [{ messages }, 'model', 'is required'],
    [{ model: null, messages }, 'model', 'is required'],
    [{ model: 4, messages }, 'model', 'must be a string'],
    [{ model: ' ', messages }, 'model', 'must not be empty'],
    [{ model: 'x'.repeat(257), messages }, 'model', 'must be at most 256 characters'],
    [{ model: 'm' }, 'messages', 'is required'],
    [{ model: 'm', messages: 'Hi' }, 'messages', 'must be a list'],
    [{ model: 'm', messages: [] }, 'messages', 'must contain at least one message'],
    [{ model: 'm', messages, stream: 'yes' }, 'stream', 'must be true or false'],
    [{ model: 'm', messages, stream_options: [] }, 'stream_options', 'must be a JSON object'],
    [
      { model: 'm', messages, stream_options: { include_usage: 1 } },
      'stream_options.include_usage',
      'must be true or false',
    ],
    [{ model: 'm', messages, n: 0 }, 'n', 'must be a whole number from 1 to 128'],
    [{ model: 'm', messages, n: 129 }, 'n', 'must be a whole number from 1 to 128'],
    [{ model: 'm', messages, max_tokens: -1 }, 'max_tokens', 'must be a whole number from 0 to 1073741824'],
    [{ model: 'm', messages, max_tokens: 1.5 }, 'max_tokens', 'must be a whole number from 0 to 1073741824'],
    [
      { model: 'm', messages, max_completion_tokens: '9' },
      'max_completion_tokens',
      'must be a whole number from 0 to 1073741824',
    ],
    [[], 'body', 'must be a JSON object'],
  ])('%j', (body, field, rule) => {
    expect(identify(body)).toStrictEqual({ code: 'invalid_body', params: { field, rule }, field })
  })

  test('text that is not JSON', () => {
    expect(identify('{"model":"m",')).toStrictEqual({ code: 'invalid_json', params: { reason: 'it ends too early' } })
    expect(identify('')).toStrictEqual({ code: 'invalid_json', params: { reason: 'it is empty' } })
  })
})
