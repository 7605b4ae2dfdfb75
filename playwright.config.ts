import { defineConfig, devices } from '@playwright/test'

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
const BUDGETS = '**/budgets.spec.ts'
const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } }

/**
 * Browser tests of the console against the real gateway, which `tests/console/fixtures.ts` starts once per worker on a
 * fresh database. Every test runs on a light desktop; those tagged `@look` run in both themes and on a phone as well. Times are
 * measured last, when no other test takes the machine.
 */
export default defineConfig({
  testDir: 'tests',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 30_000,
  expect: { timeout: 7_500 },
  outputDir: 'test-results',
  reporter: 'list',
  use: {
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'retain-on-failure',
    launchOptions: {
      // npm test names the Chromium it found; Chromium refuses its sandbox to root
      ...(process.env['SLUICE_TEST_CHROMIUM'] ? { executablePath: process.env['SLUICE_TEST_CHROMIUM'] } : {}),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
  projects: [
    { name: 'desktop', testIgnore: BUDGETS, use: { ...desktop, colorScheme: 'light' } },
    { name: 'desktop-dark', grep: /@look/, use: { ...desktop, colorScheme: 'dark' } },
    { name: 'phone', grep: /@look/, use: { ...phone, colorScheme: 'light' } },
    { name: 'phone-dark', grep: /@look/, use: { ...phone, colorScheme: 'dark' } },
    {
      name: 'budgets',
      testMatch: BUDGETS,
      fullyParallel: false,
      dependencies: ['desktop', 'desktop-dark', 'phone', 'phone-dark'],
      use: { ...desktop, trace: 'off' },
    },
  ],
})
