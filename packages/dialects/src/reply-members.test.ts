import { expect, test } from 'vitest'
import { replyMembers } from './reply-members.ts'

const encode = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

test('members with usage and errors are parsed, the rest is left', () => {
  const usage = { input_tokens: 5, output_tokens: 7 }
  const reply = { created: 1, model: 'm', usage, duration: 2.5, text: 'Hi', error: null, other: { deep: [1, 2] } }
  expect(replyMembers(encode(reply))).toEqual({ members: { usage, duration: 2.5, text: 'Hi', error: null } })
})

test('every element of a list is there, large ones without their content', () => {
  const failed = { error: { code: 'sensitive' } }
  const data = [{ b64_json: 'x'.repeat(5_000) }, failed, { url: 'https://a.example/1' }]
  expect(replyMembers(encode({ data }))).toEqual({ members: { data: [{}, failed, { url: 'https://a.example/1' }] } })
  const many = Array.from({ length: 100 }, () => 1)
  expect(replyMembers(encode({ data: many }))).toEqual({ members: { data: many.slice(0, 64) } })
  expect(replyMembers(encode({ images: [] }))).toEqual({ members: { images: [] } })
  expect(replyMembers(encode({ data: 'no list' }))).toEqual({ members: {} })
})

test.each(['', '[1]', '{"a":', 'no JSON'])('%j is not a reply', (text) => {
  expect(replyMembers(encode(text))).toEqual({ invalid: expect.any(String) })
})
