import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

export const accountScreens: readonly Screen[] = [
  {
    name: 'own-account',
    as: 'user',
    show: async (page) => {
      await page.goto('/users/edit')
      await expect(page.getByLabel('Username')).not.toHaveValue('')
    },
  },
]
