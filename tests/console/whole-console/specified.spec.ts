import { createChannel, getChannel, listChannels } from '@sluice/contract/routes/channels'
import { createRedemptions, redeem } from '@sluice/contract/routes/redemptions'
import { createToken, listTokens } from '@sluice/contract/routes/tokens'
import { TOTP } from 'otpauth'
import { callModels } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'
import { factOf, rows, trace } from '../logs/log-screen.ts'
import { fresh, row } from '../people.ts'
import { png } from '../pictures-of.ts'
import { setup, token } from '../playground/playground-fields.ts'

/*
 * What the screens do if a server sends no more than the specification requires. Other tests prove the same sentences together with
 * what Sluice adds; those are tagged `@whole` and need complete replies.
 */

test(
  'a token is created and changed on a server that only confirms it',
  { tag: ['@A2.60', '@A4.4', '@A7.20', '@A7.21', '@A8.13'] },
  async ({ userPage: page, user }) => {
    await page.goto('/tokens/add')
    await page.getByLabel('Name', { exact: true }).fill('plain')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Token created successfully')).toBeVisible()
    await expect(page).toHaveURL(/\/tokens$/)
    await expect(row(page, 'plain')).toContainText('Enabled')
    await row(page, 'plain').getByRole('link', { name: 'Edit' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('plain')
    await page.getByLabel('Remaining quota').fill('1234')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await expect(page.getByText('Token updated successfully')).toBeVisible()
    expect((await user.api.call(listTokens)).at(0)?.remain_quota).toBe(1_234)
  },
)

test(
  'a channel is tested with one of its own models, and the result is shown',
  { tag: ['@B2.35', '@B4.4', '@B7.16', '@B8.3', '@B8.4', '@B8.5'] },
  async ({ rootPage: page, workbench }) => {
    const name = fresh('plainly')
    const body = { name, type: 50, key: 'sk-emulator', base_url: workbench.emulator.url, models: 'gpt-4o,emu-fast' }
    const [id = 0] = await workbench.root.call(createChannel, { body })
    await page.goto(`/channels?keyword=${name}`)
    const models = row(page, name).getByRole('combobox')
    await models.focus()
    await expect(models.getByRole('option')).toHaveText(['CHEAPEST', 'gpt-4o', 'emu-fast'])
    await models.selectOption('emu-fast')
    await expect(page.getByText('Testing model saved.')).toBeVisible()
    expect((await workbench.root.call(getChannel, { path: { id } })).testing_model).toBe('emu-fast')
    await row(page, name).getByRole('button', { name: 'Test' }).click()
    await expect(page.getByText('Channel test successful.')).toBeVisible()
    await expect(row(page, name)).toContainText(/\d ms/)
  },
)

test(
  'administrators see users and channels of log rows, and where the time of a request went',
  { tag: ['@B2.23', '@B2.28', '@B2.29', '@B3.1', '@B3.3', '@B6.4', '@B7.2'] },
  async ({ page, enter, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-31'])
    await enter(workbench.root)
    await page.goto(`/logs?type=2&username=${user.username}`)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page).first()).toContainText(user.username)
    await expect(rows(page).first()).toContainText(/#\d+/)
    await rows(page).first().getByText('emu-n-tokens-31').click()
    const panel = trace(page)
    await expect(factOf(panel, 'URL')).toHaveText('/v1/chat/completions')
    await expect(factOf(panel, 'Method')).toHaveText('POST')
    await expect(factOf(panel, 'Status')).toHaveText('200')
    await expect(factOf(panel, 'User').first()).toHaveText(user.username)
    for (const stage of ['Gateway processing', 'Upstream response', 'Response processing'])
      await expect(panel.getByRole('listitem').filter({ hasText: stage })).toContainText(/\d+ ms$/)
    await expect(panel).toContainText(/Total time\s*\d+ ms/)
  },
)

test(
  'the status page counts and searches what is listed',
  { tag: ['@C2.34', '@C2.35', '@C2.37', '@C4.2', '@C7.6'] },
  async ({ page }) => {
    const names = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Alphabet', 'Eta']
    const all = names.map((name, index) => ({
      name,
      status: index === 1 ? 'auto_disabled' : 'enabled',
      enabled: index !== 1,
      response: { response_time_ms: 200, test_time: 1_763_600_000, created_time: 1_763_500_000 },
    }))
    await page.route('**/api/status/channel*', (route) => {
      const query = new URL(route.request().url()).searchParams
      const [p, size] = [Number(query.get('p')), Number(query.get('size'))]
      const data = all.slice(p * size, (p + 1) * size)
      return route.fulfill({ json: { success: true, message: '', data, total: all.length } })
    })
    await page.goto('/status')
    const figures = page.locator('dl').first().getByRole('definition')
    await expect(figures).toHaveText(['8', '7', '0', '1', '200 ms'])
    const cards = page.getByRole('list', { name: 'Channel Status' }).getByRole('listitem')
    await expect(cards).toHaveCount(6)
    await page.getByRole('textbox', { name: 'Search channels...' }).fill('alpha')
    await expect(cards).toHaveCount(2)
    await expect(figures).toHaveText(['8', '7', '0', '1', '200 ms'])
  },
)

test(
  'what a model takes is derived from its name',
  { tag: ['@C3.26', '@C4.24', '@C5.12'] },
  async ({ userPage: page, user, workbench }) => {
    const names = ['claude-sonnet-4-5', 'gpt-3.5-turbo', 'o4-mini'].map((name) => `${name}-20260101-${user.username}`)
    await workbench.addChannel(names, { name: user.username })
    await token(user.api, 'any', names.join())
    await page.goto(`/chat?model=${names[0]}`)
    const fields = setup(page)
    await expect(fields.thinking).toBeVisible()
    await expect(fields.slider('Top K')).toBeVisible()
    await expect(fields.slider('Presence penalty')).toHaveCount(0)
    await page
      .getByRole('form')
      .locator('input[type=file]')
      .setInputFiles([png('a.png', 8, 8)])
    await expect(page.getByRole('form').getByRole('list', { name: 'Attached images' })).toBeVisible()
    for (const [name, effort, stop] of [
      [names[1] ?? '', 0, 1],
      [names[2] ?? '', 1, 0],
    ] as const) {
      await fields.model.fill(name)
      await page.keyboard.press('Enter')
      await expect(fields.model).toHaveValue(name)
      await expect(fields.thinking).toHaveCount(0)
      await expect(fields.effort).toHaveCount(effort)
      await expect(page.getByLabel('Stop sequences')).toHaveCount(stop)
    }
  },
)

test(
  'sign-in with GitHub and Lark starts with a state alone',
  { tag: ['@A4.16', '@A4.17', '@A7.7'] },
  async ({ page, address }) => {
    const settings = { github_oauth: true, github_client_id: 'Iv1.abc', lark_client_id: 'cli_1' }
    await page.route('**/api/status?*', (route) =>
      route.fulfill({ json: { success: true, message: '', data: settings } }),
    )
    await page.route('**/api/oauth/state?*', (route) =>
      route.fulfill({ json: { success: true, message: '', data: 'state-1' } }),
    )
    for (const [name, host, client] of [
      ['GitHub', 'https://github.com/login/oauth/authorize', 'Iv1.abc'],
      ['Lark', 'https://accounts.feishu.cn/open-apis/authen/v1/authorize', 'cli_1'],
    ] as const) {
      await page.route(`${host}*`, (route) => route.fulfill({ contentType: 'text/html', body: 'the provider' }))
      await page.goto('/login?redirect_to=/tokens')
      await page.getByRole('button', { name: `Sign in with ${name}` }).click()
      await page.waitForURL(`${host}*`)
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
        client_id: client,
        state: 'state-1|redirect_to=/tokens',
        redirect_uri: `${address}/oauth/${name.toLowerCase()}`,
      })
    }
  },
)

test('a used code shows when it was used', { tag: '@B4.5' }, async ({ rootPage: page, workbench, user }) => {
  const name = fresh('spent')
  const [code = ''] = await workbench.root.call(createRedemptions, { body: { name, quota: 500_000, count: 1 } })
  await user.api.call(redeem, { body: { key: code } })
  await page.goto(`/redemptions?keyword=${name}`)
  await expect(row(page, name)).toContainText('Used')
  await expect(row(page, name).getByRole('time').last()).toHaveAttribute('datetime', /^20/)
})

test(
  'the second step is set up and disabled where there are no recovery codes',
  { tag: ['@B2.41', '@B4.8', '@B4.9', '@B7.28'] },
  async ({ userPage: page }) => {
    await page.goto('/settings')
    const part = page.getByRole('region', { name: 'Two-factor authentication' })
    await part.getByRole('button', { name: 'Set up TOTP' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
    const secret = ((await dialog.getByRole('code').textContent()) ?? '').replaceAll(' ', '')
    await dialog.getByLabel('6-digit code').fill(new TOTP({ secret }).generate())
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(part.getByText('Enabled', { exact: true })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await part.getByRole('button', { name: 'Disable TOTP' }).click()
    const disable = page.getByRole('dialog', { name: 'Disable two-factor authentication' })
    await expect(disable.getByRole('button', { name: 'Disable TOTP' })).toBeVisible()
  },
)

test('a dashboard of one plain list shows its figures', { tag: ['@A3.9', '@A7.13'] }, async ({ userPage: page }) => {
  const Day = new Date().toISOString().slice(0, 10)
  const data = [{ Day, ModelName: 'm', RequestCount: 3, Quota: 500_000, PromptTokens: 10, CompletionTokens: 20 }]
  await page.route('**/api/user/dashboard?*', (route) => route.fulfill({ json: { success: true, message: '', data } }))
  await page.goto('/dashboard')
  const tile = page
    .getByRole('region', { name: 'Usage Overview' })
    .locator('div')
    .filter({ hasText: 'Quota Used' })
    .last()
  await expect(tile).toContainText('$1.00')
})

const SCREENS = [
  '/dashboard',
  '/tokens',
  '/logs',
  '/topup',
  '/models',
  '/status',
  '/chat',
  '/channels',
  '/users',
  '/redemptions',
  '/settings',
  '/settings?tab=operation',
  '/users/edit',
  '/about',
  '/',
]

test(
  'no screen breaks on fields that are wrong, null or missing',
  { tag: '@B8.13' },
  async ({ page, enter, workbench }) => {
    test.slow()
    await workbench.addChannel(['gpt-4o'], { name: fresh('wrong') })
    await workbench.root.call(createToken, { body: { name: fresh('wrong') } })
    const [channel] = await workbench.root.call(listChannels, { query: { sort: 'id', order: 'desc' } })
    await enter(workbench.root)
    const found: string[] = []
    page.on('pageerror', (error) => found.push(`${page.url()} ${String(error)}`))
    await page.route('**/api/**', async (route) => {
      const reply = await route.fetch()
      const sent: unknown = await reply.json().catch(() => ({}))
      await route.fulfill({ response: reply, json: damaged(sent) })
    })
    for (const path of [...SCREENS, `/channels/edit/${channel?.id}`]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('')
      await page.waitForLoadState('networkidle')
      const text = await page.locator('body').innerText()
      const odd = /.{0,30}(NaN|undefined|Invalid Date|\[object|Could not load).{0,30}/.exec(text)
      if (odd !== null) found.push(`${path}: ${odd[0]}`)
    }
    expect(found).toEqual([])
  },
)

/**
 * A reply in which every value except the ids and `success` is missing, null or wrong, and every list has an item that is not a
 * valid row.
 */
function damaged(value: unknown, at = 0): unknown {
  if (Array.isArray(value)) return [null, ...value.map((each) => damaged(each))]
  if (typeof value !== 'object' || value === null) return [undefined, null, { not: 'this' }][at % 3]
  const kept = ['id', 'success']
  return Object.fromEntries(
    Object.entries(value).map(([name, each], index) => [name, kept.includes(name) ? each : damaged(each, index)]),
  )
}
