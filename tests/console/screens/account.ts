import { createChannel } from '@sluice/contract/routes/channels'
import { putOwnKey } from '@sluice/contract/routes/own-keys'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

export const accountScreens: readonly Screen[] = [
  {
    name: 'own-account',
    route: '/users/edit',
    as: 'user',
    show: async (page) => {
      await page.goto('/users/edit')
      await expect(page.getByLabel('Username')).not.toHaveValue('')
    },
  },
  {
    name: 'settings-personal',
    route: '/settings',
    as: 'user',
    show: async (page) => {
      await page.goto('/settings')
      await expect(page.getByRole('list', { name: 'Sessions' })).toBeVisible()
      await page.getByRole('button', { name: 'Generate invitation link' }).click()
      await expect(page.getByRole('button', { name: 'Copy invitation link' })).toBeVisible()
    },
  },
  {
    name: 'settings-own-keys',
    route: '/settings',
    as: 'user',
    prepare: async (bench, api) => {
      const channel = { type: 14, name: 'takes keys', key: 'any', models: 'claude-of-callers' }
      await bench.root.call(createChannel, { body: { ...channel, config: '{"credentials":"caller"}' } })
      const key = { vendor: 'Anthropic', key: 'sk-ant-of-a-user', label: 'work', fallback: true }
      await api.call(putOwnKey, { body: key })
    },
    show: async (page) => {
      await page.goto('/settings')
      const section = page.locator('#own-keys')
      await expect(section.getByRole('listitem')).toContainText('Anthropic · work')
      await section.scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-two-factor',
    route: '/settings',
    as: 'user',
    show: async (page) => {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Set up TOTP' }).click()
      await page.getByRole('button', { name: 'Confirm' }).click()
      await expect(page.getByText('Enter a valid 6-digit code').first()).toBeVisible()
    },
  },
  {
    name: 'settings-delete-account',
    route: '/settings',
    as: 'user',
    show: async (page) => {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expect(page.getByText('This is not your username').first()).toBeVisible()
    },
  },
]
