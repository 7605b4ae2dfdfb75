import type { Log } from '@sluice/contract/log'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { MESSAGES } from '../charged-calls.ts'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

/**
 * A model with three channels: one asks to be left alone for ten minutes, one answers, and one is paused. One call has reached the
 * first.
 */
export async function callPastResting(bench: Workbench, payer: ManagementClient, model: string): Promise<void> {
  for (const [name, target, priority] of [
    [`${model} limited`, 'emu-limited-600', 10],
    [`${model} sound`, 'emu-fast', 0],
    [`${model} paused`, 'emu-fast', -1],
  ] as const) {
    await bench.root.call(createChannel, {
      body: {
        name,
        type: 50,
        key: 'sk-emulator',
        base_url: bench.emulator.url,
        models: model,
        model_mapping: JSON.stringify({ [model]: target }),
        model_configs: JSON.stringify({ [target]: { ratio: 1 } }),
        priority,
      },
    })
  }
  const { key } = await payer.call(createToken, { body: { name: model, unlimited_quota: true } })
  expect((await bench.chat(key, { model, messages: MESSAGES })).status).toBe(200)
}

export const routingScreens: readonly Screen[] = [
  {
    name: 'log-way',
    route: '/logs',
    as: 'root',
    prepare: (bench, api) => callPastResting(bench, api, 'look-way'),
    show: async (page) => {
      await page.goto('/logs?token=look-way')
      await page
        .getByRole('link', { name: /^Open the trace of/ })
        .first()
        .click()
      await expect(page.getByRole('region', { name: 'Why this channel?' })).toContainText('look-way limited')
      await page.getByRole('region', { name: 'Attempts' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'channel-health',
    route: '/channels',
    as: 'root',
    prepare: (bench, api) => callPastResting(bench, api, 'look-health'),
    show: async (page) => {
      await page.goto('/channels?keyword=look-health')
      await page
        .getByRole('link', { name: /^Health of look-health limited/ })
        .first()
        .click()
      await expect(page.getByRole('region', { name: 'Keys and models' })).toContainText('Cooling down until')
    },
  },
  {
    name: 'why-this-channel',
    route: '/channels/explain',
    as: 'root',
    prepare: (bench, api) => callPastResting(bench, api, 'look-why'),
    show: async (page) => {
      await page.goto('/channels/explain?model=look-why')
      await expect(page.getByRole('group', { name: 'Left out' })).toContainText('look-why limited')
    },
  },
  {
    name: 'why-this-channel-refused',
    route: '/channels/explain',
    as: 'root',
    show: async (page) => {
      await page.goto('/channels/explain?model=no-such-model&user=1')
      await expect(page.getByRole('alert')).toContainText('404 model_not_found')
      await page.getByLabel('User ID').fill('somebody')
      await page.getByRole('button', { name: 'Explain' }).click()
      await expect(page.getByText('Enter a whole number')).toBeVisible()
    },
  },
  {
    name: 'way-of-a-request',
    route: '/channels/explain',
    as: 'root',
    prepare: (bench, api) => callPastResting(bench, api, 'look-past'),
    show: async (page) => {
      const logs = (await (await page.request.get('/api/log/?token_name=look-past')).json()) as { data: Log[] }
      await page.goto(`/channels/explain?request=${logs.data[0]?.request_id}`)
      await expect(page.getByRole('region', { name: 'Attempts' })).toContainText('look-past limited')
    },
  },
]
