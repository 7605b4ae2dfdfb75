import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

export const sessionScreens: readonly Screen[] = [
  {
    name: 'sign-in',
    as: 'visitor',
    show: async (page) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByText('Username is required')).toBeVisible()
    },
  },
]
