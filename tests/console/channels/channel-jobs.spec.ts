import { createChannel, deleteChannel, listChannels } from '@sluice/contract/routes/channels'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'

async function addChannel({ root, emulator }: Workbench, name: string, models: string): Promise<number> {
  const body = { type: 50, key: 'sk-emulator', base_url: emulator.url, name, models }
  const [id = 0] = await root.call(createChannel, { body })
  return id
}

async function deleteAll({ root }: Workbench): Promise<void> {
  for (const { id } of await root.call(listChannels, { query: { size: '100' } })) {
    await root.call(deleteChannel, { path: { id } })
  }
}

test('a test of all channels says who started it, what failed and why, and can be stopped', async ({
  rootPage: page,
  workbench,
}) => {
  await deleteAll(workbench)
  const refuses = await addChannel(workbench, 'job-refuses', 'emu-error-500')
  await addChannel(workbench, 'job-never-answers', 'emu-stall-before')
  await page.goto('/channels')
  await page.getByRole('button', { name: 'Test All' }).click()
  const running = page.getByRole('region', { name: 'Testing channels' })
  await expect(running).toContainText('1 of 2 · 1 failed · started by root', { timeout: 15_000 })
  await running.getByText('Failures').click()
  await expect(running.getByRole('listitem')).toHaveText(/^job-refuses .+/)
  await expect(running.getByRole('link', { name: 'job-refuses' })).toHaveAttribute('href', `/channels/edit/${refuses}`)

  await running.getByRole('button', { name: 'Stop' }).click()
  const ended = page.getByRole('region', { name: 'Test finished' })
  await expect(ended).toContainText('1 of 2 · stopped · 1 failed · started by root')
  await ended.getByRole('button', { name: 'Dismiss' }).click()
  await expect(ended).toHaveCount(0)
})

test('a scheduled run is shown while it goes on, and disappears quietly', async ({ rootPage: page }) => {
  let running = true
  await page.route('**/api/channel/test/status*', async (route) => {
    const reply = await route.fetch()
    const body: { data: object } = await reply.json()
    const run = { running, outcome: running ? '' : 'done', scheduled: true, started_by: '', scope: 'recovery' }
    const data = { ...body.data, ...run, started_time: 4_000_000_000, total: 4, done: 1, failed: 0, failures: [] }
    await route.fulfill({ json: { ...body, data } })
  })
  await page.goto('/channels')
  const bar = page.getByRole('region', { name: 'Testing channels' })
  await expect(bar).toContainText('1 of 4 · by schedule')
  running = false
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Test finished' })).toHaveCount(0)
})

test('a channel that the gateway disabled says why and since when', async ({ rootPage: page, workbench }) => {
  await addChannel(workbench, 'job-off', 'gpt-4o')
  await page.route('**/api/channel/?*', async (route) => {
    const reply = await route.fetch()
    const body: { data: object[] } = await reply.json()
    const why = { status: 3, disabled_reason: '12 of 20 calls failed within 15 minutes', disabled_time: 1_700_000_000 }
    await route.fulfill({ json: { ...body, data: body.data.map((channel) => ({ ...channel, ...why })) } })
  })
  await page.goto('/channels')
  const badge = page.getByRole('row').filter({ hasText: 'job-off' }).getByText('Disabled', { exact: true })
  await badge.hover()
  await expect(page.getByRole('tooltip')).toContainText('12 of 20 calls failed within 15 minutes')
  await expect(page.getByRole('tooltip')).toContainText('2023')
})
