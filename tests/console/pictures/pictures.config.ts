import { defineConfig, devices } from '@playwright/test'
import tests from '../../../playwright.config.ts'

/** Photographs every screen: `npm run pictures`. */
export default defineConfig({
  ...tests,
  testDir: '.',
  testMatch: 'take-pictures.ts',
  workers: 2,
  timeout: 90_000,
  outputDir: '../../../test-results/pictures',
  projects: [
    { name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } },
    { name: 'phone', use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 } },
  ],
})
