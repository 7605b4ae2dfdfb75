import { createChannel } from '@sluice/contract/routes/channels'
import { expect, test } from '../fixtures.ts'

interface Item {
  readonly name: string
  readonly status: string
  readonly enabled: boolean
  readonly response: { readonly response_time_ms: number; readonly test_time: number; readonly created_time: number }
}
const item = (name: string, status: string, enabled: boolean, response_time_ms: number): Item => ({
  name,
  status,
  enabled,
  response: { response_time_ms, test_time: response_time_ms === 0 ? 0 : 1_763_600_000, created_time: 1_763_500_000 },
})
const summary = { channels: 5, enabled: 2, manually_disabled: 1, auto_disabled: 1, average_response_ms: 640 }

test(
  'visitors look through channels six at a time and find them by name',
  { tag: ['@A6.5', '@C1.8', '@C2.2', '@C2.35', '@C2.36', '@C2.37', '@C2.38', '@C6.3', '@C7.6', '@C8.5', '@C9.2'] },
  async ({ page, workbench }) => {
    for (let index = 0; index < 8; index++) {
      const body = { type: 1, key: 'sk-x', models: 'lighthouse', name: `lighthouse ${index}` }
      await workbench.root.call(createChannel, { body })
    }
    await page.goto('/status')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Channel Status')
    const cards = page.getByRole('list', { name: 'Channel Status' }).getByRole('listitem')
    await expect(cards).toHaveCount(6)
    await expect(page.locator('dl').first()).toContainText('Average response')
    await page.getByRole('textbox', { name: 'Search channels...' }).fill('LIGHTHOUSE')
    await expect(page).toHaveURL(/keyword=LIGHTHOUSE/)
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await expect(pages.getByRole('button', { name: /^Page \d/ })).toHaveCount(2)
    await pages.getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect(cards).toHaveCount(2)
    await expect(cards.first()).toContainText('lighthouse 1')
    await expect(page).toHaveURL(/p=1/)
    await page.getByRole('textbox', { name: 'Search channels...' }).fill('no such channel')
    await expect(page.getByText('No Channels Found')).toBeVisible()
    await expect(page).not.toHaveURL(/p=1/)
  },
)

test(
  'badges and bands say how each channel does',
  { tag: ['@C2.35', '@C3.18', '@C4.1', '@C4.2', '@C4.3', '@C7.6', '@C9.2'] },
  async ({ page }) => {
    const data = [
      item('a', 'enabled', true, 999),
      item('b', 'enabled', false, 1_000),
      item('c', 'manually_disabled', false, 3_000),
      item('d', 'auto_disabled', false, 0),
      item('e', 'of a newer server', true, 2_999),
    ]
    const requested: string[] = []
    await page.route('**/api/status/channel*', (route) => {
      requested.push(new URL(route.request().url()).search)
      return route.fulfill({ json: { success: true, message: '', data, total: 60, summary } })
    })
    await page.goto('/status')
    const cards = page.locator('dl').first()
    await expect(cards.getByRole('term')).toHaveText([
      'Channels',
      'Enabled',
      'Manually disabled',
      'Automatically disabled',
      'Average response',
    ])
    await expect(cards.getByRole('definition')).toHaveText(['5', '2', '1', '1', '640 ms'])
    const card = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    for (const [name, badge, band] of [
      ['a', 'Enabled', 'Fast'],
      ['b', 'Unknown', 'Normal'],
      ['c', 'Manually disabled', 'Slow'],
      ['d', 'Automatically disabled', 'N/A'],
      ['e', 'Unknown', 'Normal'],
    ] as const) {
      await expect(card(name).getByText(badge, { exact: true })).toBeVisible()
      await expect(card(name).getByText(band, { exact: true })).toBeVisible()
    }
    await expect(page.getByRole('listitem').getByText('Enabled', { exact: true })).toHaveCount(1)
    expect(requested[0]).toMatch(/p=0&size=6/)
    await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Page \d/ })).toHaveCount(
      5,
    )
  },
)

test(
  'the page refreshes on its own, keeps what it has, and reports what failed',
  { tag: '@C8.2' },
  async ({ page }) => {
    let answer: object = { success: true, message: '', data: [item('first', 'enabled', true, 5)], total: 1, summary }
    let fails = false
    await page.route('**/api/status/channel*', (route) => (fails ? route.abort() : route.fulfill({ json: answer })))
    await page.clock.install()
    await page.goto('/status')
    await expect(page.getByRole('heading', { name: 'first' })).toBeVisible()
    await expect(page.getByText(/^Updated: /)).toBeVisible()
    answer = { success: false, message: 'the books are closed' }
    await page.clock.runFor(31_000)
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText('Failed to fetch channel status: the books are closed')
    await expect(page.getByRole('heading', { name: 'first' })).toBeVisible()
    fails = true
    await page.clock.runFor(31_000)
    await expect(alert).toHaveText('Error fetching channel status: the server cannot be reached.')
    fails = false
    answer = { success: true, message: '', data: [item('second', 'enabled', true, 5)], total: 1, summary }
    await page.clock.runFor(31_000)
    await expect(page.getByRole('heading', { name: 'second' })).toBeVisible()
    await expect(alert).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Auto-refresh' }).uncheck()
    answer = { success: true, message: '', data: [item('third', 'enabled', true, 5)], total: 1, summary }
    await page.clock.runFor(120_000)
    await expect(page.getByRole('heading', { name: 'second' })).toBeVisible()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('heading', { name: 'third' })).toBeVisible()
  },
)

test('bars show what share of their requests channels answered, with a table for users who cannot see them', async ({
  page,
}) => {
  const requested: (string | null)[] = []
  const bars = Array.from({ length: 48 }, (_, at) => (at < 40 ? null : at === 47 ? 250 : 1_000))
  const history = { from: 1_763_640_000, step: 1_800, bars, answered: 998 }
  const quiet = { ...history, bars: bars.map(() => null), answered: null }
  const data = [
    { ...item('busy', 'enabled', true, 5), history },
    { ...item('quiet', 'enabled', true, 5), history: quiet },
    item('of an older server', 'enabled', true, 5),
  ]
  await page.route('**/api/status/channel*', (route) => {
    requested.push(new URL(route.request().url()).searchParams.get('range'))
    return route.fulfill({ json: { success: true, message: '', data, total: 3, summary } })
  })
  await page.goto('/status')
  const table = page.getByRole('table', { name: 'Calls answered by busy' })
  await expect(table.getByRole('row')).toHaveCount(9)
  await expect(table.getByRole('row').last()).toContainText('25%')
  await expect(page.getByText('99.8% answered')).toBeVisible()
  const quietCard = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'quiet' }) })
  await expect(quietCard.locator('figcaption')).toContainText('No calls')
  await expect(page.getByRole('figure')).toHaveCount(2)
  const ranges = page.getByRole('group', { name: 'Answered calls' })
  await ranges.getByText('90 days').click()
  await expect(page).toHaveURL(/range=quarter/)
  await expect(ranges.getByRole('radio', { name: '90 days' })).toBeChecked()
  await page.getByRole('textbox', { name: 'Search channels...' }).fill('busy')
  await expect(page).toHaveURL(/keyword=busy.*range=quarter|range=quarter.*keyword=busy/)
  await ranges.getByRole('radio', { name: '90 days' }).press('ArrowLeft')
  await expect(page).toHaveURL(/range=week/)
  await expect.poll(() => [...new Set(requested)]).toEqual(['day', 'quarter', 'week'])
})
