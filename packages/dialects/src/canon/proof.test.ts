import { expect, test } from 'vitest'
import { openProof, sealProof } from './proof.ts'

test('a proof travels through another dialect and back', () => {
  const proof = { dialect: 'gemini', value: 'a.b c', redacted: true, item: 'call.1 é' } as const
  expect(openProof(sealProof(proof, 'openai-chat'), 'openai-chat')).toStrictEqual(proof)
})

test('an id that is no text of Unicode does no harm', () => {
  const sealed = sealProof({ dialect: 'gemini', value: 'G', item: 'call_\ud800' }, 'anthropic-messages')
  expect(openProof(sealed, 'anthropic-messages')).toStrictEqual({ dialect: 'gemini', value: 'G', item: 'call_\ufffd' })
})
