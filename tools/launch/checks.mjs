/** The stages that only read sources. */
import { join } from 'node:path'
import { ROOT } from './setup.mjs'

const tool = (path) => join(ROOT, 'node_modules', ...path.split('/'))

/**
 * @param {string} node
 * @param {boolean} fix rewrites the generated pages, and lets lint and format repair what they can
 * @returns {import('./stages.mjs').Stage[]}
 */
export function checkStages(node, fix = false) {
  const stage = (name, path, ...args) => ({ name, command: node, args: [tool(path), ...args] })
  const reference = { name: 'reference pages', command: node, args: [join(ROOT, 'tools', 'reference', 'write.ts')] }
  return [
    ...(fix ? [reference] : []),
    stage('types, server', 'typescript/bin/tsc', '-p', 'tsconfig.json'),
    stage('types, console', 'typescript/bin/tsc', '-p', 'apps/console/tsconfig.json'),
    stage('types, browser tests', 'typescript/bin/tsc', '-p', 'tests/console/tsconfig.json'),
    stage('lint', 'oxlint/bin/oxlint', '--deny-warnings', ...(fix ? ['--fix'] : [])),
    stage('format', 'oxfmt/bin/oxfmt', ...(fix ? [] : ['--check'])),
    stage('dead code', 'knip/bin/knip.js', '--treat-config-hints-as-errors'),
  ]
}
