import type { Page } from '@playwright/test'
import { self } from '@sluice/contract/routes/account'
import { updateUser } from '@sluice/contract/routes/users'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { callModels, money, UNIT } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'

const DAY_MS = 86_400_000
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

/** Calls each model once. Returns the total cost. */
async function spend(workbench: Workbench, api: ManagementClient, models: readonly string[]) {
  const charged = await callModels(workbench, api, 'ci', models)
  return {
    tokens: charged.reduce((sum, { tokens }) => sum + tokens, 0),
    quota: charged.reduce((sum, { quota }) => sum + quota, 0),
  }
}

const tile = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Usage Overview' }).locator('div').filter({ hasText: name }).last()
const chart = (page: Page, name: string) => page.getByRole('figure', { name })
const plot = (page: Page, name: string) => chart(page, name).getByRole('slider')
const usageCalls = (page: Page) => {
  const calls: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/user/dashboard') calls.push(url)
  })
  return calls
}
/** Days of the calls, except those of the period of comparison, which ends before today. */
const askedDays = (calls: readonly URL[]) =>
  calls
    .map(({ searchParams }) => `${searchParams.get('from_date')} ${searchParams.get('to_date')}`)
    .filter((days) => days.endsWith(day(0)))

async function expectRefused(page: Page, from: string, to: string, message: string): Promise<void> {
  // Typed dates apply when typing pauses, which it does not here.
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(page.getByText(/^Updated:/)).toBeVisible()
  await page.clock.pauseAt(Date.now() + 5_000)
  const calls = usageCalls(page)
  await page.getByLabel('From', { exact: true }).fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText(message).first()).toBeVisible()
  await expect(page.locator('[aria-invalid=true]')).toBeFocused()
  expect(calls).toEqual([])
}

test.describe('dashboard', () => {
  test(
    'adds up what the user spent, to the last point',
    {
      tag: [
        '@A1.2',
        '@A2.15',
        '@A2.39',
        '@A2.40',
        '@A2.41',
        '@A2.43',
        '@A3.5',
        '@A3.6',
        '@A3.7',
        '@A3.8',
        '@A6.3',
        '@A7.13',
        '@A9.5',
      ],
    },
    async ({ userPage: page, user, workbench }) => {
      const models = ['emu-n-tokens-30', 'emu-n-tokens-30', 'emu-n-tokens-500']
      const spent = await spend(workbench, user.api, models)
      const answered = page.waitForResponse('**/api/user/dashboard?*')
      await page.goto('/dashboard')
      const requested = new URL((await answered).url()).searchParams
      expect([...requested.keys()].sort()).toEqual(['_t', 'from_date', 'to_date'])
      const { data } = await (await answered).json()
      const counted = ['Day', 'RequestCount', 'Quota', 'PromptTokens', 'CompletionTokens']
      const named = (row: object) => Object.keys(row).filter((name) => name !== 'QuotaExact')
      expect(named(data.logs[0]).sort()).toEqual([...counted, 'ModelName'].sort())
      expect(named(data.user_logs[0]).sort()).toEqual([...counted, 'Username', 'UserId'].sort())
      expect(named(data.token_logs[0]).sort()).toEqual([...counted, 'Username', 'UserId', 'TokenName'].sort())
      await expect(tile(page, 'Total Requests')).toContainText('3')
      await expect(tile(page, 'Total Requests')).toContainText('Daily avg: 0.4')
      await expect(tile(page, 'Tokens Consumed')).toContainText(String(spent.tokens))
      for (const name of ['Total Requests', 'Quota Used', 'Tokens Consumed', 'Avg Cost / Request'])
        await expect(tile(page, name)).toContainText(/Daily avg: \$?\d/)
      await expect(tile(page, 'Quota Used')).toContainText(`$${(spent.quota / UNIT).toFixed(2)}`)
      await expect(tile(page, 'Avg Cost / Request')).toContainText(`$${(spent.quota / 3 / UNIT).toFixed(4)}`)
      await expect(page.getByText(/^Updated: \d\d:\d\d:\d\d$/)).toBeVisible()

      const leaders = page.getByRole('region', { name: 'Top Models This Period' })
      await expect(leaders.getByRole('term')).toHaveText(['Most Requests', 'Most Tokens', 'Highest Cost'])
      await expect(leaders.getByRole('definition')).toHaveText([
        'emu-n-tokens-30',
        '2 requests',
        'emu-n-tokens-500',
        /tokens$/,
        'emu-n-tokens-500',
        /^\$0\.00$/,
      ])
      const highlights = page.getByRole('region', { name: 'Highlights' })
      await expect(highlights.getByRole('term')).toHaveText(['Busiest Day', 'Peak Token Day', 'Models in Use'])
      await expect(highlights).toContainText('3 requests')
      await expect(highlights).toContainText(`${spent.tokens.toLocaleString('en-US')} tokens`)
      await expect(highlights.getByRole('definition').nth(4)).toHaveText('2')

      const today = (name: string) => chart(page, name).getByRole('row').last().getByRole('cell')
      await expect(today('Requests')).toHaveText('3')
      await expect(today('Quota')).toHaveText(money(spent.quota))
      await expect(today('Tokens')).toHaveText(spent.tokens.toLocaleString('en-US'))
      await expect(today('Model Usage').last()).toHaveText(spent.tokens.toLocaleString('en-US'))
      await expect(chart(page, 'User Usage').getByRole('columnheader').nth(1)).toHaveText(user.username)
      await expect(chart(page, 'Token Usage').getByRole('columnheader').nth(1)).toHaveText(`ci (${user.username})`)
    },
  )

  test('says that there is no data', { tag: '@A2.39' }, async ({ userPage: page }) => {
    await page.goto('/dashboard')
    await expect(tile(page, 'Total Requests')).toContainText('0')
    await expect(page.getByRole('region', { name: 'Top Models This Period' }).getByText('No data')).toHaveCount(3)
    await expect(chart(page, 'Model Usage')).toContainText('No data')
    await expect(page.getByRole('slider')).toHaveCount(0)
  })

  test(
    'shows ordinary users neither the user selector nor more than a week',
    { tag: ['@A2.38', '@A4.21', '@A5.17', '@A6.3', '@A9.12'] },
    async ({ userPage: page }) => {
      await page.goto('/dashboard')
      await expect(page.getByLabel('From', { exact: true })).toHaveValue(day(6))
      await expect(page.getByLabel('From', { exact: true })).toHaveAttribute('min', day(7))
      await expect(page.getByLabel('To', { exact: true })).toHaveAttribute('max', day(0))
      await expect(page.getByLabel('User', { exact: true })).toHaveCount(0)
      const calls = usageCalls(page)
      await page.getByRole('button', { name: '30D' }).click()
      await expect(page.getByText('From date cannot be more than 7 days ago').first()).toBeVisible()
      expect(calls).toEqual([])
    },
  )

  for (const [from, to, message] of [
    [day(0), day(1), 'From date must be before or equal to To date'],
    [day(0), day(-1), 'To date cannot be in the future'],
    [day(8), day(0), 'From date cannot be more than 7 days ago'],
    [day(7), day(0), 'Date range cannot exceed 7 days'],
  ] as const) {
    test(
      `refuses a range of an ordinary user: ${message}`,
      { tag: ['@A4.22', '@A5.14', '@A5.15', '@A5.16', '@A5.17'] },
      async ({ userPage: page }) => {
        await expectRefused(page, from, to, message)
      },
    )
  }

  for (const [from, to, message] of [
    [day(366), day(0), 'From date cannot be more than 1 year ago'],
    [day(365), day(0), 'Date range cannot exceed 1 year'],
  ] as const) {
    test(
      `refuses a range of an administrator: ${message}`,
      { tag: ['@A4.22', '@A5.18'] },
      async ({ rootPage: page }) => {
        await expectRefused(page, from, to, message)
      },
    )
  }

  test(
    'applies quick ranges at once and keeps them in the address',
    { tag: ['@A2.36', '@A4.20', '@A4.21'] },
    async ({ rootPage: page }) => {
      await page.goto('/dashboard')
      await expect(page.getByText(/^Updated:/)).toBeVisible()
      const calls = usageCalls(page)
      await page.getByRole('button', { name: '30D' }).click()
      await expect(page).toHaveURL(new RegExp(`from=${day(29)}&to=${day(0)}`))
      await expect(page.getByLabel('From', { exact: true })).toHaveValue(day(29))
      await page.getByRole('button', { name: 'Today' }).click()
      await expect(page.getByLabel('From', { exact: true })).toHaveValue(day(0))
      await expect(page).toHaveURL(new RegExp(`from=${day(0)}&to=${day(0)}`))
      await page.goBack()
      await expect(page.getByLabel('From', { exact: true })).toHaveValue(day(29))
      await page.getByRole('button', { name: '7D' }).click()
      await expect(page).toHaveURL(/\/dashboard$/)
      expect(askedDays(calls).slice(0, 2)).toEqual([`${day(29)} ${day(0)}`, `${day(0)} ${day(0)}`])
    },
  )

  test(
    'lets administrators look at everyone or one user',
    { tag: ['@A1.3', '@A2.37', '@A3.10', '@A6.2', '@A7.13', '@A7.14'] },
    async ({ rootPage: page, user, workbench }) => {
      const { tokens } = await spend(workbench, user.api, ['emu-n-tokens-7'])
      const { id } = await user.api.call(self)
      const display_name = `Shown ${user.username}`.slice(0, 20)
      await workbench.root.call(updateUser, { query: {}, body: { id, display_name } })
      const calls = usageCalls(page)
      // A user without a display name.
      await page.route('**/api/user/dashboard/users?*', async (route) => {
        const response = await route.fetch()
        const { data, ...rest } = await response.json()
        expect(Object.keys(data[0]).sort()).toEqual(['display_name', 'id', 'username'])
        const nameless = { id: 999_999, username: 'nameless', display_name: '' }
        await route.fulfill({ response, json: { ...rest, data: [...data, nameless] } })
      })
      await page.goto('/dashboard')
      const select = page.getByLabel('User', { exact: true })
      await expect(select.getByRole('option').first()).toHaveText('All Users')
      await expect(select.getByRole('option', { name: 'nameless', exact: true })).toHaveCount(1)
      await expect(select).toHaveValue('all')
      await select.selectOption({ label: display_name })
      await expect(tile(page, 'Tokens Consumed')).toContainText(String(tokens))
      await expect(page).toHaveURL(/user=\d+/)
      await expect(page.getByLabel('From', { exact: true })).toHaveAttribute('min', day(365))
      expect(calls.at(0)?.searchParams.get('user_id')).toBe('all')
      expect(calls.at(-1)?.searchParams.get('user_id')).toBe(String(id))
    },
  )

  test('switches the metric of all three stacks', { tag: '@A2.42' }, async ({ userPage: page, user, workbench }) => {
    const { quota } = await spend(workbench, user.api, ['emu-n-tokens-9'])
    await page.goto('/dashboard')
    await expect(chart(page, 'User Usage')).toContainText('Tokens per day')
    for (const name of ['Tokens', 'Requests', 'Expenses'])
      await expect(chart(page, 'Model Usage').getByRole('radio', { name })).toHaveCount(1)
    await expect(page.getByRole('radio')).toHaveCount(3)
    await page.getByRole('radio', { name: 'Expenses' }).check({ force: true })
    for (const name of ['Model Usage', 'User Usage', 'Token Usage']) {
      await expect(chart(page, name)).toContainText('Expenses per day')
      await expect(chart(page, name).getByRole('row').last()).toContainText(money(quota))
    }
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Expenses' })).toBeChecked()
    await expect(chart(page, 'Token Usage')).toContainText('Expenses per day')
  })

  test('moves along the days by keyboard and announces their values', async ({ userPage: page, user, workbench }) => {
    const { tokens } = await spend(workbench, user.api, ['emu-n-tokens-11'])
    await page.goto('/dashboard')
    const slider = plot(page, 'Model Usage')
    await slider.focus()
    await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`: total ${tokens}, emu-n-tokens-11 ${tokens}$`))
    await expect(chart(page, 'Model Usage').getByText('emu-n-tokens-11').first()).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(slider).toHaveAttribute('aria-valuenow', '5')
    await expect(slider).toHaveAttribute('aria-valuetext', /: No usage$/)
    await page.keyboard.press('Home')
    await expect(slider).toHaveAttribute('aria-valuenow', '0')
    await page.keyboard.press('End')
    await expect(slider).toHaveAttribute('aria-valuenow', '6')
  })

  test('hides, isolates and brings back series from the legend', async ({ userPage: page, user, workbench }) => {
    await spend(workbench, user.api, ['emu-n-tokens-12', 'emu-n-tokens-13'])
    await page.goto('/dashboard')
    const legend = page.getByRole('list', { name: 'Series in Model Usage' })
    const [first, second] = [legend.getByRole('button').first(), legend.getByRole('button').last()]
    await first.click()
    await expect(first).toHaveAttribute('aria-pressed', 'false')
    await expect(second).toHaveAttribute('aria-pressed', 'true')
    await first.dblclick()
    await expect(first).toHaveAttribute('aria-pressed', 'true')
    await expect(second).toHaveAttribute('aria-pressed', 'false')
    await first.click({ modifiers: ['Alt'] })
    await expect(second).toHaveAttribute('aria-pressed', 'true')
  })

  test(
    'unfolds the models beyond the fifteenth, each in one of the fifteen colours',
    { tag: '@A2.46' },
    async ({ userPage: page, user, workbench }) => {
      await spend(workbench, user.api, ['emu-n-tokens-15'])
      await page.route('**/api/user/dashboard?*', async (route) => {
        const reply = await route.fetch()
        const body = await reply.json()
        const [row] = body.data.logs
        if (row !== undefined) {
          const many = Array.from({ length: 20 }, (_, at) => ({
            ...row,
            ModelName: `many-${at}`,
            PromptTokens: 900 - at,
          }))
          body.data.logs = many
        }
        await route.fulfill({ json: body })
      })
      await page.goto('/dashboard')
      const legend = page.getByRole('list', { name: 'Series in Model Usage' })
      const names = legend.locator('button[aria-pressed]')
      await expect(names).toHaveCount(16)
      await expect(names.last()).toContainText('Other')
      const unfold = legend.getByRole('button', { name: 'Show all 20' })
      await expect(unfold).toHaveAttribute('aria-expanded', 'false')
      await unfold.click()
      await expect(names).toHaveCount(20)
      await expect(legend).not.toContainText('Other')
      const fills = await names
        .locator('svg > rect:first-child')
        .evaluateAll((all) => all.map((one) => one.getAttribute('fill')))
      expect(new Set(fills).size).toBe(15)
      await expect(chart(page, 'Model Usage').getByRole('columnheader', { name: 'many-19' })).toHaveCount(1)
      await legend.getByRole('button', { name: 'Show fewer' }).click()
      await expect(names).toHaveCount(16)
    },
  )

  test(
    'keeps the old figures in sight while it refreshes',
    { tag: ['@A2.36', '@A2.43', '@A2.44'] },
    async ({ userPage: page, user, workbench }) => {
      await spend(workbench, user.api, ['emu-n-tokens-14'])
      await page.goto('/dashboard')
      await expect(tile(page, 'Total Requests')).toContainText('1')
      let answer = () => {}
      const held = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/api/user/dashboard?*', async (route) => {
        await held
        await route.continue()
      })
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('Refreshing dashboard…')).toBeVisible()
      await expect(tile(page, 'Total Requests')).toContainText('1')
      await expect(plot(page, 'Model Usage')).toBeVisible()
      answer()
      await expect(page.getByText('Refreshing dashboard…')).toHaveCount(0)
      await expect(page.getByText(/^Updated:/)).toBeVisible()
    },
  )

  test('says nothing about a call that is no longer awaited', { tag: '@A8.6' }, async ({ userPage: page }) => {
    await page.goto('/dashboard')
    await expect(page.getByText(/^Updated:/)).toBeVisible()
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(`**/api/user/dashboard?from_date=${day(0)}*`, async (route) => {
      await held
      await route.abort()
    })
    await page.getByRole('button', { name: 'Today' }).click()
    await expect(page).toHaveURL(/from=/)
    await page.getByRole('button', { name: '7D' }).click()
    answer()
    await expect(page.getByText(/^Updated:/)).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test(
    'says that it failed, with the reason, and clears the lists',
    { tag: ['@A8.6', '@A8.12'] },
    async ({ userPage: page, user, workbench }) => {
      await spend(workbench, user.api, ['emu-n-tokens-15'])
      await page.goto('/dashboard')
      await expect(tile(page, 'Total Requests')).toContainText('1')
      await page.route('**/api/user/dashboard?*', (route) =>
        route.fulfill({ json: { success: false, message: 'The books are closed.' } }),
      )
      await page.getByRole('button', { name: 'Apply' }).click()
      const alert = page.getByRole('alert')
      await expect(alert).toContainText('Failed to fetch dashboard data')
      await expect(alert).toContainText('The books are closed.')
      await expect(tile(page, 'Total Requests')).toContainText('0')
      await page.unroute('**/api/user/dashboard?*')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(alert).toHaveCount(0)
      await expect(tile(page, 'Total Requests')).toContainText('1')
    },
  )

  test('leads from a model to its logs', async ({ userPage: page, user, workbench }) => {
    await spend(workbench, user.api, ['emu-n-tokens-16'])
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'emu-n-tokens-16' }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Logs')
    await expect(page).toHaveURL(/model=emu-n-tokens-16/)
    await expect(page.getByRole('row').filter({ hasText: 'emu-n-tokens-16' })).toHaveCount(1)
  })

  test(
    'draws the answer of a server that knows models only: a plain list',
    { tag: '@A3.9' },
    async ({ userPage: page }) => {
      const row = { Day: day(0), ModelName: '', RequestCount: 2, Quota: 500, PromptTokens: 30, CompletionTokens: 12 }
      await page.route('**/api/user/dashboard?*', (route) =>
        route.fulfill({ json: { success: true, message: '', data: [row] } }),
      )
      await page.goto('/dashboard')
      await expect(tile(page, 'Tokens Consumed')).toContainText('42')
      await expect(chart(page, 'Model Usage').getByRole('columnheader').nth(1)).toHaveText('Unknown model')
      await expect(chart(page, 'User Usage')).toContainText('No data')
    },
  )
})
