import { expect, test } from 'vitest'
import { credentialHeaders } from './credentials.ts'
import { type ChannelKind, kindOf } from './kinds.ts'

function kind(code: number): ChannelKind {
  const found = kindOf(code)
  if (found === undefined) throw new Error(`no kind ${code}`)
  return found
}

test('the key becomes a bearer header, without the white space it was pasted with', () => {
  expect(credentialHeaders(kind(1), ' sk-abc\n')).toStrictEqual({ headers: { authorization: 'Bearer sk-abc' } })
})

test('an empty key sends no header where the upstream may want none, and is a problem elsewhere', () => {
  expect(credentialHeaders(kind(50), '')).toStrictEqual({ headers: {} })
  expect(credentialHeaders(kind(1), '')).toStrictEqual({ problem: 'API key is required' })
})

// S29: a key must not be able to add a header of its own.
test.each(['sk-a\r\nHost: evil', 'sk a', 'sk-\u00e9', 'sk-\u0000'])('%j is refused without repeating it', (key) => {
  expect(credentialHeaders(kind(50), key)).toStrictEqual({
    problem: 'API key may hold printable ASCII characters only',
  })
})

test('schemes that are not here say so', () => {
  expect(credentialHeaders(kind(33), 'a|b|c')).toStrictEqual({ problem: 'Channels of type AWS cannot be called yet' })
})
