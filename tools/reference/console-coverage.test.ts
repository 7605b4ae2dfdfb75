import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { coverageGaps, SENTENCE } from './console-coverage.ts'
import { taggedTests } from './test-titles.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('every sentence about the console has a test that names it, or a reason', async () => {
  expect(coverageGaps(await taggedTests(ROOT, SENTENCE))).toEqual([])
})

test('a title that names a sentence which does not exist is told', () => {
  const test = { title: 'x [A9.999]', file: 'x.spec.ts', tags: ['A9.999'] }
  expect(coverageGaps([test])).toContain('A9.999 stands in a title and is no sentence')
})
