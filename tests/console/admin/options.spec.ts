import type { Page, Request } from '@playwright/test'
import { listOptions, updateOption } from '@sluice/contract/routes/options'
import { createUser } from '@sluice/contract/routes/users'
import { ROOT_PASSWORD } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'

const row = (page: Page, key: string) => page.locator(`#${key}`)
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const toast = (page: Page) => page.getByRole('region', { name: 'Notifications' })

async function stored({ root }: Workbench, key: string): Promise<string | undefined> {
  return (await root.call(listOptions)).find((option) => option.key === key)?.value
}

/** Collects the bodies of saves from now on. */
function savesOf(page: Page): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request: Request) => {
    if (request.method() === 'PUT' && request.url().includes('/api/option/')) bodies.push(request.postDataJSON())
  })
  return bodies
}

/** Restores the settings afterwards. */
async function restoring(bench: Workbench, keys: readonly string[], run: () => Promise<void>): Promise<void> {
  const before = await bench.root.call(listOptions)
  try {
    await run()
  } finally {
    const body = before.filter(({ key }) => keys.includes(key))
    if (body.length > 0) await bench.root.call(updateOption, { body })
  }
}

test(
  'root finds every option on the cards of three tabs',
  { tag: ['@C1.2', '@C1.4', '@C1.6', '@C2.18', '@C2.21', '@C2.22', '@C2.23', '@C2.25', '@C6.1', '@C7.1', '@B7.21'] },
  async ({ rootPage: page, workbench }) => {
    const request = page.waitForRequest(
      (request) => request.url().includes('/api/option/') && request.method() === 'GET',
    )
    await page.goto('/settings')
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await expect(tabs).toHaveText(['Personal', 'Operation', 'System', 'Other'])
    const cards = {
      Operation: ['Quota Settings', 'General Settings', 'Monitoring & Channel Settings', 'Log Management'],
      System: ['Authentication', 'OAuth', 'Security', 'Email', 'Message Pusher', 'Other Settings'],
      Other: ['System Branding', 'Content Management', 'System Updates'],
    }
    const placed: string[] = []
    for (const [tab, names] of Object.entries(cards)) {
      await tabs.filter({ hasText: tab }).click()
      await expect(tabs.filter({ hasText: tab })).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('heading', { level: 2 })).toHaveText(names)
      placed.push(...(await page.locator('[data-setting]').evaluateAll((rows) => rows.map(({ id }) => id))))
    }
    await request
    const known = (await workbench.root.call(listOptions)).map(({ key }) => key)
    expect(placed).toEqual(expect.arrayContaining(known))
  },
)

test(
  'an administrator below root sees the Personal tab alone',
  { tag: ['@C1.6', '@C2.21', '@C6.2'] },
  async ({ page, workbench, enter }) => {
    const account = { username: `oa${Date.now() % 1_000_000_000}`, password: `${ROOT_PASSWORD}-a`, role: 10 }
    await workbench.root.call(createUser, { body: account })
    await enter(await signIn(workbench.gateway.url, account.username, account.password))
    const requested: string[] = []
    page.on('request', (request) => request.url().includes('/api/option') && requested.push(request.url()))
    await page.goto('/settings?tab=system')
    await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link')).toHaveText(['Personal'])
    await expect(page.getByLabel('Username')).toBeVisible()
    expect(requested).toEqual([])
  },
)

test(
  'a field saves on its own, only when it changed, and can be undone',
  { tag: ['@C3.1', '@C4.4', '@C4.5', '@C4.8', '@C7.2', '@C8.1'] },
  async ({ rootPage: page, workbench }) => {
    await restoring(workbench, ['ChatLink', 'TopUpLink'], async () => {
      const saves = savesOf(page)
      await page.goto('/settings?tab=operation')
      const link = page.getByRole('textbox', { name: 'Chat link' })
      const other = page.getByRole('textbox', { name: 'Top-up link' })
      await other.fill('https://not-saved.example.com')
      await link.fill('https://chat.example.com')
      await link.press('Enter')
      await expect(toast(page)).toContainText('Setting saved')
      await expect(toast(page)).toContainText('ChatLink updated successfully')
      await expect(row(page, 'ChatLink')).toContainText('Saved')
      expect(await stored(workbench, 'ChatLink')).toBe('https://chat.example.com')
      await link.press('Enter')
      await link.fill(' https://chat.example.com ')
      await link.press('Enter')
      await expect(link).toHaveValue('https://chat.example.com')
      expect(saves).toEqual([{ key: 'ChatLink', value: 'https://chat.example.com' }])
      await link.fill('https://chat.example.org')
      await page.getByRole('button', { name: 'Save Chat link' }).click()
      await expect(row(page, 'ChatLink')).toBeFocused()
      await row(page, 'ChatLink').getByRole('button', { name: 'Undo' }).click()
      await expect(link).toHaveValue('https://chat.example.com')
      await expect(row(page, 'ChatLink').getByRole('button')).toHaveCount(0)
      expect(await stored(workbench, 'ChatLink')).toBe('https://chat.example.com')
      await expect(other).toHaveValue('https://not-saved.example.com')
      await other.press('Escape')
      await expect(other).toHaveValue('')
      expect(saves).toHaveLength(3)
    })
  },
)

test(
  'a rejected entry gives way to the stored value and the reason, and can be brought back',
  { tag: ['@C4.5', '@C7.2', '@C8.1'] },
  async ({ rootPage: page }) => {
    await page.goto('/settings?tab=system')
    const server = page.getByRole('textbox', { name: 'SMTP server' })
    const before = await server.inputValue()
    const shown = 'SMTPServer must be a host name or address without a port'
    await server.fill('mail.example.com:25')
    await server.press('Enter')
    await expect(toast(page)).toContainText('Save failed')
    await expect(toast(page)).toContainText(shown)
    await expect(server).toHaveValue(before)
    await expect(row(page, 'SMTPServer')).toContainText(`Not saved: ${shown}`)
    await row(page, 'SMTPServer').getByRole('button', { name: 'Restore my entry' }).click()
    await expect(server).toHaveValue('mail.example.com:25')
    await page.route('**/api/option/', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    )
    await server.fill('mail.example.com')
    await server.press('Enter')
    await expect(toast(page)).toContainText('Unknown error')
    await expect(server).toHaveValue(before)
    await expect(row(page, 'SMTPServer')).toContainText('The server cannot be reached.')
  },
)

test(
  'a switch saves at once, goes back when it is rejected, and is undone from the toast',
  { tag: ['@C3.1', '@C3.16', '@C4.5', '@C4.6'] },
  async ({ rootPage: page, workbench }) => {
    await restoring(workbench, ['DisplayTokenStatEnabled'], async () => {
      await page.goto('/settings?tab=operation')
      const control = page.getByRole('switch', { name: 'Billing calls return the token’s quota' })
      await expect(control).toBeChecked()
      let answer = () => {}
      const held = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/api/option/', async (route) => {
        if (route.request().method() !== 'PUT') return route.fallback()
        await held
        await route.fulfill({ json: { success: false, message: 'not today' } })
      })
      await control.click()
      await expect(control).not.toBeChecked()
      await expect(row(page, 'DisplayTokenStatEnabled')).toContainText('Saving…')
      answer()
      await expect(control).toBeChecked()
      await expect(row(page, 'DisplayTokenStatEnabled')).toContainText('Not saved: not today')
      await page.unroute('**/api/option/')
      const saves = savesOf(page)
      await control.click()
      expect(saves).toEqual([{ key: 'DisplayTokenStatEnabled', value: 'false' }])
      await expect(toast(page)).toContainText('DisplayTokenStatEnabled updated successfully')
      expect(await stored(workbench, 'DisplayTokenStatEnabled')).toBe('false')
      await toast(page).getByRole('button', { name: 'Undo' }).click()
      await expect(control).toBeChecked()
      await expect.poll(() => stored(workbench, 'DisplayTokenStatEnabled')).toBe('true')
    })
  },
)

test(
  'a secret is never shown, is cleared once it is saved, and says whether it is set',
  { tag: ['@S20', '@S33', '@C3.15', '@C4.7', '@whole'] },
  async ({ rootPage: page, workbench }) => {
    const remove = { body: { key: 'MessagePusherToken', value: '', clear: true } }
    try {
      const saves = savesOf(page)
      await page.goto('/settings?tab=system')
      const secret = page.getByRole('textbox', { name: 'Message pusher token' })
      const place = row(page, 'MessagePusherToken')
      await expect(place).toContainText('Not set')
      await expect(secret).toHaveValue('')
      await secret.fill('canary-4471')
      await secret.press('Enter')
      await expect(place.getByText('Set', { exact: true })).toBeVisible()
      await expect(secret).toHaveValue('')
      await expect(place.getByRole('button', { name: 'Undo' })).toHaveCount(0)
      await page.reload()
      await expect(place.getByText('Set', { exact: true })).toBeVisible()
      await expect(secret).toHaveValue('')
      expect(await page.content()).not.toContain('canary-4471')
      await secret.fill('   ')
      await secret.press('Enter')
      expect(saves).toEqual([{ key: 'MessagePusherToken', value: 'canary-4471' }])
      await page.getByRole('button', { name: 'Remove Message pusher token' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await expect(place).toContainText('Not set')
      expect(saves.at(-1)).toEqual({ key: 'MessagePusherToken', value: '', clear: true })
    } finally {
      await workbench.root.call(updateOption, remove)
    }
  },
)

test('a number below 0 is reported where it is entered and not sent', { tag: '@C5.1' }, async ({ rootPage: page }) => {
  const saves = savesOf(page)
  await page.goto('/settings?tab=operation')
  for (const [name, key] of [
    ['Quota for new users', 'QuotaForNewUser'],
    ['Failure threshold', 'ChannelDisableThreshold'],
    ['Retries', 'RetryTimes'],
  ] as const) {
    const field = page.getByRole('textbox', { name, exact: true })
    const before = await field.inputValue()
    await field.fill('-1')
    await field.press('Enter')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/number from 0 to/)
    await expect(field).toHaveValue('-1')
    await row(page, key)
      .getByRole('button', { name: `Revert ${name}` })
      .click()
    await expect(field).toHaveValue(before)
    await expect(field).not.toHaveAttribute('aria-invalid')
  }
  await expect(page.getByRole('textbox', { name: 'Quota points per currency unit' })).toHaveValue('500000')
  expect(saves).toEqual([])
})

test('a change of what money is worth is explained and confirmed first, and takes effect at once', async ({
  rootPage: page,
  workbench,
}) => {
  await restoring(workbench, ['QuotaPerUnit'], async () => {
    const saves = savesOf(page)
    await page.goto('/settings?tab=operation')
    const field = page.getByRole('textbox', { name: 'Quota points per currency unit' })
    await field.fill('1000000')
    await field.press('Enter')
    const question = page.getByRole('alertdialog', { name: 'Change “Quota points per currency unit”?' })
    await expect(question).toContainText('no one gains or loses anything')
    await expect(question).toContainText('From 500,000 to 1,000,000.')
    await expect(question).toContainText('An amount shown as $1.0000 will be shown as $0.5000.')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(field).toBeFocused()
    expect(saves).toEqual([])
    await field.press('Enter')
    await question.getByRole('button', { name: 'Change' }).click()
    await expect(row(page, 'QuotaPerUnit')).toContainText('Default: 500000')
    await page.getByRole('textbox', { name: 'Quota for new users' }).fill('3000000')
    await expect(row(page, 'QuotaForNewUser')).toContainText('About $3.00')
    expect(saves).toEqual([{ key: 'QuotaPerUnit', value: '1000000' }])
  })
})

test('group ratios are edited as JSON; the broken line is named, and the change of each group is shown before saving', async ({
  rootPage: page,
  workbench,
}) => {
  await restoring(workbench, ['GroupRatio'], async () => {
    const before = await stored(workbench, 'GroupRatio')
    await page.goto('/settings?tab=operation')
    const editor = page.getByRole('textbox', { name: 'Group ratios' })
    await editor.fill('{\n  "default": 1,\n  "vip" 0.5\n}')
    await expect(row(page, 'GroupRatio')).toContainText('Invalid JSON at line 3, column 9')
    await editor.press('ControlOrMeta+Enter')
    await expect(editor).toHaveAccessibleDescription(/line 3, column 9/)
    await editor.fill('{"vip": 0.5, "svip": 1, "team-x": 2}')
    await editor.press('ControlOrMeta+Enter')
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('default: removed; vip: 1 → 0.5')
    await question.getByRole('button', { name: 'Change' }).click()
    await expect(row(page, 'GroupRatio')).toContainText('Not saved: GroupRatio must')
    expect(await stored(workbench, 'GroupRatio')).toBe(before)
    await editor.fill('{"default":1,"vip":1,"svip":1,"team-x":2}')
    await page.getByRole('button', { name: 'Save Group ratios' }).click()
    await expect(question).toContainText('team-x: new, at 2')
    await question.getByRole('button', { name: 'Change' }).click()
    await expect(row(page, 'GroupRatio')).toContainText('Saved')
    await expect(editor).toHaveValue(/\n {2}"team-x": 2\n/)
  })
})

test('a price override with an error names its model and field; saving asks first', async ({
  rootPage: page,
  workbench,
}) => {
  await restoring(workbench, ['PriceOverrides'], async () => {
    await page.goto('/settings?tab=operation')
    const editor = page.getByRole('textbox', { name: 'Price overrides' })
    const question = page.getByRole('alertdialog')
    const save = async (text: string) => {
      await editor.fill(text)
      await page.getByRole('button', { name: 'Save Price overrides' }).click()
      await question.getByRole('button', { name: 'Change' }).click()
    }
    await save('{"my-model": {"ratio": "2"}}')
    await expect(row(page, 'PriceOverrides')).toContainText('Invalid ratio for model "my-model": must be a number')
    await save('{"my-model": {"ratio": 2}}')
    await expect(row(page, 'PriceOverrides')).toContainText('Saved')
    expect(await stored(workbench, 'PriceOverrides')).toBe('{"my-model":{"ratio":2}}')
  })
})

test('a switch that cannot work yet says what it needs first', async ({ rootPage: page }) => {
  await page.goto('/settings?tab=system')
  await expect(page.getByRole('switch', { name: 'Bot challenge' })).toBeDisabled()
  await expect(row(page, 'TurnstileCheckEnabled')).toContainText('Set first: Turnstile site key, Turnstile secret key')
})

test(
  'without options, or the right to them, the page says so; without an answer it offers to try again',
  { tag: '@C2.24' },
  async ({ rootPage: page }) => {
    const none = page.getByText('No options available or insufficient permissions.')
    await page.route('**/api/option/*', (route) => route.fulfill({ json: { success: true, message: '', data: [] } }))
    await page.goto('/settings?tab=system')
    await expect(none).toBeVisible()
    await page.unroute('**/api/option/*')
    await page.route('**/api/option/*', (route) => route.fulfill({ json: { success: false, message: 'not for you' } }))
    await page.goto('/settings?tab=operation')
    await expect(none).toBeVisible()
    await page.unroute('**/api/option/*')
    await page.route('**/api/option/*', (route) => route.abort())
    await page.goto('/settings?tab=other')
    await expect(page.getByText('Could not load the settings.')).toBeVisible()
    await page.unroute('**/api/option/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(card(page, 'System Branding')).toBeVisible()
  },
)

test(
  'a key that belongs to no group is listed under Other Settings',
  { tag: ['@B3.10', '@C2.23', '@C3.16'] },
  async ({ rootPage: page, workbench }) => {
    await page.route('**/api/option/*', async (route) => {
      const response = await route.fetch()
      const envelope = await response.json()
      const more = [
        { key: 'SomethingNew', value: 'from a newer gateway' },
        { key: 'SomethingEnabled', value: 'true' },
      ]
      await route.fulfill({ json: { ...envelope, data: [...envelope.data, ...more] } })
    })
    await page.goto('/settings?tab=system')
    const other = card(page, 'Other Settings')
    await expect(other.getByRole('textbox', { name: 'SomethingNew' })).toHaveValue('from a newer gateway')
    await expect(other.getByRole('switch', { name: 'SomethingEnabled' })).toBeChecked()
    const groups = (await stored(workbench, 'AvailableGroups'))?.split(',') ?? []
    expect(groups).toContain('default')
    await expect(row(page, 'AvailableGroups')).toContainText(groups.join(', '))
  },
)
