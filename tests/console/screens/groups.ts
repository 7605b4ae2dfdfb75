import type { Page } from '@playwright/test'
import type { UsableGroups } from '@sluice/contract/groups'
import type { PriceList } from '@sluice/contract/price-list'
import { createToken } from '@sluice/contract/routes/tokens'
import type { Token } from '@sluice/contract/token'
import { expect } from '../fixtures.ts'
import { offer } from './public.ts'
import type { Screen } from './screen.ts'

const LONG = 'a-group-with-a-name-of-32-letter'
const USABLE: UsableGroups = {
  default: { ratio: 1, desc: 'default', title: '', own: true, order: 0 },
  batch: {
    ratio: 0.4,
    desc: 'Answers within a day, at less than half the price.',
    title: 'Batch',
    own: false,
    order: 1,
  },
  premium: { ratio: 1.5, desc: 'Dedicated capacity.', title: 'Premium', own: false, order: 2 },
  [LONG]: {
    ratio: 0.812345,
    desc: 'Everything there is to say about this group, which takes more than one line even where the window is wide enough for most.',
    title: 'A title of sixty letters, which is the most that it may have',
    own: false,
    order: 0,
  },
  auto: { ratio: '自动', desc: '自动', title: '', own: false, order: 0 },
}
const SETTING = {
  default: { ratio: 1, title: '', text: '', usable_by: [], ratio_for: {}, order: 0 },
  batch: { ratio: 0.5, title: 'Batch', text: 'Answers within a day.', usable_by: ['*'], ratio_for: {}, order: 1 },
  premium: { ratio: 1.5, title: '', text: '', usable_by: ['default', 'vip'], ratio_for: { vip: 1.2 }, order: 2 },
  [LONG]: { ratio: 0.8, title: '', text: '', usable_by: [], ratio_for: {}, order: 0 },
}

/** Groups belong to the gateway, which other tests share, so these screens only replace its replies about them. */
async function patchReply<Reply>(page: Page, url: string, change: (reply: Reply) => void): Promise<void> {
  await page.route(url, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const json = (await (await route.fetch()).json()) as Reply
    change(json)
    await route.fulfill({ json })
  })
}

const withUsableGroups = (page: Page) =>
  page.route('**/api/user/self/groups?*', (route) =>
    route.fulfill({ json: { success: true, message: '', data: USABLE } }),
  )

const withPrices = (page: Page) =>
  patchReply<{ data: PriceList; groups: UsableGroups }>(page, '**/api/models/display?*', (reply) => {
    const { auto: _none, ...groups } = USABLE
    reply.groups = groups
    for (const channel of Object.values(reply.data)) channel.groups = ['default', 'batch']
  })

export const groupScreens: readonly Screen[] = [
  {
    name: 'token-groups',
    route: '/tokens/add',
    as: 'user',
    show: async (page) => {
      await withUsableGroups(page)
      await page.goto('/tokens/add')
      const field = page.getByRole('combobox', { name: 'Add a group' })
      for (const name of ['premium', LONG]) {
        await field.fill(name)
        await field.press('Enter')
      }
      await page.getByRole('button', { name: 'Move premium down' }).click()
      await field.click()
      await expect(page.getByRole('option').first()).toBeVisible()
      await page.getByRole('region', { name: 'Groups' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'token-groups-refused',
    route: '/tokens/edit/$id',
    as: 'user',
    prepare: async (_bench, api) => {
      await api.call(createToken, { body: { name: 'look-fallen' } })
    },
    show: async (page) => {
      await withUsableGroups(page)
      await patchReply<{ data: Token }>(page, '**/api/token/*?*', ({ data }) => {
        data.groups = ['batch', 'gone']
      })
      await page.goto('/tokens?keyword=look-fallen')
      await page.getByRole('link', { name: 'Edit' }).click()
      await page.getByRole('button', { name: 'Update' }).click()
      await expect(page.getByRole('region', { name: 'Groups' }).getByRole('combobox')).toBeFocused()
    },
  },
  {
    name: 'tokens-with-groups',
    route: '/tokens',
    as: 'user',
    prepare: async (_bench, api) => {
      for (const name of ['one', 'two', 'three']) await api.call(createToken, { body: { name } })
    },
    show: async (page) => {
      const groups = [[], ['auto'], ['batch', 'premium', 'default', LONG]]
      await patchReply<{ data: Token[] }>(page, '**/api/token/?*', ({ data }) => {
        for (const [at, token] of data.entries()) token.groups = groups[at] ?? []
      })
      await page.goto('/tokens')
      await expect(page.getByText('via batch → premium').first()).toBeVisible()
    },
  },
  {
    name: 'models-of-a-group',
    route: '/models',
    as: 'visitor',
    prepare: offer,
    show: async (page) => {
      await withPrices(page)
      await page.goto('/models?keyword=o&group=batch')
      await expect(page.getByRole('table', { name: 'Models of look prices', exact: true })).toBeVisible()
    },
  },
  {
    name: 'model-of-a-group',
    route: '/models',
    as: 'visitor',
    prepare: offer,
    show: async (page) => {
      await withPrices(page)
      await page.goto('/models?keyword=gpt-4o&model=gpt-4o&group=batch')
      await expect(page.getByRole('dialog', { name: 'gpt-4o' })).toContainText('List price')
    },
  },
  {
    name: 'settings-groups',
    route: '/settings',
    as: 'root',
    show: async (page) => {
      await patchReply<{ data: { key: string; value: string }[] }>(page, '**/api/option/?*', ({ data }) => {
        for (const option of data) if (option.key === 'Groups') option.value = JSON.stringify(SETTING)
      })
      await page.goto('/settings?tab=operation#Groups')
      const row = page.locator('#Groups')
      await row.locator('summary', { hasText: 'premium' }).click()
      await row.getByLabel('Ratio', { exact: true }).fill('half')
      await row.getByRole('button', { name: 'Save Groups' }).click()
      await expect(row.getByText('Enter a number from 0 to 1000.')).toBeVisible()
    },
  },
]
