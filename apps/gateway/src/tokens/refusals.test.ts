import { expect, test } from 'vitest'
import { createLatestRefusals } from './refusals.ts'

test('keeps the latest refusal of each of the last 1,000 tokens, and at most 500 characters of its text', () => {
  let now = 1
  const refusals = createLatestRefusals(() => now)
  const note = (tokenId: number, code = 'model_not_allowed', message = 'No.') =>
    refusals.note({ tokenId, code, message })
  for (let token = 1; token <= 1_000; token++) note(token)
  now = 2
  note(1, 'quota_insufficient', 'x'.repeat(600))
  note(1_001)
  expect(refusals.of(1)).toEqual({ tokenId: 1, code: 'quota_insufficient', message: 'x'.repeat(500), at: 2 })
  expect(refusals.of(2)).toBeUndefined()
  expect(refusals.of(3)).toMatchObject({ message: 'No.', at: 1 })
})
