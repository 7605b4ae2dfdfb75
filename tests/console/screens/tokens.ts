import { createToken } from '@sluice/contract/routes/tokens'
import { expect } from '../fixtures.ts'
import { repeatUntilPaused } from '../paused-calls.ts'
import type { Screen } from './screen.ts'

export const tokenScreens: readonly Screen[] = [
  {
    name: 'tokens',
    route: '/tokens',
    as: 'user',
    prepare: async (_bench, api) => {
      const names = ['ci', 'a token with a rather long nam', 'unlimited']
      for (const name of names) await api.call(createToken, { body: { name, unlimited_quota: name === 'unlimited' } })
    },
    show: async (page) => {
      await page.goto('/tokens')
      await expect(page.getByText('a token with a rather long nam')).toBeVisible()
    },
  },
  {
    name: 'tokens-paused',
    route: '/tokens',
    alone: true,
    as: 'user',
    prepare: async (bench, api) => {
      await repeatUntilPaused(bench, api, 'agent')
    },
    show: async (page) => {
      await page.goto('/tokens')
      await expect(page.getByRole('region', { name: 'Paused by a rule' })).toContainText('agent')
    },
  },
  {
    name: 'token-form',
    route: '/tokens/add',
    as: 'user',
    show: async (page) => {
      await page.goto('/tokens/add')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText('Token name is required').first()).toBeVisible()
    },
  },
  {
    name: 'token-edit',
    route: '/tokens/edit/$id',
    as: 'user',
    prepare: async (_bench, api) => {
      const budgets = [{ period: 'week', quota: 500_000 } as const]
      const body = { name: 'look-stored', remain_quota: 7, models: 'gpt-4o,gpt-4o-mini', subnet: '10.0.0.0/8', budgets }
      await api.call(createToken, { body })
    },
    show: async (page) => {
      await page.goto('/tokens?keyword=look-stored')
      await page.getByRole('link', { name: 'Edit' }).click()
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('look-stored')
    },
  },
]
