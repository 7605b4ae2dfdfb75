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
  return { passed: numPassedTests, failed: names.length, names }
}

/**
 * A flaky test failed at least once, so it counts as failed.
 *
 * @param {any} report of Playwright's JSON reporter
 * @returns {Count}
 */
export function countPlaywright({ stats, suites, errors }) {
  const names = [
    ...suites.flatMap((suite) => failedSpecs(suite)),
    ...errors.map(({ message }) => `browser tests: ${String(message).split('\n')[0]}`),
  ]
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, names }
}

/** @returns {string[]} */
function failedSpecs({ specs = [], suites = [] }) {
  const failed = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) => {
        const error = results.map((result) => result.error).find((found) => found !== undefined)
        return `${file}: ${title} (${projectName})${reason(error?.message)}`
      }),
  )
  return [...failed, ...suites.flatMap((suite) => failedSpecs(suite))]
}

const REASON_LINES = 12

/** The beginning of what went wrong, indented below the name of the test; without the colours that Playwright adds. */
function reason(message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .slice(0, REASON_LINES)
    .map((line) => `\n  ${line}`)
    .join('')
}
