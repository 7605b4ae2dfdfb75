import { expect } from '../fixtures.ts'
import { callInSessions } from '../named-sessions.ts'
import type { Screen } from './screen.ts'

export const usageSessionScreens: readonly Screen[] = [
  {
    name: 'sessions',
    route: '/sessions',
    alone: true,
    as: 'user',
    prepare: async (bench, api) => {
      await callInSessions(bench, api, 'agents')
    },
    show: async (page) => {
      await page.goto('/sessions')
      await expect(page.getByRole('link', { name: /calls in the session of/ })).toHaveCount(2)
    },
  },
  {
    name: 'sessions-empty',
    route: '/sessions',
    as: 'user',
    show: async (page) => {
      await page.goto('/sessions?keyword=none')
      await expect(page.getByText('No sessions yet.', { exact: false })).toBeVisible()
    },
  },
]
