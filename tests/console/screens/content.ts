import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

const MARKDOWN = `# Welcome

Our **own** words with \`code\` and [a link](https://example.com/).

- one
- two

| Plan | Price |
|------|------:|
| Small | $1 |

> Quoted

\`\`\`bash
curl https://example.com/a/rather/long/address/that/does/not/fit/on/a/phone/without/scrolling/in/its/own/box
\`\`\`

<p>Some <b>HTML</b> between</p>
`
const HTML = '<h2>About us</h2><p>We are <i>here</i>.</p><table><tr><td>Plan</td><td>Price</td></tr></table>'

/** The operators' texts, for this page only, because the settings behind them are shared. */
async function written(page: Page): Promise<void> {
  const answer = (path: string, data: string) =>
    page.route(`**/api/${path}?*`, (route) => route.fulfill({ json: { success: true, message: '', data } }))
  await answer('home_page_content', MARKDOWN)
  await answer('about', HTML)
  await answer('notice', '# Maintenance on Sunday\n\nFrom 02:00 to **03:00** UTC.')
  await page.route('**/api/status?*', async (route) => {
    const json = await (await route.fetch()).json()
    const footer_html = '<a href="https://example.com">Imprint</a> · <b>Example Ltd</b>'
    await route.fulfill({ json: { ...json, data: { ...json.data, notice_id: 'look', footer_html } } })
  })
}

export const contentScreens: readonly Screen[] = [
  {
    name: 'home',
    route: '/',
    as: 'user',
    show: async (page) => {
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Welcome to /)
      await expect(page.getByRole('tabpanel')).toBeVisible()
    },
  },
  {
    name: 'home-written',
    route: '/',
    as: 'user',
    show: async (page) => {
      await written(page)
      await page.goto('/')
      await expect(page.getByText('Maintenance on Sunday')).toBeVisible()
      await expect(page.getByText('HTML', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'notice',
    route: '/about',
    as: 'user',
    show: async (page) => {
      await written(page)
      await page.goto('/about')
      await page.getByRole('button', { name: 'Read more' }).click()
      await expect(page.getByRole('dialog', { name: 'Notice' }).getByText('03:00')).toBeVisible()
    },
  },
  {
    name: 'about',
    route: '/about',
    as: 'user',
    show: async (page) => {
      await page.goto('/about')
      await expect(page.getByRole('heading', { name: 'Features' })).toBeVisible()
    },
  },
  {
    name: 'about-written',
    route: '/about',
    as: 'user',
    show: async (page) => {
      await written(page)
      await page.goto('/about')
      await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
    },
  },
  {
    name: 'not-found',
    as: 'user',
    show: async (page) => {
      // Holds the countdown's steps of a second; the timers of the examination run.
      await page.addInitScript(() => {
        const start = globalThis.setTimeout
        const held = (run: () => void, delay?: number) => (delay === 1_000 ? 0 : start(run, delay))
        Reflect.set(globalThis, 'setTimeout', held)
      })
      await page.goto('/no/such/page')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
    },
  },
]
