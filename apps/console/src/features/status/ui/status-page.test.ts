import { expect, test } from 'vitest'
import { pageNumbers } from './status-page.tsx'

test.each([
  [0, 0, []],
  [0, 1, [0]],
  [2, 3, [0, 1, 2]],
  [0, 9, [0, 1, 2, 3, 4]],
  [4, 9, [2, 3, 4, 5, 6]],
  [8, 9, [4, 5, 6, 7, 8]],
  [99, 9, [4, 5, 6, 7, 8]],
] as const)('page %d of %d has the buttons %j', { tags: ['C2.36', 'C9.2'] }, (current, pages, buttons) => {
  expect(pageNumbers(current, pages)).toEqual(buttons)
})
