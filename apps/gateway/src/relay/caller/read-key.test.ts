import { expect, test } from 'vitest'
import { readKey } from './read-key.ts'

const bare = 'AbCdEfGh12345678'

test.each([
  [{ authorization: `Bearer sk-${bare}` }],
  [{ authorization: `bearer   sk-${bare} ` }],
  [{ authorization: `BEARER sk-${bare}` }],
  [{ authorization: `sk-${bare}` }],
  [{ authorization: bare }],
  [{ authorization: `Bearer laisky-${bare}` }],
  [{ authorization: `Bearer sk-sk-${bare}` }],
  [{ 'x-api-key': `sk-${bare}` }],
  [{ 'api-key': `sk-${bare}` }],
  [{ authorization: 'Bearer ', 'x-api-key': `sk-${bare}` }],
  [{ 'x-goog-api-key': `sk-${bare}` }],
  [{ 'sec-websocket-protocol': `realtime, openai-insecure-api-key.sk-${bare}, openai-beta.realtime-v1` }],
  [{ 'sec-websocket-protocol': `openai-insecure-api-key.${bare}` }],
])('%j carries the key', (headers) => {
  expect(readKey({ headers })).toEqual({ key: bare, pinnedChannel: undefined })
})

test('of several keys the first position counts', () => {
  const headers = {
    authorization: 'Bearer sk-first',
    'x-api-key': 'sk-second',
    'api-key': 'sk-third',
    'x-goog-api-key': 'sk-fourth',
    'sec-websocket-protocol': 'openai-insecure-api-key.sk-fifth',
  }
  const left: Partial<typeof headers> = { ...headers }
  for (const [place, expected] of [
    ['authorization', 'first'],
    ['x-api-key', 'second'],
    ['api-key', 'third'],
    ['x-goog-api-key', 'fourth'],
    ['sec-websocket-protocol', 'fifth'],
  ] as const) {
    expect(readKey({ headers: left, path: '/v1beta/models', query: 'key=sk-sixth' })?.key).toBe(expected)
    delete left[place]
  }
  expect(readKey({ headers: left, path: '/v1beta/models', query: 'key=sk-sixth' })?.key).toBe('sixth')
})

test.each([
  ['/v1beta/models/gemini-3-pro:generateContent', bare],
  ['/v1/models/gemini-3-pro:streamGenerateContent', bare],
  ['/v1beta/models', bare],
  ['/v1/models', bare],
  ['/api/log/token', bare],
  ['/api/log/token/', bare],
  ['/api/log/tokens', undefined],
  ['/api/usage/token/', undefined],
  ['/v1/chat/completions', undefined],
  ['/v1/oneapi/proxy/1/v1beta/models', undefined],
  ['/v1/realtime', undefined],
  ['/v1beta/modelsx', undefined],
])('a key in the query of %s is %s', (path, expected) => {
  expect(readKey({ headers: {}, path, query: `alt=sse&key=sk-${bare}` })?.key).toBe(expected)
})

test('a key in the query is decoded, and its parameter name must match exactly', () => {
  const at = (query: string) => readKey({ headers: {}, path: '/v1beta/models', query })?.key
  expect(at('key=%73k-abc')).toBe('abc')
  expect(at('monkey=sk-abc')).toBeUndefined()
  expect(at('key=')).toBeUndefined()
})

test('a numeric suffix pins a channel', () => {
  expect(readKey({ headers: { authorization: `Bearer sk-${bare}-12` } })).toEqual({ key: bare, pinnedChannel: 12 })
})

test.each([`${bare}-x1`, `${bare}-1-2`, `${bare}-`, `${bare}-9999999999`])('%s is a key without a pin', (text) => {
  expect(readKey({ headers: { authorization: `Bearer sk-${text}` } })).toEqual({ key: text, pinnedChannel: undefined })
})

test.each([{}, { authorization: '' }, { authorization: 'Bearer' }, { authorization: 'Bearer sk-' }])(
  '%j carries no key',
  (headers) => {
    expect(readKey({ headers })?.key ?? 'none').toMatch(/^(none|Bearer)$/)
  },
)

test('an endless key is cut, so that it never matches and costs nothing', () => {
  expect(readKey({ headers: { authorization: `Bearer ${'x'.repeat(100_000)}` } })?.key).toHaveLength(257)
})
