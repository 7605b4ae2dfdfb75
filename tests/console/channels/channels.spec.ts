import type { Page } from '@playwright/test'
import { createChannel, deleteChannel, getChannel, listChannels, updateChannel } from '@sluice/contract/routes/channels'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { bodiesOf } from '../people.ts'

interface NewChannel {
  readonly name: string
  readonly type?: number
  readonly models?: string
  readonly priority?: number
}

async function addChannel({ root, emulator }: Workbench, channel: NewChannel): Promise<number> {
  const body = { type: 50, key: 'sk-emulator', base_url: emulator.url, models: 'gpt-4o,gpt-4o-mini', ...channel }
  const [id = 0] = await root.call(createChannel, { body })
  return id
}

async function deleteAll({ root }: Workbench): Promise<void> {
  for (const { id } of await root.call(listChannels, { query: { size: '100' } })) {
    await root.call(deleteChannel, { path: { id } })
  }
}

const stored = ({ root }: Workbench, id: number) => root.call(getChannel, { path: { id } })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

const TEMPLATE = {
  type: 50,
  base_url: '',
  other: '',
  models: '',
  model_mapping: null,
  model_configs: null,
  system_prompt: null,
  group: 'default',
  priority: 0,
  weight: 0,
  ratelimit: 0,
  status: 1,
  test_time: 1,
  testing_model: null,
  created_time: 1,
  used_quota: 0,
  balance: 0,
  balance_currency: '',
  balance_updated_time: 0,
  inference_profile_arn_map: null,
  config: '',
  test_models: [],
  key_count: 1,
  disabled_reason: '',
  disabled_time: 0,
}

test.describe('channel list', () => {
  test(
    'is empty at first and says what to do',
    { tag: ['@B2.5', '@B2.36', '@B2.37', '@C2.9'] },
    async ({ rootPage: page, workbench }) => {
      await deleteAll(workbench)
      await page.goto('/channels')
      await expect(page.getByText('No channels found. Create your first channel to get started.')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Add Channel' })).toBeVisible()
      await expectAccessible(page)
    },
  )

  test(
    'names type and state: disabled, paused, active',
    { tag: ['@B3.6', '@B4.2', '@B4.3'] },
    async ({ rootPage: page, workbench }) => {
      await addChannel(workbench, { name: 'states-active', type: 20 })
      await addChannel(workbench, { name: 'states-paused', priority: -1 })
      const id = await addChannel(workbench, { name: 'states-disabled', priority: -1 })
      await workbench.root.call(updateChannel, { body: { id, status: 2 }, query: { status_only: '1' } })
      await page.goto('/channels')
      await expect(row(page, 'states-active')).toContainText('OpenRouter')
      await expect(row(page, 'states-active')).toContainText('Active')
      await expect(row(page, 'states-paused')).toContainText('Paused')
      await expect(row(page, 'states-disabled')).toContainText('Disabled')
      await expect(row(page, 'states-disabled')).toContainText('Not tested')
    },
  )

  test(
    'searches with suggestions and sorts, both in the address',
    { tag: ['@B2.35', '@B7.14'] },
    async ({ rootPage: page, workbench }) => {
      const first = await addChannel(workbench, { name: 'search-b', priority: 1 })
      await addChannel(workbench, { name: 'search-a', priority: 2 })
      await addChannel(workbench, { name: 'other' })
      const requested: URL[] = []
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (/^\/api\/channel\/(search)?$/.test(url.pathname)) requested.push(url)
      })
      await page.goto('/channels?sort=priority&order=asc')
      const field = page.getByRole('combobox', { name: 'Search channels by name or ID...' })
      await field.pressSequentially('search')
      await expect(page.getByRole('search').getByRole('option')).toHaveCount(2)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/keyword=search/)
      await expect(page.getByRole('row')).toHaveCount(3)
      await page.getByRole('button', { name: 'Name', exact: true }).click()
      await expect(page.getByRole('link', { name: /^search-/ })).toHaveText(['search-a', 'search-b'])
      await page.getByRole('button', { name: 'Name', exact: true }).click()
      await expect(page.getByRole('link', { name: /^search-/ })).toHaveText(['search-b', 'search-a'])
      await expect(page).toHaveURL(/sort=name/)
      const queries = requested.map(({ pathname, searchParams }) => ({ pathname, ...Object.fromEntries(searchParams) }))
      expect(queries[0]).toMatchObject({
        pathname: '/api/channel/',
        p: '0',
        size: '10',
        sort: 'priority',
        order: 'asc',
      })
      const searched = { pathname: '/api/channel/search', keyword: 'search', sort: 'name', order: 'desc', size: '10' }
      expect(queries.at(-1)).toMatchObject(searched)
      await page.goto(`/channels?keyword=${first}`)
      await expect(row(page, 'search-b')).toBeVisible()
    },
  )

  test(
    'switches at once, and reverts on request and on refusal',
    { tag: ['@B2.35', '@B4.2', '@B7.15'] },
    async ({ rootPage: page, workbench }) => {
      const id = await addChannel(workbench, { name: 'switched' })
      await page.goto('/channels?keyword=switched')
      const sent = page.waitForRequest((request) => request.method() === 'PUT')
      await row(page, 'switched').getByRole('button', { name: 'Disable' }).click()
      expect((await sent).url()).toMatch(/\/api\/channel\/\?status_only=1$/)
      expect((await sent).postDataJSON()).toEqual({ id, status: 2 })
      await expect(row(page, 'switched')).toContainText('Disabled')
      await expect.poll(async () => (await stored(workbench, id)).status).toBe(2)
      // The list is requested again after each switch, which must not show that the channel is gone before the next switch.
      const list = '**/api/channel/search?*'
      await page.route(list, () => new Promise<never>(() => {}))
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(row(page, 'switched')).toContainText('Active')
      await expect.poll(async () => (await stored(workbench, id)).status).toBe(1)
      await workbench.root.call(deleteChannel, { path: { id } })
      await row(page, 'switched').getByRole('button', { name: 'Disable' }).click()
      await expect(page.getByText('Status not changed')).toBeVisible()
      await page.unroute(list)
      await expect(row(page, 'switched')).toHaveCount(0)
    },
  )

  test(
    'tests a channel and shows time, model or reason',
    { tag: ['@B2.35', '@B4.4', '@B7.16', '@B8.3', '@B8.4', '@whole'] },
    async ({ rootPage: page, workbench }) => {
      const good = await addChannel(workbench, { name: 'tried and sound', models: 'gpt-4o' })
      const bad = await addChannel(workbench, { name: 'tried and broken', models: 'emu-error-500' })
      await page.goto('/channels')
      const request = page.waitForRequest(`**/api/channel/test/${good}?*`)
      await row(page, 'tried and sound').getByRole('button', { name: 'Test' }).click()
      expect((await request).method()).toBe('GET')
      await expect(page.getByText('Channel test successful.')).toBeVisible()
      await expect(page.getByText(/tried and sound · gpt-4o · \d+ ms/)).toBeVisible()
      await expect(row(page, 'tried and sound')).toContainText(/\d ms/)
      const tested = await stored(workbench, good)
      expect(tested.response_time).toBeGreaterThan(0)
      expect(tested.test_time).toBeGreaterThan(0)

      await row(page, 'tried and broken').getByRole('button', { name: 'Test' }).click()
      await expect(page.getByText('Channel test failed')).toBeVisible()
      await expect(row(page, 'tried and broken')).toContainText('Failed')
      expect(await stored(workbench, bad)).toMatchObject({ response_time: 0 })
    },
  )

  test(
    'tests all as a job that outlives the page, with the state of every row and a summary',
    { tag: ['@B2.35', '@B7.16', '@B8.6', '@whole'] },
    async ({ rootPage: page, workbench }) => {
      await deleteAll(workbench)
      await addChannel(workbench, { name: 'bulk-answers', models: 'gpt-4o' })
      await addChannel(workbench, { name: 'bulk-refuses', models: 'emu-error-500' })
      await page.goto('/channels')
      await page.getByRole('button', { name: 'Test All' }).click()
      await expect(page.getByText('Bulk channel test started.')).toBeVisible()
      const summary = page.getByRole('region', { name: 'Test finished' })
      await expect(summary).toContainText('2 of 2 · 1 failed', { timeout: 15_000 })
      await expect(row(page, 'bulk-refuses')).toContainText('Failed')
      await expect(row(page, 'bulk-answers')).toContainText(/\d m?s/)

      const status = '**/api/channel/test/status*'
      await page.route(status, async (route) => {
        const reply = await route.fetch()
        const body: { data: object } = await reply.json()
        const data = { ...body.data, running: true, started_time: 4_000_000_000, done: 1 }
        await route.fulfill({ json: { ...body, data } })
      })
      await page.reload()
      await expect(page.getByRole('progressbar', { name: 'Testing channels' })).toHaveAttribute('aria-valuenow', '50')
      await expect(row(page, 'bulk-answers')).toContainText('Testing…')
      await page.unroute(status)
      await expect(summary).toContainText('2 of 2 · 1 failed')
      await expect(row(page, 'bulk-answers')).not.toContainText('Testing…')
      await summary.getByRole('button', { name: 'Dismiss' }).click()
      await expect(summary).toHaveCount(0)

      await page.route('**/api/channel/test?*', (route) => route.fulfill({ json: { success: false, message: 'No.' } }))
      await page.getByRole('button', { name: 'Test All' }).click()
      await expect(page.getByText('Bulk test failed')).toBeVisible()
    },
  )

  test(
    'shows answer times in bands, and ten channels per page, counted from zero',
    { tag: ['@B9.1', '@B9.4'] },
    async ({ rootPage: page }) => {
      const times = [999, 1_000, 2_999, 3_000]
      const requested: string[] = []
      await page.route('**/api/channel/?*', async (route) => {
        requested.push(route.request().url())
        const reply = await route.fetch()
        const body: { data: object[] } = await reply.json()
        const data = times.map((response_time, index) => ({
          ...TEMPLATE,
          id: index + 1,
          name: `band-${index}`,
          response_time,
        }))
        await route.fulfill({ json: { ...body, data, total: 40 } })
      })
      await page.goto('/channels')
      for (const [index, [text, tone]] of [
        ['999 ms', 'good'],
        ['1.00 s', 'warn'],
        ['3.00 s', 'warn'],
        ['3.00 s', 'bad'],
      ].entries()) {
        await expect(row(page, `band-${index}`).getByText(text ?? '', { exact: true })).toHaveClass(
          new RegExp(`text-${tone}`),
        )
      }
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect.poll(() => requested.some((url) => /[?&]p=1&size=10/.test(url))).toBe(true)
      expect(requested[0]).toMatch(/[?&]p=0&size=10/)
    },
  )

  test('is left empty by a failed load, which is logged', { tag: '@B8.13' }, async ({ rootPage: page }) => {
    const logged: string[] = []
    page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
    await page.route('**/api/channel/?*', (route) => route.fulfill({ json: { success: false, message: 'No.' } }))
    await page.goto('/channels')
    await expect(page.getByText('Could not load this list.')).toBeVisible()
    expect(logged.join()).toContain('Failed to load channels')
  })

  test('changes priority in place, copies a channel, and requests its balance', async ({
    rootPage: page,
    workbench,
  }) => {
    const id = await addChannel(workbench, { name: 'in-place' })
    await page.goto('/channels?keyword=in-place')
    const priority = page.getByRole('textbox', { name: 'Priority of in-place' })
    await priority.fill('12')
    await priority.press('Escape')
    await expect(priority).toHaveValue('0')
    await priority.fill('-3')
    await priority.press('Enter')
    await expect(row(page, 'in-place')).toContainText('Paused')
    await expect.poll(async () => (await stored(workbench, id)).priority).toBe(-3)
    await priority.fill('1.5')
    await priority.press('Enter')
    await expect(page.getByText('Enter a whole number')).toBeVisible()
    await expect(priority).toHaveValue('-3')

    // The emulator bills no one, and the page says so. Narrower windows have no room for the column.
    await page.setViewportSize({ width: 1_680, height: 900 })
    await page.getByRole('button', { name: 'Update balance of in-place' }).click()
    await expect(page.getByText('Balance not updated')).toBeVisible()
    await page.getByRole('button', { name: 'Actions for in-place' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await expect(page).toHaveURL(/\/channels\/edit\/\d+$/)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('in-place Copy')
  })

  test('does the same to several channels at once', async ({ rootPage: page, workbench }) => {
    const ids = [await addChannel(workbench, { name: 'bulk-of-a' }), await addChannel(workbench, { name: 'bulk-of-b' })]
    await page.goto('/channels?keyword=bulk-of')
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    const bar = page.getByRole('group', { name: 'Selected rows' })
    await expect(bar).toContainText('2 selected')
    await bar.getByRole('button', { name: 'Set priority' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set priority' })
    await dialog.getByLabel('Priority').fill('9')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Set priority' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(bar).toHaveCount(0)
    for (const id of ids) expect((await stored(workbench, id)).priority).toBe(9)

    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await bar.getByRole('button', { name: 'Set groups' }).click()
    const groups = page.getByRole('dialog', { name: 'Set groups' })
    await groups.getByRole('combobox', { name: 'Groups' }).fill('vip')
    await groups.getByRole('option', { name: 'vip', exact: true }).click()
    await page.keyboard.press('Tab')
    await groups.getByRole('button', { name: 'Set groups' }).click()
    await expect.poll(async () => (await stored(workbench, ids[0] ?? 0)).group).toBe('vip')
    await expect(bar).toHaveCount(0)

    await page.getByRole('checkbox', { name: 'Select bulk-of-a' }).check()
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, 'bulk-of-a')).toHaveCount(0)
    await expect(row(page, 'bulk-of-b')).toBeVisible()
  })

  test(
    'keeps the testing model, CHEAPEST when none is chosen',
    { tag: ['@B2.35', '@B7.17', '@B8.5', '@B9.10'] },
    async ({ rootPage: page, workbench }) => {
      const id = await addChannel(workbench, { name: 'models' })
      await page.goto('/channels')
      const select = page.getByRole('combobox', { name: 'Testing model of models' })
      await expect(select).toHaveValue('')
      await expect(select).toContainText('CHEAPEST')
      await select.focus()
      const sent = bodiesOf(page, 'PUT', '/api/channel/')
      await select.selectOption('gpt-4o-mini')
      await expect(page.getByText('Testing model saved.')).toBeVisible()
      expect((await stored(workbench, id)).testing_model).toBe('gpt-4o-mini')
      await select.selectOption('CHEAPEST')
      await expect.poll(async () => (await stored(workbench, id)).testing_model).toBeNull()
      expect(sent).toEqual(['gpt-4o-mini', null].map((testing_model) => ({ id, name: 'models', testing_model })))

      const save = '**/api/channel/'
      await page.route(save, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
      await select.selectOption('gpt-4o')
      await expect(page.getByText('Failed to save testing model')).toBeVisible()
      await expect(select).toHaveValue('')
      await page.unroute(save)

      await page.reload()
      await expect(select).toBeVisible()
      await workbench.root.call(deleteChannel, { path: { id } })
      await select.focus()
      await select.selectOption('gpt-4o')
      await expect(page.getByText('Save failed')).toBeVisible()
    },
  )

  test(
    'deletes one, and all disabled ones, after a confirmation',
    { tag: ['@B2.35', '@B7.15', '@B8.7', '@B8.14'] },
    async ({ rootPage: page, workbench }) => {
      await addChannel(workbench, { name: 'delete-me' })
      const id = await addChannel(workbench, { name: 'delete-disabled' })
      await workbench.root.call(updateChannel, { body: { id, status: 2 }, query: { status_only: '1' } })
      await addChannel(workbench, { name: 'delete-not' })
      await page.goto('/channels')
      await row(page, 'delete-me').getByRole('button', { name: 'Delete', exact: true }).click()
      const question = page.getByRole('alertdialog')
      await expect(question).toContainText('delete-me')
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expect(row(page, 'delete-me')).toBeVisible()
      await row(page, 'delete-me').getByRole('button', { name: 'Delete', exact: true }).click()
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByText('Channel deleted')).toBeVisible()
      await expect(row(page, 'delete-me')).toHaveCount(0)

      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete Disabled' }).click()
      await expectAccessible(page)
      const cleared = page.waitForRequest((request) => request.method() === 'DELETE')
      await question.getByRole('button', { name: 'Delete' }).click()
      expect(new URL((await cleared).url()).pathname).toBe('/api/channel/disabled')
      await expect(page.getByText('Disabled channels deleted.')).toBeVisible()
      await expect(row(page, 'delete-disabled')).toHaveCount(0)
      await expect(row(page, 'delete-not')).toBeVisible()

      await page.route('**/api/channel/disabled', (route) => route.fulfill({ json: { success: false, message: '' } }))
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete Disabled' }).click()
      await question.getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByText('Delete failed')).toBeVisible()
    },
  )

  test('is not for ordinary users, who stay signed in', async ({ userPage: page }) => {
    await page.goto('/channels')
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('link', { name: 'Channels' })).toHaveCount(0)
  })
})
