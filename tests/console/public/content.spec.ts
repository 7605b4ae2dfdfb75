import type { Page } from '@playwright/test'
import { updateOption } from '@sluice/contract/routes/options'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import { expect, test as base } from '../fixtures.ts'

/** Everyone sees what operators write, so these tests have a gateway of their own. */
const test = base.extend<{ readonly write: (key: ContentKey, value: string) => Promise<void> }, { own: Workbench }>({
  own: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern here
    async ({}, use) => {
      const own = await openWorkbench()
      await use(own)
      await own.close()
    },
    { scope: 'worker' },
  ],
  workbench: [({ own }, use) => use(own), { scope: 'worker' }],
  write: async ({ own }, use) => {
    const write = async (key: ContentKey, value: string) => {
      await own.root.call(updateOption, { body: { key, value } })
    }
    await use(write)
    for (const key of ['HomePageContent', 'About', 'Footer', 'Notice'] as const) await write(key, '')
  },
})
type ContentKey = 'HomePageContent' | 'About' | 'Footer' | 'Notice'

const HOSTILE_HTML = [
  '<h2 id="root" class="fixed inset-0">Title</h2>',
  '<img src=x onerror="document.title=1">',
  '<script>document.title="ran"</script>',
  '<svg onload="document.title=1"><a href="javascript:alert(1)">x</a></svg>',
  '<iframe srcdoc="<script>parent.document.title=1</script>"></iframe>',
  '<form action="https://evil.test"><input name="password"><button>Go</button></form>',
  '<a href="javascript:alert(1)">script link</a><a href=" data:text/html,x">data link</a>',
  '<a href="https://example.com/x">good link</a>',
  '<label for="root" accesskey="s" tabindex="9">pressed elsewhere</label><p popover="manual">above all</p>',
  '<style>body{display:none}</style><base href="https://evil.test"><meta http-equiv="refresh" content="0;url=//evil.test">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
].join('')

/** Expects that hostile content does not run, make requests, navigate away or cover anything. */
async function expectTame(page: Page, place: string): Promise<void> {
  const content = page.locator(`${place} .prose`).first()
  await expect(content.getByRole('link', { name: 'good link' })).toHaveAttribute('rel', /noopener.*noreferrer/)
  const found = await content.evaluate((element) => ({
    risky: [...element.querySelectorAll('script,style,iframe,form,input,button,svg,math,base,meta,object,embed')]
      .length,
    handlers: [...element.querySelectorAll<HTMLElement>('*')].flatMap((each) =>
      each
        .getAttributeNames()
        // Only our own code makes scrollable parts reachable by keyboard.
        .filter((name) => /^(on.*|id|class|name|srcdoc|for|popover|accesskey)$/.test(name) || each.tabIndex > 0),
    ),
    links: [...element.querySelectorAll('a')].map((link) => link.getAttribute('href')).filter((href) => href !== null),
  }))
  expect(found).toEqual({ risky: 0, handlers: [], links: ['https://example.com/x'] })
  expect(await page.title()).not.toMatch(/^(1|ran)/)
}

test(
  'HTML of home, about and footer can neither run nor make requests nor leave its place',
  { tag: '@S14' },
  async ({ userPage: page, write }) => {
    for (const key of ['HomePageContent', 'About', 'Footer'] as const) await write(key, HOSTILE_HTML)
    await page.goto('/')
    await expectTame(page, '#main > div')
    await expectTame(page, 'footer')
    await expect(page.getByRole('banner')).toBeVisible()
    await page.goto('/about')
    await expectTame(page, '#main > div')
  },
)

test(
  'hostile markdown creates no HTML on the home page, and the notice shows only a line of text',
  { tag: '@S14' },
  async ({ userPage: page, write }) => {
    await write(
      'HomePageContent',
      `Hello **you**\n\n[bad](javascript:alert(1)) [good link](https://example.com/x)\n\n${HOSTILE_HTML}`,
    )
    await write('Notice', `Mind <img src=x onerror="document.title=1"> this\n\n${HOSTILE_HTML}`)
    await page.goto('/')
    const content = page.locator('#main .prose').first()
    await expect(content.locator('strong')).toHaveText('you')
    await expect(content.locator('a[href^="javascript"], script, iframe, form, [onerror]')).toHaveCount(0)
    await expect(content).toContainText('bad good link')
    const notice = page.getByRole('region', { name: 'Notice' })
    await expect(notice).toContainText('Mind this')
    await notice.getByRole('button', { name: 'Read more' }).click()
    const dialog = page.getByRole('dialog', { name: 'Notice' })
    await expect(dialog.getByText('good link')).toBeVisible()
    await expect(dialog.locator('script, iframe, form, [onerror], a[href^="javascript"]')).toHaveCount(0)
    expect(await page.title()).not.toMatch(/^(1|ran)/)
  },
)

test(
  'home shows the stored content first, then the fresh one',
  { tag: ['@A1.5', '@A2.8', '@A4.23', '@A7.4'] },
  async ({ userPage: page, write }) => {
    await write('HomePageContent', '# First edition')
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'First edition' })).toBeVisible()
    await write('HomePageContent', '<h2>Second edition</h2>')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/home_page_content*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'First edition' })).toBeVisible()
    release()
    await expect(page.getByRole('heading', { name: 'Second edition' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'First edition' })).toHaveCount(0)
    await page.unroute('**/api/home_page_content*')
    await page.route('**/api/home_page_content*', (route) => route.abort())
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Second edition' })).toBeVisible()
  },
)

test(
  'home without content shows a welcome with the address, a first request and further links',
  { tag: ['@A2.8', '@C2.4'] },
  async ({ userPage: page, address }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Sluice')
    await expect(page.getByText(`${address}/v1`, { exact: true })).toBeVisible()
    await page.getByRole('tab', { name: 'Python' }).click()
    await expect(page.getByRole('tabpanel')).toContainText('from openai import OpenAI')
    await page.getByRole('navigation', { name: 'Where to go' }).getByRole('link', { name: 'Models and prices' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Supported Models')
  },
)

test(
  'an https address is embedded in isolation and reaches neither console nor window',
  { tag: ['@S14', '@A1.5', '@B2.40'] },
  async ({ userPage: page, write }) => {
    await page.route('https://status.example.com/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<h1>Their page</h1><script>try{top.location="https://evil.test"}catch{}</script>',
      }),
    )
    await write('HomePageContent', ' https://status.example.com/now ')
    await write('About', 'https://status.example.com/about')
    for (const path of ['/', '/about']) {
      await page.goto(path)
      const frame = page.locator('iframe[title="Page from status.example.com"]')
      await expect(frame.contentFrame().getByRole('heading')).toHaveText('Their page')
      const sandbox = (await frame.getAttribute('sandbox'))?.split(' ') ?? []
      expect(sandbox).not.toContain('allow-same-origin')
      expect(sandbox.filter((word) => word.startsWith('allow-top-navigation'))).toEqual([])
      expect(await frame.getAttribute('referrerpolicy')).toBe('no-referrer')
      await expect(page).toHaveURL(new RegExp(`${path}$`))
      await expect(page.getByRole('link', { name: 'Open status.example.com in a new tab' })).toBeVisible()
    }
  },
)

test(
  'about shows what the operators wrote, a text of its own, or that it failed to load',
  { tag: ['@B2.12', '@B2.13', '@B2.40', '@B7.25', '@B8.10', '@C2.11'] },
  async ({ userPage: page, write }) => {
    await page.goto('/about')
    const features = page.getByRole('heading', { name: 'Features' })
    await expect(features).toBeVisible()
    await expect(page.locator('#main').getByRole('listitem').first()).toBeVisible()
    await expect(page.locator('#main').getByRole('link', { name: 'See supported models and prices' })).toHaveAttribute(
      'href',
      '/models',
    )
    await write('About', '<p>We run this.</p>')
    await page.reload()
    await expect(page.getByText('We run this.')).toBeVisible()
    await expect(features).toHaveCount(0)
    await page.route('**/api/about*', (route) => route.fulfill({ json: { success: false, message: 'no' } }))
    await page.reload()
    await expect(page.getByRole('alert')).toHaveText('About content failed to load.')
  },
)

test(
  'the footer has copyright, year, version and what the operators add, and is not shown on phones',
  { tag: '@A1.4' },
  async ({ userPage: page, write, address }) => {
    await write('Footer', '<a href="https://example.com">Imprint</a>')
    await page.goto('/about')
    const footer = page.locator('footer')
    await expect(footer).toContainText(`© ${new Date().getFullYear()} Sluice`)
    const { data } = await (await fetch(`${address}/api/status`)).json()
    await expect(footer).toContainText(`Version ${data.version ?? '1.0.0'}`)
    await expect(footer.getByRole('link', { name: 'Imprint' })).toHaveAttribute('target', '_blank')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(footer).toBeHidden()
  },
)

test('a notice stays until it is dismissed, is fetched once, and comes back when it changes', async ({
  userPage: page,
  write,
}) => {
  let requests = 0
  page.on('request', (request) => (requests += Number(new URL(request.url()).pathname === '/api/notice')))
  await write('Notice', 'Maintenance on Sunday')
  await page.goto('/about')
  const notice = page.getByRole('region', { name: 'Notice' })
  await expect(notice).toHaveText('Maintenance on Sunday')
  await page.goto('/models')
  await expect(notice).toHaveText('Maintenance on Sunday')
  expect(requests).toBe(1)
  await notice.getByRole('button', { name: 'Dismiss notice' }).click()
  await expect(notice).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Supported Models')
  await expect(notice).toHaveCount(0)
  await write('Notice', 'Maintenance on Monday')
  await page.reload()
  await expect(notice).toHaveText('Maintenance on Monday')
})

test(
  'an unknown address counts down from five and is replaced by home; Go Back works',
  { tag: ['@C1.10', '@C2.15', '@C2.45', '@C2.46', '@C8.17', '@C9.7'] },
  async ({ userPage: page }) => {
    await page.goto('/about')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('About')
    await page.clock.install()
    await page.goto('/no/such/page')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
    await page.getByRole('button', { name: 'Go Back' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('About')
    await page.goto('/no/such/page')
    await page.getByRole('button', { name: 'Go Home Now' }).click()
    await expect(page).toHaveURL(/\/$/)
    await page.goto('/about')
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.goto('/no/such/page')
    for (const left of [5, 4, 3, 2, 1]) {
      await expect(page.getByRole('timer')).toContainText(String(left))
      await page.clock.runFor(1_000)
    }
    await expect(page).toHaveURL(/\/$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/about$/)
  },
)
