import { expect, it } from 'vitest'
import { contentProblems } from './contents.ts'

const WHOLE = new Map(
  [
    'package.json',
    'README.md',
    'NOTICE.md',
    'LICENSE',
    'bin/sluice.mjs',
    'apps/gateway/dist/sluice/sluice.js',
    'apps/gateway/dist/sluice/2026-11-21-DI1EJD-8.js',
    'apps/console/dist/index.html',
    'apps/console/dist/assets/login-page-Bq3_x-9Z.js.br',
  ].map((path) => [path, 1_000]),
)

it('a whole package has no problem', () => {
  expect(contentProblems(WHOLE)).toEqual([])
})

it('sources, tests, maps, data and secrets do not get in', { tags: 'S20' }, () => {
  const strangers = [
    'apps/gateway/src/main.ts',
    'apps/gateway/dist/sluice/sluice.js.map',
    'apps/console/dist/.vite/manifest.json',
    'apps/console/dist/.built-from',
    'apps/console/dist/assets/login-page-Bq3_x-9Z.js.map',
    'data/master.key',
    'master.key',
    '.env',
    '.npmrc',
    'package-lock.json',
    'node_modules/pino/package.json',
    'bin/../package.json',
  ]
  for (const path of strangers) {
    expect(contentProblems(new Map([...WHOLE, [path, 1]]))).toEqual([`${path} does not belong in it.`])
  }
})

it('what is missing and what is too large is named', () => {
  const without = new Map([...WHOLE].filter(([path]) => path !== 'bin/sluice.mjs'))
  expect(contentProblems(without)).toEqual(['bin/sluice.mjs is missing.'])
  expect(contentProblems(new Map([...WHOLE, ['README.md', 30_000_000]]))).toEqual([
    'It takes 30008000 bytes; at most 20000000 are expected.',
  ])
})
