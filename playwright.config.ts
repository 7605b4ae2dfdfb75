import { defineConfig, devices } from '@playwright/test'

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
const BUDGETS = ['**/budgets.spec.ts', '**/playground-speed.spec.ts']

/** Made for replies that are cut down to the specification. */
const BARE = ['**/specified.spec.ts']
/**
 * Tests that name a sentence of the specification, and nothing that Sluice adds to it: they run with replies that are cut down to the
 * specification. What holds with less holds with more, which `tests/fuzz/replies.test.ts` proves of the reader of all replies.
 */
const SENTENCES = /^(?!.*@whole).*\[[ABC]\d\./
/** Runs them with whole replies as well. */
const BOTH = process.env['SLUICE_TEST_REPLIES'] === 'both'

/**
 * Browser tests of the console against the real gateway, which `tests/console/fixtures.ts` starts once per worker on a
 * fresh database. Every test runs on a light desktop; `look.spec.ts` shows every screen in both themes and all widths. Times are
 * measured last, when no other test takes the machine.
 */
export default defineConfig<object, { replies: 'whole' | 'specified' }>({
  testDir: 'tests',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  // One more than there are cores: a test waits for a fifth of its time.
  workers: 3,
  forbidOnly: true,
  retries: 0,
  timeout: 30_000,
  expect: { timeout: 7_500 },
  outputDir: 'test-results',
  reporter: 'list',
  use: {
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A fifth of the time of all browser tests; whoever wants to see a failure asks for it.
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
      testIgnore: [...BUDGETS, ...BARE],
      ...(BOTH ? {} : { grepInvert: SENTENCES }),
      use: { ...desktop, colorScheme: 'light' },
    },
    {
      name: 'specification',
      testIgnore: BUDGETS,
      grep: SENTENCES,
      use: { ...desktop, colorScheme: 'light', replies: 'specified' },
    },
    {
      name: 'budgets',
      testMatch: BUDGETS,
      fullyParallel: false,
      dependencies: ['desktop', 'specification'],
      use: desktop,
    },
  ],
})
