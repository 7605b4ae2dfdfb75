import { defineConfig } from 'vitest/config'

const ignored = ['**/node_modules/**', '**/dist/**', 'bench/peers/**']

/** What is waited for comes soon; that both cores are busy must not fail a test. */
const expectation = { poll: { timeout: 10_000 } }

/**
 * Three projects. `units` needs nothing but Node; `contract` runs each suite on every engine and is handed a PostgreSQL
 * server; `product` drives the real gateway as a process of its own.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // A worker reads what the files of its tests share once. None of our modules keeps state, which this holds them to.
    isolate: false,
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'units',
          expect: expectation,
          include: ['{apps,packages}/*/{src,laws}/**/*.test.{ts,tsx}', '{tools,bench}/**/*.test.{ts,mjs}'],
          exclude: [...ignored, '**/*.contract.test.ts', '**/*.browser.test.*'],
          globalSetup: ['packages/testkit/src/sqlite-image.ts'],
          // Some start processes, and two cores may be busy; no test waits for this on purpose.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'contract',
          expect: expectation,
          include: ['{apps,packages}/*/src/**/*.contract.test.ts'],
          exclude: ignored,
          globalSetup: ['packages/testkit/src/sqlite-image.ts', 'packages/testkit/src/postgres-server.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'product',
          expect: expectation,
          include: ['tests/**/*.test.ts'],
          exclude: ignored,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
