import { createChannel } from '@sluice/contract/routes/channels'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

export const channelScreens: readonly Screen[] = [
  {
    name: 'channels',
    as: 'root',
    prepare: async (bench, api) => {
      const channel = { type: 50, base_url: bench.emulator.url, key: 'sk-x', models: 'gpt-4o' }
      await api.call(createChannel, { body: { ...channel, name: 'look-active', priority: 1 } })
      const name = 'look-paused with a name that is rather longer than any column'
      await api.call(createChannel, { body: { ...channel, name, priority: -1 } })
    },
    show: async (page) => {
      await page.goto('/channels?keyword=look')
      await expect(page.getByRole('link', { name: 'look-active' })).toBeVisible()
    },
  },
  {
    name: 'channel-form',
    as: 'root',
    show: async (page) => {
      await page.goto('/channels/add')
      await page.getByLabel('Model mapping').fill('{"a"}')
      await page.getByRole('button', { name: 'Fill defaults' }).click()
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText('Channel name is required').first()).toBeVisible()
    },
  },
]
