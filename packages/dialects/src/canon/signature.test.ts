import { expect, test } from 'vitest'
import { holdsForeignSignature, unwrapSignature, wrapSignature } from './signature.ts'

test('a signature travels through another dialect and back', () => {
  const signature = { dialect: 'gemini', value: 'a.b c', redacted: true, item: 'call.1 é' } as const
  expect(unwrapSignature(wrapSignature(signature, 'openai-chat'), 'openai-chat')).toStrictEqual(signature)
})

test('an id that is not well-formed Unicode does no harm', () => {
  const sealed = wrapSignature({ dialect: 'gemini', value: 'G', item: 'call_\ud800' }, 'anthropic-messages')
  expect(unwrapSignature(sealed, 'anthropic-messages')).toStrictEqual({
    dialect: 'gemini',
    value: 'G',
    item: 'call_\ufffd',
  })
})

/** Google's Python client decodes signatures strictly, and encodes them again in the URL-safe alphabet. */
test.each([
  ['as it was', (text: string) => text],
  ['in the alphabet of URLs', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
  ['without padding', (text: string) => text.replace(/=+$/, '')],
])('a client of Gemini receives base64 for a foreign signature, and sends it back %s', (_, back) => {
  for (const value of ['ErUBCkYI', 'Ä>?>?>', '\u{1f600}x']) {
    const signature = { dialect: 'anthropic-messages', value, redacted: true } as const
    const sealed = wrapSignature(signature, 'gemini')
    expect(sealed).toMatch(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
    expect(unwrapSignature(back(sealed), 'gemini')).toStrictEqual(signature)
    expect(holdsForeignSignature(JSON.stringify({ thoughtSignature: back(sealed) }), 'gemini')).toBe(true)
  }
})

test('a signature of Google’s own is returned as it came, in base64 or not', () => {
  for (const value of ['CiQB+/==', 'not base64!', 'c2x1aWNlLjEu', 'sluice']) {
    expect(wrapSignature({ dialect: 'gemini', value }, 'gemini')).toBe(value)
    expect(unwrapSignature(value, 'gemini')).toStrictEqual({ dialect: 'gemini', value })
  }
})

test('what was wrapped before base64 was used is still unwrapped', () => {
  expect(unwrapSignature('sluice.1.anthropic-messages.-..SIG', 'gemini')).toStrictEqual({
    dialect: 'anthropic-messages',
    value: 'SIG',
  })
})
