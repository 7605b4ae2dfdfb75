import { logout } from '@sluice/contract/routes/session'
import { expect, test } from '../fixtures.ts'

test('the header shows a visitor how to get in', { tag: ['@A2.1', '@A2.2'] }, async ({ page }) => {
  await page.goto('/login')
  const header = page.getByRole('banner')
  await expect(header.getByText('Sluice')).toBeVisible()
  await expect(header.getByRole('link', { name: 'Register' })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Login' })).toBeVisible()
})

test('a logo that cannot be loaded gives way to the one of Sluice', async ({ page }) => {
  await page.route('**/api/status?*', async (route) => {
    const response = await route.fetch()
    const reply = await response.json()
    await route.fulfill({ response, json: { ...reply, data: { ...reply.data, logo: '/logo-that-is-gone.png' } } })
  })
  const asked = page.waitForRequest('**/logo-that-is-gone.png')
  await page.goto('/login')
  await asked
  const header = page.getByRole('banner')
  await expect(header.getByText('Sluice')).toBeVisible()
  await expect(header.locator('img')).toHaveCount(0)
  await expect(header.locator('a svg')).toBeVisible()
})

test(
  'a user sees no operator screens, an administrator does',
  { tag: ['@A2.4', '@A2.5', '@A6.1', '@A6.2'] },
  async ({ userPage, browser, workbench }) => {
    await userPage.goto('/tokens')
    const rail = userPage.getByRole('navigation', { name: 'Main navigation' })
    await expect(rail.getByRole('link', { name: 'Tokens' })).toHaveAttribute('aria-current', 'page')
    for (const [name, path] of [
      ['Dashboard', '/dashboard'],
      ['Tokens', '/tokens'],
      ['Logs', '/logs'],
      ['Top Up', '/topup'],
      ['Models', '/models'],
      ['Status', '/status'],
      ['About', '/about'],
    ] as const)
      await expect(rail.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
    const operator = ['Channels', 'Users', 'Redemptions', 'Settings']
    for (const name of operator) await expect(rail.getByRole('link', { name })).toHaveCount(0)

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
    for (const name of operator) {
      const link = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name })
      await expect(link).toHaveAttribute('href', `/${name.toLowerCase()}`)
    }
    await context.close()
  },
)

test('keyboard shortcuts lead through the console and are listed', async ({ userPage: page }) => {
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

test(
  'the theme is chosen, stored and set before the first paint',
  { tag: ['@A1.4', '@A1.7', '@A9.17', '@C9.15'] },
  async ({ userPage: page, user }) => {
    await page.goto('/tokens')
    await page.getByRole('button', { name: `Account menu for ${user.username}` }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    expect(await page.evaluate(() => localStorage.getItem('one-api-theme'))).toBe('dark')
    await page.reload({ waitUntil: 'commit' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  },
)

test(
  'without a choice the theme is that of the operating system, and follows it at once',
  { tag: ['@A1.6', '@C1.12', '@C2.58'] },
  async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).not.toBe(light)
  },
)

test('the language changes every text and is stored', async ({ userPage: page, user }) => {
  await page.goto('/tokens')
  await page.getByRole('button', { name: `Account menu for ${user.username}` }).click()
  await page.getByRole('menuitemradio', { name: '简体中文' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('令牌')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('令牌')
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

test(
  'logging out asks first, says when it is busy, and clears what was stored',
  { tag: ['@A2.1', '@A2.3', '@A3.2', '@A9.18'] },
  async ({ userPage: page, user }) => {
    await page.goto('/tokens')
    await page.evaluate(() => localStorage.setItem('sluice.playground.model', '"gpt-5"'))
    const menu = page.getByRole('button', { name: `Account menu for ${user.username}` })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    const question = page.getByRole('alertdialog', { name: 'Confirm logout' })
    await expect(question).toContainText(
      "Are you sure you want to log out? You'll need to sign in again to access your dashboard.",
    )
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toHaveCount(0)
    await expect(menu).toBeFocused()

    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(`**${logout.path}?*`, async (route) => {
      await held
      await route.continue()
    })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await question.getByRole('button', { name: 'Log out' }).click()
    await expect(question.getByRole('button', { name: 'Logging out…' })).toBeVisible()
    answer()
    await expect(page).toHaveURL(/\/login$/)
    const kept = await page.evaluate(() => Object.keys(localStorage))
    expect(kept.filter((key) => /session|playground/.test(key))).toEqual([])
  },
)

test(
  'a session that ends in one tab ends in all of them',
  { tag: ['@A2.7', '@A6.6'] },
  async ({ userPage: page, context }) => {
    await page.goto('/tokens?size=20')
    const other = await context.newPage()
    await other.goto('/tokens')
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Tokens')
    await other.route('**/api/token/?*', (route) =>
      route.fulfill({ status: 401, json: { success: false, message: 'not logged in' } }),
    )
    await other.getByRole('button', { name: 'Refresh' }).click()
    await expect(other).toHaveURL(/\/login\?redirect_to=%2Ftokens$/)
    await expect(page).toHaveURL(/\/login\?redirect_to=%2Ftokens%3Fsize%3D20$/)
  },
)

test(
  'the navigation fits the window: hidden, narrow or wide',
  { tag: ['@A1.4', '@A9.3'] },
  async ({ userPage: page }) => {
    await page.goto('/tokens')
    const rail = page.getByRole('navigation', { name: 'Main navigation' })
    const button = page.getByRole('button', { name: 'Open navigation' })
    const look = async (width: number) => {
      await page.setViewportSize({ width, height: 800 })
      return (await rail.isVisible()) ? ((await rail.getByText('Tokens').isVisible()) ? 'wide' : 'narrow') : 'hidden'
    }
    await expect(rail).toBeVisible()
    await expect.poll(() => look(767)).toBe('hidden')
    await expect(button).toBeVisible()
    await expect.poll(() => look(768)).toBe('narrow')
    await expect(button).toBeHidden()
    await expect.poll(() => look(1_023)).toBe('narrow')
    await expect.poll(() => look(1_024)).toBe('wide')
    const created = page.getByRole('columnheader', { name: 'Created' })
    await page.setViewportSize({ width: 1_279, height: 800 })
    await expect(created).toHaveCount(0)
    await page.setViewportSize({ width: 1_280, height: 800 })
    await expect(created).toBeVisible()
  },
)

test('without a connection the console says so, and when it is back', async ({ userPage: page, context }) => {
  await page.goto('/tokens')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
  await context.setOffline(true)
  await expect(page.getByText('You are offline. What you see may be out of date.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You are online again.')).toBeVisible()
})

test('newer code on the server is offered, not forced on anyone', async ({ userPage: page }) => {
  await page.clock.install()
  await page.goto('/tokens')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
  const document = await page.request.get('/')
  const newer = (await document.text()).replace(/assets\/index-[^.]+\.js/, 'assets/index-newer.js')
  await page.route('**/', (route) => route.fulfill({ body: newer, contentType: 'text/html' }))
  await page.clock.runFor(5 * 60_000)
  const banner = page.getByRole('status').filter({ hasText: 'A new version of the console is available.' })
  await banner.getByRole('button', { name: 'Later' }).click()
  await expect(banner).toHaveCount(0)
  await page.clock.runFor(5 * 60_000)
  const reload = banner.getByRole('button', { name: 'Reload' })
  await expect(reload).toBeVisible()
  await page.unroute('**/')
  await reload.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
  await expect(banner).toHaveCount(0)
})

test('a page whose code is gone offers to reload instead of doing so on its own', async ({ userPage: page }) => {
  await page.goto('/tokens')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tokens')
  await page.evaluate(() => Reflect.set(globalThis, 'stillThere', true))
  await page.route(/assets\/(dashboard-page|area-dashboard)/, (route) => route.abort())
  await page.getByRole('link', { name: 'Dashboard' }).click()
  const reload = page.getByRole('main').getByRole('button', { name: 'Reload' })
  await expect(reload).toBeVisible()
  expect(await page.evaluate<boolean>(() => Reflect.get(globalThis, 'stillThere'))).toBe(true)
  await page.unroute(/assets\/(dashboard-page|area-dashboard)/)
  await reload.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
})

test(
  'without the public settings the defaults apply',
  { tag: ['@A1.4', '@A2.1', '@A9.4', '@C1.12', '@C2.57', '@C9.14'] },
  async ({ userPage: page }) => {
    await page.route('**/api/status?*', (route) => route.abort())
    await page.goto('/tokens/add')
    await expect(page.getByRole('banner').getByText('One API')).toBeVisible()
    await expect(page.locator('footer')).toContainText('Version 1.0.0')
    // The form starts with half a million points, which are one dollar.
    await expect(page.getByLabel('Remaining quota')).toHaveValue('500000')
    await expect(page.getByText('$1.00')).toBeVisible()
  },
)
