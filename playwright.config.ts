import { defineConfig, devices } from '@playwright/test'

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }

/** Written for replies that are cut down to the specification. */
const BARE = ['**/specified.spec.ts']
/**
 * Tests tagged with a sentence of the specification, and nothing that Sluice adds to it: they run with replies that are cut down to
 * the specification. What holds with less holds with more, which `tests/fuzz/replies.test.ts` proves for the reader of all replies.
 */
const SENTENCES = /^(?!.*@whole).*@[ABC]\d\./
/** Runs them with full replies as well. */
const BOTH = process.env['SLUICE_TEST_REPLIES'] === 'both'

/**
 * Browser tests of the console against the real gateway, which `tests/console/fixtures.ts` starts once per worker on a fresh
 * database. Every test runs on a desktop in the light theme; `look.spec.ts` shows every screen in both themes and all widths. Times
 * are measured by `npm run bench -- console`.
 */
export default defineConfig<object, { replies: 'whole' | 'specified' }>({
  testDir: 'tests',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  // One more than there are cores: a test spends a fifth of its time waiting.
  workers: 3,
  forbidOnly: true,
  // What needs its second try is named at the end of `npm test`, and more than two such tests are a failure.
  retries: 1,
  // Only a hang takes as long: on a busy machine a worker's first test waits for its gateway as well.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  outputDir: 'test-results',
  reporter: 'list',
  use: {
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Traces take a fifth of the time of all browser tests, so they are on request only.
    trace: process.env['SLUICE_TEST_TRACE'] === undefined ? 'off' : 'retain-on-failure',
    launchOptions: {
      // npm test names the Chromium it found; Chromium refuses its sandbox to root
      ...(process.env['SLUICE_TEST_CHROMIUM'] ? { executablePath: process.env['SLUICE_TEST_CHROMIUM'] } : {}),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: BARE,
      ...(BOTH ? {} : { grepInvert: SENTENCES }),
      use: { ...desktop, colorScheme: 'light' },
    },
    {
      name: 'specification',
      grep: SENTENCES,
      use: { ...desktop, colorScheme: 'light', replies: 'specified' },
    },
  ],
})
