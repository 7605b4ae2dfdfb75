import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changedPaths, checkWithEdits } from './how-to-edits.ts'
import { newTokenField, newTokenFieldTest } from './new-token-field.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES_MAX = 8
const isLong = process.env['SLUICE_TEST_LONG'] !== undefined

it('writes a new field of a token into few files, as the how-to says', () => {
  const edits = newTokenField(ROOT)
  const changed = changedPaths(ROOT, edits)
  expect(changed).toEqual(edits.map(({ path }) => path))
  expect(new Set(changed).size).toBeLessThanOrEqual(FILES_MAX)
})

it('finds a field in no list of the store or of the management API', () => {
  const args = ['grep', '-lwE', 'repeat_?[rR]pm', '--', 'packages/store/src/*', 'apps/gateway/src/management/*']
  const named = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  // The relay reads it in a separate group; migrations never change.
  expect(named.filter((path) => !path.includes('.test.') && !path.includes('migrations/'))).toEqual([
    'packages/store/src/snapshots/tokens.ts',
  ])
})

it.runIf(isLong)('keeps types and tests whole after the steps of the how-to (--long)', { timeout: 900_000 }, () => {
  checkWithEdits(
    ROOT,
    [...newTokenField(ROOT), newTokenFieldTest],
    [
      'apps/gateway/src/management/tokens',
      'apps/gateway/src/management/account',
      'apps/gateway/src/relay/caller',
      'apps/gateway/src/import',
      'tools/reference/pages',
    ],
  )
})
