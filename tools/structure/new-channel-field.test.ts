import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changedPaths, checkWithEdits } from './how-to-edits.ts'
import { newChannelField } from './new-channel-field.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES_MAX = 8
const isLong = process.env['SLUICE_TEST_LONG'] !== undefined

it('writes a new field of a channel into few files, as the how-to says', () => {
  const edits = newChannelField(ROOT)
  expect(edits.length).toBeLessThanOrEqual(FILES_MAX)
  expect(changedPaths(ROOT, edits)).toEqual(edits.map(({ path }) => path))
})

it('finds a field in few sources besides what it does in the relay', () => {
  const args = ['grep', '-lw', 'inference_profile_arn_map', '--', 'apps/*/src/*', 'packages/*/src/*']
  const named = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  expect(named.filter((path) => !path.includes('.test.')).length).toBeLessThanOrEqual(FILES_MAX)
})

it.runIf(isLong)('keeps types and tests whole after the steps of the how-to (--long)', { timeout: 900_000 }, () => {
  checkWithEdits(ROOT, newChannelField(ROOT), [
    'apps/gateway/src/management/channels',
    'apps/gateway/src/declared',
    'apps/gateway/src/import',
    'apps/gateway/src/relay/upstream/draft-test',
    'apps/console/src/features/channels',
    'tools/reference/pages',
  ])
})
