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
])('%j carries the key', (headers) => {
  expect(readKey(headers)).toEqual({ key: bare, pinnedChannel: undefined })
})

test('Authorization wins over X-Api-Key, and X-Api-Key over Api-Key', () => {
  const headers = { authorization: 'Bearer sk-first', 'x-api-key': 'sk-second', 'api-key': 'sk-third' }
  expect(readKey(headers)?.key).toBe('first')
  expect(readKey({ ...headers, authorization: undefined })?.key).toBe('second')
})

test('a numeric suffix pins a channel', () => {
  expect(readKey({ authorization: `Bearer sk-${bare}-12` })).toEqual({ key: bare, pinnedChannel: 12 })
})

test.each([`${bare}-x1`, `${bare}-1-2`, `${bare}-`, `${bare}-9999999999`])('%s is a key, no pin', (text) => {
  expect(readKey({ authorization: `Bearer sk-${text}` })).toEqual({ key: text, pinnedChannel: undefined })
})

test.each([{}, { authorization: '' }, { authorization: 'Bearer' }, { authorization: 'Bearer sk-' }])(
  '%j carries none',
  (headers) => {
    expect(readKey(headers)?.key ?? 'none').toMatch(/^(none|Bearer)$/)
  },
)

test('an endless key is cut, so that it never matches and costs nothing', () => {
  expect(readKey({ authorization: `Bearer ${'x'.repeat(100_000)}` })?.key).toHaveLength(257)
})
