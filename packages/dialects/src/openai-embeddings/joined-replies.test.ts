import { expect, test } from 'vitest'
import { joinedReplies, type PartialReply } from './joined-replies.ts'

const part = (inputs: number, body: string): PartialReply => ({ inputs, body: new TextEncoder().encode(body) })
const read = (replies: readonly PartialReply[]) => {
  const joined = joinedReplies(replies)
  return 'invalid' in joined ? joined : joined.map((chunk) => new TextDecoder().decode(chunk)).join('')
}

test('the vectors of all parts are counted through and stay as they were written; what they used is added up', () => {
  const text = read([
    part(
      2,
      '{"object":"list","data":[ {"index":0,"embedding":[1.50,2]}, {"index":1,"embedding":[3]}],"model":"m","usage":{"prompt_tokens":4,"prompt_tokens_details":{"text_tokens":4},"total_tokens":4}}',
    ),
    part(1, '{"data":[{"embedding":[4e0],"index":0}],"usage":{"prompt_tokens":3,"total_tokens":3}}'),
  ])
  expect(text).toBe(
    '{"object":"list","data":[{"index":0,"embedding":[1.50,2]},{"index":1,"embedding":[3]},{"embedding":[4e0],"index":2}],"model":"m","usage":{"prompt_tokens":7,"prompt_tokens_details":{"text_tokens":4},"total_tokens":7}}',
  )
})

test('a part in another order keeps it, and a vector without a place gets that of its input', () => {
  const text = read([
    part(1, '{"data":[{"embedding":[1]}]}'),
    part(2, '{"data":[{"index":1,"embedding":[3]},{"index":0,"embedding":[2]}]}'),
    part(1, '{"data":[{"embedding":[4]}]}'),
  ])
  expect(JSON.parse(text as string)).toEqual({
    data: [
      { embedding: [1] },
      { index: 2, embedding: [3] },
      { index: 1, embedding: [2] },
      { index: 3, embedding: [4] },
    ],
  })
})

test.each([
  ['it contains 1 vectors for 2 inputs', '{"data":[{"index":0,"embedding":[1]}]}'],
  ['it contains no vectors', '{"data":7}'],
  ['it contains no vectors', '{"data":[7,8]}'],
  ['it contains no vectors', 'not json'],
])('%s: %s', (invalid, body) => {
  expect(read([part(1, '{"data":[{"embedding":[1]}]}'), part(2, body)])).toEqual({ invalid })
})
