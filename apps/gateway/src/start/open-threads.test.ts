import { expect, it } from 'vitest'
import { threadsFor } from './open-threads.ts'

it('as many threads relay as there are cores less one, at least one and at most eight', () => {
  expect([1, 2, 3, 4, 9, 10, 64].map(threadsFor)).toEqual([1, 1, 2, 3, 8, 8, 8])
})
