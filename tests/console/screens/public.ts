import { createChannel } from '@sluice/contract/routes/channels'
import { createRedemptions, redeem } from '@sluice/contract/routes/redemptions'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

/** Two channels with models of their own. */
async function offer(bench: Workbench): Promise<void> {
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
    as: 'visitor',
    prepare: offer,
    show: async (page) => {
      await page.goto('/models')
      await expect(page.getByRole('table', { name: 'Models of look prices', exact: true })).toBeVisible()
    },
  },
  {
    name: 'model',
    as: 'user',
    prepare: offer,
    show: async (page) => {
      await page.goto('/models?keyword=gpt-4o&model=gpt-4o')
      await expect(page.getByRole('dialog', { name: 'gpt-4o' }).getByRole('tabpanel')).toBeVisible()
    },
  },
  {
    name: 'models-nothing-found',
    as: 'visitor',
    show: async (page) => {
      await page.goto('/models?keyword=no-such-model')
      await expect(page.getByText('No models found')).toBeVisible()
    },
  },
  {
    name: 'status',
    as: 'visitor',
    prepare: offer,
    show: async (page) => {
      await page.goto('/status?keyword=look')
      await expect(page.getByRole('heading', { name: 'look prices', exact: true }).first()).toBeVisible()
    },
  },
  {
    name: 'status-failed',
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
