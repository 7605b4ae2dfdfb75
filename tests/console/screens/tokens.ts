import { createToken } from '@sluice/contract/routes/tokens'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

export const tokenScreens: readonly Screen[] = [
  {
    name: 'tokens',
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
    name: 'token-form',
    as: 'user',
    show: async (page) => {
      await page.goto('/tokens/add')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText('Token name is required').first()).toBeVisible()
    },
  },
]
