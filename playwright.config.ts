import { defineConfig, devices } from '@playwright/test'

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
const BUDGETS = ['**/budgets.spec.ts', '**/playground-speed.spec.ts']

/**
 * Browser tests of the console against the real gateway, which `tests/console/fixtures.ts` starts once per worker on a
 * fresh database. Every test runs on a light desktop; `look.spec.ts` shows every screen in both themes and all widths. Times are
 * measured last, when no other test takes the machine.
 */
export default defineConfig({
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
    { name: 'desktop', testIgnore: BUDGETS, use: { ...desktop, colorScheme: 'light' } },
    {
      name: 'budgets',
      testMatch: BUDGETS,
      fullyParallel: false,
      dependencies: ['desktop'],
      use: desktop,
    },
  ],
})
