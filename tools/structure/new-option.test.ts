import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changedPaths, checkWithEdits } from './how-to-edits.ts'
import { NEW_OPTION } from './new-option.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES_MAX = 6
const isLong = process.env['SLUICE_TEST_LONG'] !== undefined

it('writes a new option into few files, as the how-to says', () => {
  expect(NEW_OPTION.length).toBeLessThanOrEqual(FILES_MAX)
  expect(changedPaths(ROOT, NEW_OPTION)).toEqual(NEW_OPTION.map(({ path }) => path))
})

it.runIf(isLong)('keeps types and tests whole after the steps of the how-to (--long)', { timeout: 900_000 }, () => {
  checkWithEdits(ROOT, NEW_OPTION, [
    'packages/store/src/options',
    'apps/gateway/src/configuration',
    'apps/gateway/src/management/options',
    'apps/gateway/src/messages/mail-transport',
    'apps/console/src/features/options',
    'tools/reference',
  ])
})
