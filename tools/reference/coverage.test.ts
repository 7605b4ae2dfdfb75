import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { coverageGaps, coveragePage } from './console-coverage.ts'
import { SECURITY_CLASSES } from './security-classes.ts'
import { securityGaps, securityPage } from './security-coverage.ts'
import { taggedTests } from './tagged-tests.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MADE_BY = 'Made by `tools/reference/coverage.test.ts` from the tags of the tests.\n'

const tests = taggedTests(ROOT)

/** For reading, not committed: `docs/coverage.md`. */
afterAll(() => {
  const folder = `${ROOT}reports`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/console-coverage.md`, coveragePage(tests, MADE_BY))
  writeFileSync(`${folder}/security-classes.md`, securityPage(tests, MADE_BY))
})

test('every sentence about the console has a test that carries its number, or a reason', () => {
  expect(coverageGaps(tests)).toEqual([])
})

test('a tag of a sentence that does not exist is reported', () => {
  const test = { title: 'x', file: 'x.spec.ts', tags: ['A9.999'] }
  expect(coverageGaps([test])).toContain('A9.999 is a tag and no sentence')
})

test('every class of security problems has a test that carries its number, or a reason', () => {
  expect(securityGaps(tests)).toEqual([])
})

test('classes are numbered without a gap', () => {
  expect(SECURITY_CLASSES.map(({ id }) => id)).toEqual(SECURITY_CLASSES.map((_, at) => `S${at + 1}`))
})

test('a class without a test is reported', () => {
  expect(securityGaps([])).toContain(
    'S1 has neither test nor reason: The client chooses the upstream host and receives the key',
  )
})
