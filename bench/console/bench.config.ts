import { defineConfig, devices } from '@playwright/test'
import tests from '../../playwright.config.ts'

/** Times of the console in a real browser, one after the other: `npm run bench -- console`. */
export default defineConfig({
  ...tests,
  testDir: '.',
  fullyParallel: false,
  workers: 1,
  outputDir: '../../test-results/bench',
  projects: [{ name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } }],
})
