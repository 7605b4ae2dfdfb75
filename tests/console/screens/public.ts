import { createChannel } from '@sluice/contract/routes/channels'
import { createRedemptions, redeem } from '@sluice/contract/routes/redemptions'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

export async function offer(bench: Workbench): Promise<void> {
  const models = [
    'gpt-4o',
    'o3',
    'gpt-image-1',
    'claude-sonnet-4',
    'vendor/a-model-with-a-name-that-is-longer-than-most',
  ]
  for (const name of ['look prices', 'look prices with a rather long name of its own']) {
    const body = { type: 50, base_url: bench.emulator.url, key: 'sk-x', models: models.join(','), name }
    await bench.root.call(createChannel, { body })
  }
}

async function topUp(bench: Workbench, api: ManagementClient): Promise<void> {
  const [key = ''] = await bench.root.call(createRedemptions, { body: { name: 'look', count: 1, quota: 500_000 } })
  await api.call(redeem, { body: { key } })
}

export const publicScreens: readonly Screen[] = [
  {
    name: 'models',
    route: '/models',
    as: 'visitor',
    prepare: offer,
    show: async (page) => {
      await page.goto('/models')
      await expect(page.getByRole('table', { name: 'Models of look prices', exact: true })).toBeVisible()
    },
  },
  {
    name: 'model',
    route: '/models',
    as: 'user',
    prepare: offer,
    show: async (page) => {
      await page.goto('/models?keyword=gpt-4o&model=gpt-4o')
      await expect(page.getByRole('dialog', { name: 'gpt-4o' }).getByRole('tabpanel')).toBeVisible()
    },
  },
  {
    name: 'models-nothing-found',
    route: '/models',
    as: 'visitor',
    show: async (page) => {
      await page.goto('/models?keyword=no-such-model')
      await expect(page.getByText('No models found')).toBeVisible()
    },
  },
  {
    name: 'status',
    route: '/status',
    as: 'visitor',
    prepare: offer,
    show: async (page) => {
      await page.goto('/status?keyword=look')
      await expect(page.getByRole('heading', { name: 'look prices', exact: true }).first()).toBeVisible()
    },
  },
  {
    name: 'status-history',
    route: '/status',
    as: 'visitor',
    show: async (page) => {
      const shares = [null, 1_000, 1_000, 997, 1_000, 962, 400, 0, 1_000, 993]
      const bars = Array.from({ length: 48 }, (_, at) => (at < 6 ? null : (shares[at % shares.length] ?? null)))
      const channel = (name: string, status: string, history: object) => ({
        name,
        status,
        enabled: status === 'enabled',
        response: { response_time_ms: 480, test_time: 1_763_600_000, created_time: 1_763_500_000 },
        history: { from: 1_763_640_000, step: 1_800, bars, answered: 912, ...history },
      })
      const data = [
        channel('A channel whose name is so long that it has to be cut somewhere', 'enabled', {}),
        channel('Steady', 'enabled', { bars: bars.map(() => 1_000), answered: 1_000 }),
        channel('Nobody asked it', 'auto_disabled', { bars: bars.map(() => null), answered: null }),
      ]
      const summary = { channels: 3, enabled: 2, manually_disabled: 0, auto_disabled: 1, average_response_ms: 480 }
      await page.route('**/api/status/channel*', (route) =>
        route.fulfill({ json: { success: true, message: '', data, total: 3, summary } }),
      )
      await page.goto('/status')
      await expect(page.getByText('91.2% answered')).toBeVisible()
    },
  },
  {
    name: 'status-failed',
    route: '/status',
    as: 'visitor',
    show: async (page) => {
      await page.route('**/api/status/channel*', (route) =>
        route.fulfill({ json: { success: false, message: 'closed' } }),
      )
      await page.goto('/status')
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'topup',
    route: '/topup',
    as: 'user',
    prepare: topUp,
    show: async (page) => {
      await page.route('**/api/status?*', async (route) => {
        const json = await (await route.fetch()).json()
        await route.fulfill({ json: { ...json, data: { ...json.data, top_up_link: 'https://shop.example.com/' } } })
      })
      await page.goto('/topup')
      await expect(page.getByRole('region', { name: 'Recent top-ups' })).toContainText('Redeemed')
      await expect(page.getByRole('link', { name: 'Open payment page' })).toBeVisible()
      await page.getByRole('button', { name: 'Redeem' }).click()
      await expect(page.getByText('Redemption code is required').first()).toBeVisible()
    },
  },
]
