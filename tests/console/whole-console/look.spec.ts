import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { SCREENS } from '../screens/all.ts'

/** Widths at which nothing may be wider than the window, from small phones to large desktops. */
const PHONE = 390
const WIDTHS = [320, PHONE, 768, 1024, 1920]
/** From this width on, a list's default columns fit next to each other. */
const TABLES_FIT = 1440

async function expectNoSidewaysScroll(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  // Parts that depend on the window's width are redrawn a moment later.
  await expect.poll(beyond, { message: `pixels beyond a window of ${width}` }).toBe(0)
}

async function expectTablesToFit(page: Page): Promise<void> {
  const tables = page.locator('[data-scroll-restoration-id="table"]')
  const beyond = async () => {
    const hidden = await tables.evaluateAll((all) =>
      all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    )
    return hidden.filter((pixels) => pixels > 0)
  }
  await expect.poll(beyond, { message: `pixels that a table hides in a window of ${TABLES_FIT}` }).toEqual([])
}

/** One screen of each route, and everything that covers a page, is also checked in the dark theme, including its contrast. */
const FIRST_OF_ROUTE = new Set([...Map.groupBy(SCREENS, ({ route }) => route).values()].map(([first]) => first))
const OVERLAYS = 'dialog[open], [popover]:popover-open, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

for (const screen of SCREENS) {
  test(`${screen.name} is accessible and fits every width`, async ({ page, workbench, user, enter }) => {
    test.slow()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    const api = screen.as === 'root' ? workbench.root : user.api
    await screen.prepare?.(workbench, api)
    if (screen.as !== 'visitor') await enter(api)
    await screen.show(page)
    const route = screen.route?.replaceAll(/\$\w+/g, '[^/]+')
    if (route !== undefined) expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${route}$`))
    await expectNoSidewaysScroll(page, TABLES_FIT)
    await expectTablesToFit(page)
    const isLookedAtTwice = FIRST_OF_ROUTE.has(screen) || (await page.locator(OVERLAYS).count()) > 0
    // Checked on a desktop, and in the dark on a phone; `theme-colours.test.ts` proves all pairs of colours in both themes.
    await page.emulateMedia({ colorScheme: 'light' })
    await expectAccessible(page, { contrast: isLookedAtTwice })
    for (const width of WIDTHS) {
      await expectNoSidewaysScroll(page, width)
      if (width !== PHONE || !isLookedAtTwice) continue
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page)
    }
    expect(complaints).toEqual([])
  })
}

test('a phone shows cards with a menu instead of columns', { tag: '@A2.50' }, async ({ userPage: page, user }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await user.api.call(createToken, { body: { name: 'ci', unlimited_quota: true } })
  await page.goto('/tokens')
  const card = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')
  await expect(card).toContainText('ci')
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(card).not.toContainText(/Created|Last Access|Expires|Never/)
  await card.getByRole('button', { name: 'Actions for ci' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await expect(card).toContainText('Disabled')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const sheet = page.getByRole('dialog', { name: 'Main navigation' })
  await expect(sheet.getByRole('link', { name: 'Tokens' })).toBeVisible()
  await expectAccessible(page)
})
