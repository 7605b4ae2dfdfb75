import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** @typedef {import('./stages.mjs').Count} Count */

/**
 * Vitest's own count, plus files that failed before their first test.
 *
 * @param {any} report of its JSON reporter
 * @param {string} root file names are relative to it
 * @returns {Count}
 */
export function countVitest({ numPassedTests, testResults }, root) {
  const names = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed')
    if (failed.length > 0)
      return failed.map(({ fullName, failureMessages }) => `${file}: ${fullName}${reason(failureMessages?.[0])}`)
    return status === 'failed' ? [`${file}: before its first test`] : []
  })
  return { passed: numPassedTests, failed: names.length, names, repeated: [] }
}

/** On a busy machine this many tests of a run may need a second try; more indicate a fault of the tests or of the console. */
const MOST_REPEATED = 2

/**
 * A flaky test failed once and passed at its second try: it is listed with its first failure, and when there are many, all count as
 * failed.
 *
 * @param {any} report of Playwright's JSON reporter
 * @returns {Count}
 */
export function countPlaywright({ stats, suites, errors }) {
  const specs = (status) => suites.flatMap((suite) => specsThatWere(status, suite))
  const flaky = specs('flaky')
  const tooMany = flaky.length > MOST_REPEATED
  const names = [
    ...specs('unexpected'),
    ...(tooMany ? flaky : []),
    ...errors.map(({ message }) => `browser tests: ${String(message).split('\n')[0]}`),
  ]
  return {
    passed: stats.expected + (tooMany ? 0 : flaky.length),
    failed: names.length,
    names,
    repeated: tooMany ? [] : flaky,
  }
}

/** @returns {string[]} */
function specsThatWere(wanted, { specs = [], suites = [] }) {
  const found = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ projectName, results }) => {
        const error = results.map((result) => result.error).find((each) => each !== undefined)
        return `${file}: ${title} (${projectName})${reason(error?.message)}`
      }),
  )
  return [...found, ...suites.flatMap((suite) => specsThatWere(wanted, suite))]
}

const REASON_LINES = 12

/** The beginning of a failure, indented below the test name; without Playwright's colours. */
function reason(message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .slice(0, REASON_LINES)
    .map((line) => `\n  ${line}`)
    .join('')
}
