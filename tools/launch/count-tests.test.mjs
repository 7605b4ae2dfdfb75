import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './count-tests.mjs'

test('failed units are named by file and title with the reason, and a file that broke counts once', () => {
  const passed = { status: 'passed', fullName: 'x works' }
  const failed = { status: 'failed', fullName: 'y works', failureMessages: ['expected 1\n\nto be 2', 'later'] }
  const report = {
    numPassedTests: 2,
    testResults: [
      { name: '/p/a.test.ts', status: 'passed', assertionResults: [passed] },
      { name: '/p/b.test.ts', status: 'failed', assertionResults: [passed, failed] },
      { name: '/p/c.test.ts', status: 'failed', assertionResults: [] },
    ],
  }
  const names = ['b.test.ts: y works\n  expected 1\n  to be 2', 'c.test.ts: before its first test']
  expect(countVitest(report, '/p')).toEqual({ passed: 2, failed: 2, names, repeated: [] })
})

const results = [{ error: { message: '\u001b[31mno button\u001b[39m' } }, {}]
const spec = (title, status) => ({ file: 'a.spec.ts', title, tests: [{ status, projectName: 'desktop', results }] })

test('failed browser tests are named with the reason, at any depth; one that passed at its second try passed, and is named too', () => {
  const report = {
    stats: { expected: 1 },
    errors: [{ message: 'no browser\nmore' }],
    suites: [
      { specs: [spec('fine', 'expected')], suites: [{ specs: [spec('bad', 'unexpected'), spec('odd', 'flaky')] }] },
    ],
  }
  const names = ['a.spec.ts: bad (desktop)\n  no button', 'browser tests: no browser']
  const repeated = ['a.spec.ts: odd (desktop)\n  no button']
  expect(countPlaywright(report)).toEqual({ passed: 2, failed: 2, names, repeated })
})

test('many browser tests that need a second try have failed', () => {
  const report = {
    stats: { expected: 5 },
    errors: [],
    suites: [{ specs: ['a', 'b', 'c'].map((each) => spec(each, 'flaky')) }],
  }
  expect(countPlaywright(report)).toMatchObject({ passed: 5, failed: 3, repeated: [] })
})
