import { expect, test } from 'vitest'
import { holdsForeignProof, openProof, sealProof } from './proof.ts'

test('a proof travels through another dialect and back', () => {
  const proof = { dialect: 'gemini', value: 'a.b c', redacted: true, item: 'call.1 é' } as const
  expect(openProof(sealProof(proof, 'openai-chat'), 'openai-chat')).toStrictEqual(proof)
})

test('an id that is no text of Unicode does no harm', () => {
  const sealed = sealProof({ dialect: 'gemini', value: 'G', item: 'call_\ud800' }, 'anthropic-messages')
  expect(openProof(sealed, 'anthropic-messages')).toStrictEqual({ dialect: 'gemini', value: 'G', item: 'call_\ufffd' })
})

/** Google's Python client decodes signatures strictly, and encodes them again in the alphabet of URLs. */
test.each([
  ['as it was', (text: string) => text],
  ['in the alphabet of URLs', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
  ['without padding', (text: string) => text.replace(/=+$/, '')],
])('a client of Gemini is given base64 for a foreign proof, and gives it back %s', (_, back) => {
  for (const value of ['ErUBCkYI', 'Ä>?>?>', '\u{1f600}x']) {
    const proof = { dialect: 'anthropic-messages', value, redacted: true } as const
    const sealed = sealProof(proof, 'gemini')
    expect(sealed).toMatch(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
    expect(openProof(back(sealed), 'gemini')).toStrictEqual(proof)
    expect(holdsForeignProof(JSON.stringify({ thoughtSignature: back(sealed) }), 'gemini')).toBe(true)
  }
})

test('a signature of Google’s own is given back as it came, in base64 or not', () => {
  for (const value of ['CiQB+/==', 'not base64!', 'c2x1aWNlLjEu', 'sluice']) {
    expect(sealProof({ dialect: 'gemini', value }, 'gemini')).toBe(value)
    expect(openProof(value, 'gemini')).toStrictEqual({ dialect: 'gemini', value })
  }
})

test('what was wrapped before it was base64 is still opened', () => {
  expect(openProof('sluice.1.anthropic-messages.-..SIG', 'gemini')).toStrictEqual({
    dialect: 'anthropic-messages',
    value: 'SIG',
  })
})
