import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changedPaths, checkWithEdits } from './how-to-edits.ts'
import { newLogColumn, newLogColumnTest } from './new-log-column.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES_MAX = 5
const isLong = process.env['SLUICE_TEST_LONG'] !== undefined

it('writes a new column of the log into few files, as the how-to says', () => {
  const edits = newLogColumn(ROOT)
  expect(edits.length).toBeLessThanOrEqual(FILES_MAX)
  expect(changedPaths(ROOT, edits)).toEqual(edits.map(({ path }) => path))
})

it('finds the columns of the ledger’s rows in no list of the ledger', () => {
  const args = ['grep', '-lw', 'elapsedMs', '--', 'packages/ledger/src/*', 'packages/store/src/queries/logs/*']
  const named = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  // Readers of earlier versions' record logs keep their column order.
  expect(named.filter((path) => !path.includes('.test.'))).toEqual([
    'packages/ledger/src/commit/charge-records.ts',
    'packages/store/src/queries/logs/logs.ts',
  ])
})

it.runIf(isLong)('keeps types and tests whole after the steps of the how-to (--long)', { timeout: 900_000 }, () => {
  checkWithEdits(
    ROOT,
    [...newLogColumn(ROOT), newLogColumnTest],
    [
      'packages/ledger',
      'packages/observe',
      'apps/gateway/src/relay/charge',
      'apps/gateway/src/management/logs',
      'apps/gateway/src/management/key-holder',
      'apps/gateway/src/import',
      'apps/console/src/features/logs',
      'tools/reference/pages',
    ],
  )
})
