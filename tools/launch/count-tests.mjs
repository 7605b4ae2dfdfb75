import { relative } from 'node:path'

/** @typedef {import('./stages.mjs').Count} Count */

/**
 * Vitest's own count, plus files that failed before their first test.
 *
 * @param {any} report of its JSON reporter
 * @param {string} root files are named from here
 * @returns {Count}
 */
export function countVitest({ numPassedTests, testResults }, root) {
  const names = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed')
    if (failed.length > 0) return failed.map(({ fullName }) => `${file}: ${fullName}`)
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
      .map(({ projectName }) => `${file}: ${title} (${projectName})`),
  )
  return [...failed, ...suites.flatMap((suite) => failedSpecs(suite))]
}
