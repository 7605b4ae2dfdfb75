import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { applyEdits, copyTree, newChannelField } from './new-channel-field.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES_MAX = 8
const isLong = process.env['SLUICE_TEST_LONG'] !== undefined

it('writes a new field of a channel into few files, as the how-to says', () => {
  const paths = newChannelField(ROOT).map(({ path }) => path)
  expect(paths.length).toBeLessThanOrEqual(FILES_MAX)
  const files = [...new Set(paths)].filter((path) => existsSync(join(ROOT, path)))
  const copy = copyTree(ROOT, files)
  try {
    expect(applyEdits(copy, newChannelField(ROOT))).toEqual(paths)
  } finally {
    rmSync(copy, { recursive: true })
  }
})

it('finds a field in few sources besides what it does in the relay', () => {
  const args = ['grep', '-lw', 'inference_profile_arn_map', '--', 'apps/*/src/*', 'packages/*/src/*']
  const named = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  expect(named.filter((path) => !path.includes('.test.')).length).toBeLessThanOrEqual(FILES_MAX)
})

it.runIf(isLong)('keeps types and tests whole after the steps of the how-to (--long)', { timeout: 900_000 }, () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const copy = copyTree(
    ROOT,
    tracked.filter((path) => existsSync(join(ROOT, path))),
  )
  const run = (file: string, ...args: string[]) =>
    execFileSync(process.execPath, [join(ROOT, 'node_modules', file), ...args], { cwd: copy, stdio: 'inherit' })
  try {
    symlinkSync(join(ROOT, 'tests/clients/node_modules'), join(copy, 'tests/clients/node_modules'))
    applyEdits(copy, newChannelField(copy))
    execFileSync(process.execPath, ['tools/reference/write.ts'], { cwd: copy })
    for (const project of ['tsconfig.json', 'apps/console/tsconfig.json'])
      run('typescript/bin/tsc', '-p', project, '--noEmit')
    run(
      'vitest/vitest.mjs',
      'run',
      '--project=units',
      'apps/gateway/src/management/channels',
      'apps/gateway/src/configuration',
      'apps/gateway/src/import',
      'apps/gateway/src/relay/upstream/draft-test',
      'apps/console/src/features/channels',
      'tools/reference/pages',
    )
  } finally {
    rmSync(copy, { recursive: true })
  }
})
