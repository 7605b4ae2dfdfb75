import type { Page } from '@playwright/test'
import { listOptions, updateOption } from '@sluice/contract/routes/options'
import { createUser } from '@sluice/contract/routes/users'
import { startSite } from '@sluice/testkit/http-site'
import { openWorkbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'

const row = (page: Page, key: string) => page.locator(`#${key}`)
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const toast = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** Collects errors that the page writes to the browser's console from now on. */
function loggedBy(page: Page): string[] {
  const texts: string[] = []
  page.on('console', (message) => message.type() === 'error' && texts.push(message.text()))
  return texts
}

test('a search finds settings of all tabs while typing, is kept in the address, and the settings are edited where they are found', async ({
  rootPage: page,
}) => {
  await page.goto('/settings?tab=other')
  await expect(row(page, 'SystemName')).toBeVisible()
  await page.keyboard.press('/')
  const search = page.getByRole('textbox', { name: 'Search all settings…' })
  await expect(search).toBeFocused()
  // Typed more slowly than the address is updated, which must not undo what is typed meanwhile.
  await search.pressSequentially('LINK t', { delay: 250 })
  await search.pressSequentially('op')
  await expect(search).toHaveValue('LINK top')
  await expect(page.locator('[data-setting]')).toHaveCount(1)
  await expect(page.getByText('1 setting found')).toBeVisible()
  await expect(page).toHaveURL(/find=LINK/)
  await page.getByRole('textbox', { name: 'Top-up link' }).fill('https://draft.example.com')
  await search.fill('smtp')
  await expect(row(page, 'SMTPToken')).toBeVisible()
  await expect(row(page, 'TopUpLink')).toHaveCount(0)
  await search.fill('top-up')
  await expect(page.getByRole('textbox', { name: 'Top-up link' })).toHaveValue('https://draft.example.com')
  await page.getByRole('textbox', { name: 'Top-up link' }).press('Escape')
  await search.fill('no such thing')
  await expect(page.getByText('No setting matches “no such thing”.')).toBeVisible()
  await search.fill('updates')
  await expect(page.getByRole('button', { name: 'Check for updates' })).toBeVisible()
  await expect(page).toHaveURL(/find=updates/)
  await page.reload()
  await expect(card(page, 'System Updates')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(row(page, 'SystemName')).toBeVisible()
  await expect(page).not.toHaveURL(/find/)
})

test('a setting has an address of its own, and a search result leads to its card', async ({ rootPage: page }) => {
  await page.goto('/settings?tab=system#SMTPFrom')
  await expect(row(page, 'SMTPFrom')).toBeInViewport()
  await row(page, 'SMTPPort').getByRole('link', { name: 'SMTPPort' }).click()
  await expect(page).toHaveURL(/tab=system#SMTPPort$/)
  await page.goto('/settings?tab=system&find=RetryTimes')
  await page.getByRole('link', { name: 'Open Operation › Monitoring & Channel Settings' }).click()
  await expect(page).toHaveURL(/tab=operation#channelSettings$/)
  await expect(row(page, 'RetryTimes')).toBeInViewport()
  await expect(page.getByRole('textbox', { name: 'Search all settings…' })).toHaveValue('')
})

test('leaving asks first when something is not saved', async ({ rootPage: page }) => {
  await page.goto('/settings?tab=other')
  const name = page.getByRole('textbox', { name: 'System name' })
  await name.fill('Weir')
  await page.getByRole('link', { name: 'Operation' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(name).toHaveValue('Weir')
  await page.getByRole('link', { name: 'Operation' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(card(page, 'Quota Settings')).toBeVisible()
})

test(
  'a page is previewed as visitors will see it, and nothing in it runs',
  { tag: '@S14' },
  async ({ rootPage: page }) => {
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await page.goto('/settings?tab=other')
    await page.getByRole('button', { name: 'Preview of Home page' }).click()
    const preview = page.getByRole('region', { name: 'Preview of Home page' })
    await expect(preview).toContainText('Nothing to preview.')
    const entry = page.getByRole('textbox', { name: 'Home page' })
    await entry.fill('# Welcome\n\nto **us**')
    await expect(preview.getByRole('heading', { name: 'Welcome' })).toBeVisible()
    await entry.fill('<h2>Hello</h2><img src=x onerror="alert(1)"><script>alert(2)</script>')
    await expect(preview.getByRole('heading', { name: 'Hello' })).toBeVisible()
    expect(await preview.innerHTML()).not.toMatch(/onerror|<script/)
    expect(dialogs).toEqual([])
  },
)

test('the new name of the system is shown at once, everywhere', async ({ rootPage: page, workbench }) => {
  const before = (await workbench.root.call(listOptions)).find(({ key }) => key === 'SystemName')?.value ?? 'Sluice'
  try {
    await page.goto('/settings?tab=other')
    const name = page.getByRole('textbox', { name: 'System name' })
    await name.fill('Weir')
    await name.press('Enter')
    await expect(page).toHaveTitle('Settings · Weir')
    await expect(page.getByRole('banner')).toContainText('Weir')
  } finally {
    await workbench.root.call(updateOption, { body: { key: 'SystemName', value: before } })
  }
})

test(
  'logs older than 30 days, or than another date, are cleared after a question, and their number is shown',
  { tag: ['@C2.26', '@C2.27', '@C2.28', '@C7.3', '@C9.1', '@B8.14'] },
  async ({ rootPage: page, workbench }) => {
    const username = `cl${Date.now() % 1_000_000_000}`
    await workbench.root.call(createUser, { body: { username, password: `password-${username}`, quota: 5 } })
    const now = new Date('2026-11-21T12:00:00Z')
    await page.clock.setFixedTime(now)
    await page.goto('/settings?tab=operation')
    const date = page.getByLabel('Clear logs older than')
    await expect(date).toHaveValue(/^2026-10-22T12:00(:00)?$/)
    const calls: string[] = []
    page.on('request', (request) => request.method() === 'DELETE' && calls.push(new URL(request.url()).search))
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    const question = page.getByRole('alertdialog', { name: 'Clear old logs?' })
    await expect(question).toContainText('created before 2026-10-22 12:00:00 will be deleted')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(calls).toEqual([])
    // The gateway has its own clock, and logged the creation of this test's user in the current second, which must be over first.
    const created = Math.floor(Date.now() / 1_000)
    await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(created)
    await page.clock.setFixedTime(Date.now())
    const until = new Date().toISOString().slice(0, 19)
    await date.fill(until)
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    const answered = page.waitForResponse((reply) => reply.request().method() === 'DELETE')
    await question.getByRole('button', { name: 'Clear Logs' }).click()
    const { data } = await (await answered).json()
    expect(data).toBeGreaterThan(0)
    await expect(card(page, 'Log Management').getByText(`${data} entries cleared`)).toBeVisible()
    expect(calls).toEqual([`?target_timestamp=${Date.parse(`${until}Z`) / 1_000}`])
    await expect(row(page, 'LogClearedBefore')).toContainText(until.replace('T', ' '))
  },
)

test(
  'a failure to clear logs or to look for updates is only logged',
  { tag: ['@C2.30', '@C8.16'] },
  async ({ rootPage: page }) => {
    const logged = loggedBy(page)
    await page.route('**/api/log/*', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ json: { success: false, message: 'the disk is full' } })
        : route.fallback(),
    )
    await page.goto('/settings?tab=operation')
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear Logs' }).click()
    await expect(card(page, 'Log Management')).toContainText('No entries were cleared.')
    // The browser itself logs calls to paths that the server does not have.
    expect(logged.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([
      'Failed to clear logs: the disk is full',
    ])
    await page.goto('/settings?tab=other')
    await page.getByRole('button', { name: 'Check for updates' }).click()
    await expect(card(page, 'System Updates')).toContainText('No release information.')
    expect(logged.at(-1)).toMatch(/^Failed to check for updates: No release feed is configured/)
    await expect(toast(page).getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
  },
)

test('the newest release is shown with its notes', { tag: ['@C2.29', '@C3.30', '@C7.4'] }, async ({ page }) => {
  const site = await startSite(() => ({ body: { tag_name: 'v9.8.7', body: '## What is new\n\n- faster' } }))
  const bench = await openWorkbench({ SLUICE_RELEASE_FEED: site.url })
  try {
    const [name = '', value = ''] = bench.root.cookie.split('=')
    await page.context().addCookies([{ name, value, url: bench.gateway.url }])
    await page.addInitScript(() => {
      const user = { id: 1, username: 'root', display_name: '', role: 100, status: 1 }
      localStorage.setItem('sluice.session', JSON.stringify({ user, authenticated: true }))
    })
    await page.goto(`${bench.gateway.url}/settings?tab=other`)
    await page.getByRole('button', { name: 'Check for updates' }).click()
    const updates = card(page, 'System Updates')
    await expect(updates).toContainText('The newest release is v9.8.7.')
    await expect(updates.getByRole('heading', { name: 'What is new' })).toBeVisible()
    await expect(updates.getByRole('listitem')).toHaveText('faster')
  } finally {
    await bench.close()
    await site.close()
  }
})
