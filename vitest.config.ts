import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SENTENCES } from './tools/reference/console-sentences.ts'
import { SECURITY_CLASSES } from './tools/reference/security-classes.ts'

const ignored = ['**/node_modules/**', '**/dist/**', 'bench/peers/**']

/** The console's own, as in its vite.config.ts: other projects import some of its files. */
const resolve = { alias: { '~': join(import.meta.dirname, 'apps/console/src') } }

/** What is awaited happens soon; two busy cores must not fail a test. */
const expectation = { poll: { timeout: 10_000 } }

/** Set by `npm test -- --quick`; what it leaves out is listed in `tools/launch/test.mjs`. */
const isQuick = process.env['SLUICE_TEST_QUICK'] !== undefined
const setupFiles = isQuick ? ['tests/testkit/src/short-laws.ts'] : []
/** Laws that await: a time limit would leave the example that it interrupts running beside the next test. */
const awaitingLaws = [
  'packages/ledger/src/**/*.laws.test.ts',
  'apps/gateway/src/{declared,import,management/receipts,relay/caller/limits}/*.laws.test.ts',
]
/** A few real processes with real SDKs stand for all of them. */
const product = isQuick
  ? ['tests/sdk/openai.test.ts', 'tests/clients/{anthropic,google}.test.ts', 'tests/{proof,recorded}/*.test.ts']
  : ['tests/**/*.test.ts']

/**
 * Three projects. `units` needs nothing but Node; `contract` runs each suite on every engine and is given a PostgreSQL server;
 * `product` drives the real gateway as a separate process.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A worker loads the files that its tests share only once. None of our modules keeps state, which this makes sure of.
    isolate: false,
    reporters: ['default'],
    // Any other tag is a mistake.
    tags: [
      { name: 'slow', description: 'Left out by npm test -- --quick.' },
      { name: 'postgres', description: 'Needs a PostgreSQL server; left out by npm test -- --quick.' },
      ...SECURITY_CLASSES.map(({ id, hole }) => ({ name: id, description: hole })),
      ...SENTENCES.map(({ id, words }) => ({ name: id, description: words })),
    ],
    ...(isQuick ? { tagsFilter: ['!slow && !postgres'] } : {}),
    projects: [
      {
        resolve,
        test: {
          name: 'units',
          expect: expectation,
          include: [
            '{apps,packages}/*/{src,laws}/**/*.test.{ts,tsx}',
            '{tools,bench,tests/testkit}/**/*.test.{ts,mjs}',
          ],
          exclude: [...ignored, '**/*.contract.test.ts', '**/*.browser.test.*', ...(isQuick ? awaitingLaws : [])],
          globalSetup: ['tests/testkit/src/sqlite-image.ts'],
          setupFiles,
          // Some start processes, and two cores may be busy; no test waits for this on purpose.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'contract',
          expect: expectation,
          include: ['{apps,packages}/*/src/**/*.contract.test.ts', 'tests/fuzz/*.contract.test.ts'],
          exclude: ignored,
          globalSetup: [
            'tests/testkit/src/sqlite-image.ts',
            'tests/testkit/src/postgres-server.ts',
            'tests/testkit/src/mariadb-server.ts',
          ],
          setupFiles,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'product',
          expect: expectation,
          include: product,
          exclude: [...ignored, 'tests/testkit/**', '**/*.contract.test.ts'],
          setupFiles: [...setupFiles, 'tests/testkit/src/conformance/watched-fetch.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
