import type { ChannelJob } from '@sluice/contract/channel'
import {
  createChannel,
  listChannelKeys,
  listChannels,
  searchChannels,
  setChannelKeyStatus,
} from '@sluice/contract/routes/channels'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

const CONFIGS = {
  'gpt-4o': { ratio: 1.25, completion_ratio: 4, tiers: [] },
  'gpt-4o-mini': { ratio: 0.075, completion_ratio: 4, max_tokens: 16_384 },
}

/** A test of all channels, halfway. */
const RUN: ChannelJob = {
  id: 3,
  running: true,
  stopping: false,
  outcome: '',
  scope: 'all',
  started_by: 'root',
  scheduled: false,
  started_time: 1_800_000_000,
  finished_time: 0,
  total: 48,
  done: 31,
  failed: 2,
  disabled: 1,
  enabled: 1,
  failures: [
    { id: 4, name: 'Frankfurt, the second', reason: 'The provider did not answer in time.' },
    {
      id: 9,
      name: 'Team key',
      reason:
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs.',
    },
  ],
}

async function addChannel(bench: Workbench, api: ManagementClient, name: string, more: object = {}): Promise<void> {
  const body = { name, type: 50, base_url: bench.emulator.url, key: 'sk-x', models: 'gpt-4o,gpt-4o-mini', ...more }
  const stored = await api.call(listChannels, { query: { size: '100' } })
  if (!stored.some((channel) => channel.name === name)) await api.call(createChannel, { body })
}

export const channelScreens: readonly Screen[] = [
  {
    name: 'channels',
    route: '/channels',
    as: 'root',
    prepare: async (bench, api) => {
      await addChannel(bench, api, 'look-active', { priority: 1 })
      await addChannel(bench, api, 'look-gone', { type: 11, base_url: '', models: 'chat-bison' })
      await addChannel(bench, api, 'look-paused with a name that is rather longer than any column', { priority: -1 })
    },
    show: async (page) => {
      await page.goto('/channels?keyword=look')
      await page.getByRole('checkbox', { name: 'Select look-active' }).check()
      await expect(page.getByRole('group', { name: 'Selected rows' })).toBeVisible()
    },
  },
  {
    name: 'channel-form',
    route: '/channels/add',
    as: 'root',
    show: async (page) => {
      await page.goto('/channels/add')
      await page.getByRole('group', { name: 'View of Model mapping' }).getByRole('button', { name: 'JSON' }).click()
      await page.getByLabel('Model mapping', { exact: true }).fill('{"a"}')
      await page.getByRole('button', { name: 'Fill defaults' }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await expect(page.getByText('Channel name is required').first()).toBeVisible()
    },
  },
  {
    name: 'channel-provider-closed',
    route: '/channels/add',
    as: 'root',
    show: async (page) => {
      await page.goto('/channels/add')
      await page.getByLabel('Provider').selectOption({ label: 'PaLM2' })
      await expect(page.getByRole('alert')).toContainText('has shut down')
    },
  },
  {
    name: 'channel-credentials',
    route: '/channels/add',
    as: 'root',
    show: async (page) => {
      await page.goto('/channels/add')
      await page.getByLabel('Provider').selectOption({ label: 'Azure' })
      await page.getByLabel('Sign in with').selectOption({ label: 'Entra ID application' })
      await page.getByRole('button', { name: 'Test connection' }).click()
      await expect(page.getByText('API key is required').first()).toBeVisible()
    },
  },
  {
    name: 'channel-edit',
    route: '/channels/edit/$id',
    as: 'root',
    prepare: (bench, api) =>
      addChannel(bench, api, 'look-edited', {
        model_mapping: '{"gpt-4o":"my-deployment"}',
        model_configs: JSON.stringify(CONFIGS),
      }),
    show: async (page) => {
      await page.goto('/channels?keyword=look-edited')
      await page.getByRole('link', { name: 'look-edited' }).click()
      await page.getByLabel('Name', { exact: true }).fill('look-renamed')
      await page.getByLabel('Base URL').fill('https://elsewhere.test')
      await page
        .getByRole('group', { name: 'gpt-4o-mini' })
        .getByRole('spinbutton', { name: 'Ratio', exact: true })
        .fill('0.1')
      await page.getByText(/^3 changes: /).click()
      await expect(page.getByText('look-renamed')).toBeVisible()
    },
  },
  {
    name: 'channel-models-fetched',
    route: '/channels/edit/$id',
    as: 'root',
    prepare: (bench, api) => addChannel(bench, api, 'look-fetched', { models: 'emu-fast,gone-model' }),
    show: async (page) => {
      await page.goto('/channels?keyword=look-fetched')
      await page.getByRole('link', { name: 'look-fetched' }).click()
      await page.getByRole('button', { name: 'Fetch from provider' }).click()
      await expect(page.getByRole('checkbox', { name: 'gone-model' })).toBeVisible()
    },
  },
  {
    name: 'channel-keys',
    route: '/channels',
    as: 'root',
    prepare: async (bench, api) => {
      await addChannel(bench, api, 'look-keyed', { key: 'sk-a\nsk-b\nsk-c', keys_in_one: true })
      const [channel] = await api.call(searchChannels, { query: { keyword: 'look-keyed' } })
      const [first] = await api.call(listChannelKeys, { path: { id: channel?.id ?? 0 } })
      const path = { id: channel?.id ?? 0, fingerprint: first?.fingerprint ?? '' }
      await api.call(setChannelKeyStatus, { path, body: { status: 2 } })
    },
    show: async (page) => {
      await page.goto('/channels?keyword=look-keyed')
      await page.getByRole('button', { name: 'Actions for look-keyed' }).click()
      await page.getByRole('menuitem', { name: 'Keys' }).click()
      await expect(page.getByRole('listitem', { name: 'Key 1' })).toContainText('Off')
    },
  },
  {
    name: 'channel-several-keys',
    route: '/channels/add',
    as: 'root',
    show: async (page) => {
      await page.goto('/channels/add')
      await page.getByLabel('API key').fill('sk-a\nsk-b')
      await page.getByLabel('Several keys').selectOption({ label: 'All keys in this channel: 2 keys' })
      await expect(page.getByText('Requests are spread across the keys', { exact: false })).toBeVisible()
    },
  },
  {
    name: 'channel-test-running',
    route: '/channels',
    as: 'root',
    prepare: (bench, api) => addChannel(bench, api, 'look-tested'),
    show: async (page) => {
      await page.route('**/api/channel/test/status*', (route) => route.fulfill({ json: { success: true, data: RUN } }))
      await page.goto('/channels?keyword=look-tested')
      await page.getByText('Failures').click()
      await expect(page.getByRole('link', { name: 'Frankfurt, the second' })).toBeVisible()
    },
  },
]
