import { createToken, getToken, listTokens } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { bodiesOf } from '../people.ts'

test(
  'a token is created and shows at once how to use it',
  {
    tag: [
      '@A2.17',
      '@A2.57',
      '@A2.60',
      '@A3.17',
      '@A5.23',
      '@A5.24',
      '@A7.21',
      '@A7.22',
      '@A8.13',
      '@A9.7',
      '@A9.8',
      '@B2.43',
      '@B3.8',
      '@whole',
    ],
  },
  async ({ userPage: page, user, workbench, address }) => {
    await workbench.addChannel(['form-model-a', 'form-model-b', 'other-model'])
    const request = page.waitForRequest('**/api/user/available_models?*')
    await page.goto('/tokens/add')
    expect((await request).method()).toBe('GET')
    await page.getByLabel('Name', { exact: true }).fill('my laptop')
    await expect(page.getByLabel('Remaining quota')).toHaveValue('500000')
    await expect(page.getByText('About $1.00')).toBeVisible()
    await page.getByLabel('Remaining quota').fill('1250000')
    await expect(page.getByText('About $2.50')).toBeVisible()
    const models = page.getByRole('combobox', { name: 'Allowed models' })
    await models.click()
    await models.pressSequentially('form-')
    await expect(page.getByRole('option')).toHaveText(['form-model-a', 'form-model-b'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Remove form-model-b' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByLabel('IP restriction').fill('127.0.0.1, 10.0.0.0/8')
    await page.getByLabel('Requests per minute').fill('60')
    await page.getByLabel('Repeats of one request per minute').fill('9')
    await page.getByLabel('Quota per session').fill('1000000')
    // Half a day from now, so that the calls below are answered.
    const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')
    const quiet = `${hour}:00-${hour}:30 UTC`
    await page.getByLabel('Quiet hours').fill(quiet)
    const sent = bodiesOf(page, 'POST', '/api/token/')
    await page.getByRole('button', { name: 'Create' }).click()

    await expect(page.getByText('Token created successfully')).toBeVisible()
    const [token] = await user.api.call(listTokens)
    const wanted = {
      name: 'my laptop',
      remain_quota: 1_250_000,
      unlimited_quota: false,
      expired_time: -1,
      models: 'form-model-b',
      subnet: '127.0.0.1, 10.0.0.0/8',
      rpm: 60,
      repeat_rpm: 9,
      session_quota: 1_000_000,
      quiet_hours: quiet,
      tpm: 0,
      concurrency: 0,
    }
    expect(sent).toEqual([{ ...wanted, budgets: [] }])
    expect(token).toMatchObject({ ...wanted, subnet: expect.stringMatching(/^127\.0\.0\.1, ?10\.0\.0\.0\/8$/) })
    const panel = page.getByRole('dialog', { name: 'Use "my laptop"' })
    await expect(panel).toContainText(`${address}/v1`)
    await expect(panel).toContainText(token?.key ?? 'no token')
    await expect(panel.getByRole('tabpanel')).toContainText('form-model-b')
    await panel.getByRole('tab', { name: 'Python' }).click()
    await expect(panel.getByRole('tabpanel')).toContainText('from openai import OpenAI')
    await page.keyboard.press('ArrowRight')
    await expect(panel.getByRole('tab', { name: 'JavaScript' })).toBeFocused()
    await panel.getByRole('combobox', { name: 'Set up a client' }).selectOption('Codex')
    await expect(panel).toContainText('~/.codex/config.toml')
    await expect(panel).toContainText(`base_url = "${address}/v1"`)
    await panel.getByRole('combobox', { name: 'Set up a client' }).selectOption('Claude Code')
    await expect(panel).toContainText(`export ANTHROPIC_BASE_URL='${address}'`)
    // A link has the key only while it is opened, and the address never does.
    expect(await panel.innerHTML()).not.toContain('ccswitch:')
    await page.evaluate(() => {
      window.open = (link) => {
        document.title = String(link)
        return null
      }
    })
    await panel.getByRole('button', { name: 'Open in CC Switch' }).click()
    const link = new URL(await page.title())
    expect([link.protocol, link.searchParams.get('app')]).toEqual(['ccswitch:', 'claude'])
    expect(link.searchParams.get('apiKey')).toBe(token?.key)
    expect(page.url()).not.toContain(token?.key ?? 'no token')

    await expect(panel.getByText('Waiting for the first call')).toBeVisible()
    const call = (model: string) =>
      workbench.chat(token?.key ?? '', { model, messages: [{ role: 'user', content: 'Hi' }] })
    expect((await call('form-model-a')).status).toBe(403)
    await expect(panel.getByRole('status').filter({ hasText: 'last call failed' })).toContainText('form-model-a')
    await expectAccessible(page)
    expect((await call('form-model-b')).status).toBe(200)
    await expect(panel.getByText('The first call has arrived.')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(page).toHaveURL(/\/tokens$/)
  },
)

test(
  'bad entries are named and announced, and the first one is focused',
  { tag: ['@A5.20', '@A5.21', '@A8.8', '@B5.1'] },
  async ({ userPage: page }) => {
    await page.goto('/tokens/add')
    await page.getByLabel('Remaining quota').fill('-1')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Validation error')).toBeVisible()
    await expect(page.getByText('Token name is required').first()).toBeVisible()
    await expect(page.getByText('Quota must be non-negative')).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await expectAccessible(page)
  },
)

test(
  'a half-typed date is refused instead of read as never',
  { tag: ['@A5.22', '@A8.8'] },
  async ({ userPage: page, user }) => {
    await page.goto('/tokens/add')
    await page.getByLabel('Name', { exact: true }).fill('ci')
    await page.getByLabel('Expiration').focus()
    await page.keyboard.type('12')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByLabel('Expiration')).toHaveAccessibleDescription(/Invalid expiration time/)
    await expect(page.getByText('Validation error')).toBeVisible()
    expect(await user.api.call(listTokens)).toEqual([])
  },
)

test(
  'quick buttons set the expiry from now, and Never clears it',
  { tag: ['@A2.57', '@A5.23', '@A9.8', '@B2.43'] },
  async ({ userPage: page, user }) => {
    await page.clock.setFixedTime(new Date('2026-03-01T10:00:07Z'))
    await page.goto('/tokens/add')
    const expiration = page.getByLabel('Expiration')
    for (const [button, text] of [
      ['1 Month', '2026-03-31T10:00:07'],
      ['1 Day', '2026-03-02T10:00:07'],
      ['1 Hour', '2026-03-01T11:00:07'],
      ['1 Minute', '2026-03-01T10:01:07'],
      ['Never Expire', ''],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await expect(expiration).toHaveValue(text)
    }
    await page.getByRole('button', { name: '1 Month' }).click()
    await page.getByLabel('Name', { exact: true }).fill('ci')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Token created successfully')).toBeVisible()
    const [token] = await user.api.call(listTokens)
    expect(token?.expired_time).toBe(Date.parse('2026-03-31T10:00:07Z') / 1_000)
  },
)

test('an unlimited token needs no quota', { tag: ['@A5.21', '@B5.1'] }, async ({ userPage: page, user }) => {
  await page.goto('/tokens/add')
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await page.getByLabel('Unlimited Quota').check()
  await expect(page.getByLabel('Remaining quota')).toBeDisabled()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Token created successfully')).toBeVisible()
  expect((await user.api.call(listTokens))[0]).toMatchObject({ unlimited_quota: true })
})

test('budgets are set, changed and removed', async ({ userPage: page, user }) => {
  await page.goto('/tokens/add')
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await page.getByLabel('Daily budget').fill('250000')
  await expect(page.getByText('About $0.50')).toBeVisible()
  await page.getByLabel('Monthly budget').fill('5000000')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Token created successfully')).toBeVisible()
  const [token] = await user.api.call(listTokens)
  expect(token?.budgets).toMatchObject([
    { period: 'day', quota: 250_000, used_quota: 0 },
    { period: 'month', quota: 5_000_000, used_quota: 0 },
  ])
  await expect(page.getByRole('dialog', { name: 'Use "ci"' })).toBeVisible()
  await page.keyboard.press('Escape')
  const meter = page.getByRole('img', { name: /^Daily budget: \$0\.00 of \$0\.50 used, resets on / })
  await expect(meter).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByRole('heading', { name: 'Edit Token' })).toBeVisible()
  await expect(page.getByLabel('Daily budget')).toHaveValue('250000')
  await expect(page.getByLabel('Weekly budget')).toHaveValue('')
  await expect(page.getByText(/\$0\.00 used, resets on \d{4}-\d{2}-01 00:00:00/)).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Daily budget').fill('')
  await page.getByLabel('Weekly budget').fill('7')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Token updated successfully')).toBeVisible()
  const [changed] = await user.api.call(listTokens)
  expect(changed?.budgets).toMatchObject([
    { period: 'week', quota: 7 },
    { period: 'month', quota: 5_000_000 },
  ])
})

test('a half-typed budget is refused instead of read as none', async ({ userPage: page, user }) => {
  await page.goto('/tokens/add')
  await page.getByLabel('Name', { exact: true }).fill('ci')
  await page.getByLabel('Weekly budget').focus()
  await page.keyboard.type('1e')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Enter a number of quota points, or leave it empty').first()).toBeVisible()
  await expect(page.getByLabel('Weekly budget')).toBeFocused()
  expect(await user.api.call(listTokens)).toEqual([])
})

test(
  'a stored token is shown prefilled and changed',
  { tag: ['@A2.18', '@A2.59', '@A2.60', '@A7.17', '@A7.20', '@A8.13', '@whole'] },
  async ({ userPage: page, user }) => {
    const limits = { rpm: 0, tpm: 90_000, concurrency: 3 }
    const body = { name: 'ci', remain_quota: 7, unlimited_quota: false, models: 'a,b', subnet: '10.0.0.1', ...limits }
    const { id } = await user.api.call(createToken, { body: { ...body, expired_time: 1_900_000_000 } })
    await page.goto('/tokens')
    const request = page.waitForRequest(`**/api/token/${id}?*`)
    await page.getByRole('link', { name: 'Edit' }).click()
    expect((await request).method()).toBe('GET')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('ci')
    await expect(page.getByLabel('Remaining quota')).toHaveValue('7')
    await expect(page.getByLabel('IP restriction')).toHaveValue('10.0.0.1')
    await expect(page.getByLabel('Expiration')).toHaveValue(/^2030-03-1/)
    await expect(page.getByRole('button', { name: 'Remove b' })).toBeVisible()
    await expect(page.getByLabel('Unlimited Quota')).not.toBeChecked()
    await expect(page.getByLabel('Requests per minute')).toHaveValue('')
    await expect(page.getByLabel('Tokens per minute')).toHaveValue('90000')
    await page.getByLabel('Concurrent requests').fill('')
    await page.getByLabel('Name', { exact: true }).fill('renamed')
    const sent = bodiesOf(page, 'PUT', '/api/token/')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('Token updated successfully')).toBeVisible()
    await expect(page).toHaveURL(/\/tokens$/)
    const saved = { ...body, name: 'renamed', concurrency: 0, expired_time: 1_900_000_000 }
    const none = { repeat_rpm: 0, session_quota: 0, quiet_hours: '' }
    expect(sent).toEqual([{ ...saved, ...none, budgets: [], id, status: 1, remain_quota_seen: 7 }])
    expect(await user.api.call(getToken, { path: { id } })).toMatchObject(saved)
  },
)

test('an exhausted token given quota is enabled again', { tag: '@A4.4' }, async ({ userPage: page, user }) => {
  const { id } = await user.api.call(createToken, { body: { name: 'ci', remain_quota: 0 } })
  await page.goto(`/tokens/edit/${id}`)
  await page.getByLabel('Remaining quota').fill('1000')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Token updated successfully')).toBeVisible()
  expect(await user.api.call(getToken, { path: { id } })).toMatchObject({ status: 1, remain_quota: 1_000 })
})

test(
  'the message of a refusal is in the form and in a notice; without one there are default words for it',
  { tag: ['@A8.7', '@A8.12'] },
  async ({ userPage: page }) => {
    await page.goto('/tokens/add')
    await page.getByLabel('Name', { exact: true }).fill('ci')
    await page.getByLabel('IP restriction').fill('not an address')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Request failed')).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('not an address')
    await page.route('**/api/token/', (route) => route.fulfill({ json: { success: false, message: '' } }), { times: 1 })
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('alert')).toHaveText('Operation failed')
    await page.route('**/api/token/', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Unexpected error')).toBeVisible()
    await expect(page).toHaveURL(/\/tokens\/add$/)
  },
)

test(
  'a token that cannot be loaded is reported on the page, models only in the browser’s console',
  { tag: ['@A8.7', '@A8.12'] },
  async ({ userPage: page }) => {
    await page.goto('/tokens/edit/999999')
    await expect(page.getByRole('alert')).toContainText('not found')
    const refused = { json: { success: false, message: '' } }
    await page.route('**/api/token/999999?*', (route) => route.fulfill(refused))
    await page.reload()
    await expect(page.getByRole('alert')).toHaveText('Failed to load token')

    await page.route('**/api/user/available_models?*', (route) => route.fulfill(refused))
    const logged = page.waitForEvent('console', (message) => message.text().includes('Failed to load models'))
    await page.goto('/tokens/add')
    expect((await logged).type()).toBe('error')
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
    await expect(page.getByText('Failed to load models')).toHaveCount(0)
  },
)

test(
  'cancel goes back to the list and saves nothing',
  { tag: ['@A2.58', '@B2.15', '@B2.44'] },
  async ({ userPage: page, user }) => {
    await page.goto('/tokens/add')
    await page.getByLabel('Name', { exact: true }).fill('ci')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(/\/tokens$/)
    expect(await user.api.call(listTokens)).toEqual([])
  },
)
