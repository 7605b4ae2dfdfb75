import { expect, test } from 'vitest'
import { isUnlimited } from './unlimited.ts'

test('-1 is a balance without limit; any other is an amount, overdrawn or not', { tags: 'B3.4' }, () => {
  expect([-2, -1, 0, 1].map(isUnlimited)).toEqual([false, true, false, false])
})
