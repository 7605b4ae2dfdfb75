import { expect, expectAccessible, test } from './fixtures.ts'

test('the header tells a visitor how to get in', async ({ page }) => {
  await page.goto('/login')
  const header = page.getByRole('banner')
  await expect(header.getByText('Sluice')).toBeVisible()
  await expect(header.getByRole('link', { name: 'Login' })).toBeVisible()
})

test('a user sees no operator screens, an administrator does', async ({ userPage, browser, workbench }) => {
  await userPage.goto('/tokens')
  const rail = userPage.getByRole('navigation', { name: 'Main navigation' })
  await expect(rail.getByRole('link', { name: 'Tokens' })).toHaveAttribute('aria-current', 'page')
  await expect(rail.getByRole('link', { name: 'Channels' })).toHaveCount(0)

  const context = await browser.newContext({ baseURL: workbench.gateway.url })
  const page = await context.newPage()
  await page.goto('/login')
  const [name = '', value = ''] = workbench.root.cookie.split('=')
  await context.addCookies([{ name, value, url: workbench.gateway.url }])
  await page.evaluate(() => {
    const user = { id: 1, username: 'root', display_name: '', role: 100, status: 1 }
    localStorage.setItem('sluice.session', JSON.stringify({ user, authenticated: true }))
  })
  await page.goto('/tokens')
  await expect(page.getByRole('link', { name: 'Channels' })).toBeVisible()
  await context.close()
})

test('keys lead through the console and are listed', async ({ userPage: page }) => {
  await page.goto('/tokens')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create Token')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Search tokens by name...' })).toBeFocused()
  // Typing is typing: no shortcut fires.
  await page.keyboard.type('n')
  await expect(page).toHaveURL(/\/tokens$/)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Shift+?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('Search tokens')
  await help.getByRole('checkbox', { name: 'Use single-key shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/\/tokens$/)
})

test('the theme is chosen, kept and set before the first paint', async ({ userPage: page, user }) => {
  await page.goto('/tokens')
  await page.getByRole('button', { name: `Account menu of ${user.username}` }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(await page.evaluate(() => localStorage.getItem('one-api-theme'))).toBe('dark')
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('the system theme follows the operating system at once', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await background()).not.toBe(light)
})

test('the language changes every text and is kept', async ({ userPage: page, user }) => {
  await page.goto('/tokens')
  await page.getByRole('button', { name: `Account menu of ${user.username}` }).click()
  await page.getByRole('menuitemradio', { name: '简体中文' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('令牌')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('令牌')
})

test('an unknown address says so and leads home after five seconds', async ({ userPage: page }) => {
  await page.addInitScript(() => {
    // Every text of the countdown, from the first one on; looking from outside could come too late.
    const seen: string[] = []
    Reflect.set(globalThis, 'seenCounts', seen)
    new MutationObserver(() => {
      const text = document.querySelector('[role=timer]')?.textContent ?? ''
      if (text !== '' && text !== seen.at(-1)) seen.push(text)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await page.clock.install()
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await expect(page.getByRole('button', { name: 'Go Home Now' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Go Back' })).toBeVisible()
  const counts = await page.evaluate<string[]>(() => Reflect.get(globalThis, 'seenCounts'))
  expect(counts[0]).toContain('5')
  await page.clock.runFor(5_000)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the page for unknown addresses is accessible @look', async ({ page }) => {
  // The countdown's steps of a second are held, the examination's own timers run.
  await page.addInitScript(() => {
    const start = globalThis.setTimeout
    const held = (run: () => void, delay?: number) => (delay === 1_000 ? 0 : start(run, delay))
    Reflect.set(globalThis, 'setTimeout', held)
  })
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await expectAccessible(page)
})

test('the console runs under a strict content security policy without a complaint', async ({ userPage: page }) => {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  const response = await page.goto('/tokens')
  const policy = response?.headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/script-src 'self'(;|$)/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
  await page.goto('/tokens/add')
  await page.getByRole('combobox', { name: 'Allowed models' }).click()
  await expect(page.getByRole('listbox')).toBeVisible()
  expect(complaints).toEqual([])
})
