import type { Page } from '@playwright/test'
import { createChannel, getChannel, listChannelKeys, searchChannels } from '@sluice/contract/routes/channels'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, expectAccessible, test } from '../fixtures.ts'

const MODEL = 'keyed-model'

async function addChannel({ root, emulator }: Workbench, name: string, key: string): Promise<number> {
  const body = { name, type: 50, key, keys_in_one: true, base_url: emulator.url, models: MODEL }
  const [id = 0] = await root.call(createChannel, { body })
  return id
}

const keysOf = ({ root }: Workbench, id: number) => root.call(listChannelKeys, { path: { id } })
const panelOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Keys of ${name}` })

test('several keys become one channel when that is chosen', async ({ rootPage: page, workbench }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('many in one')
  await page.getByLabel('Provider').selectOption({ label: 'OpenAI Compatible' })
  await page.getByLabel('Base URL').fill(workbench.emulator.url)
  const models = page.getByRole('combobox', { name: 'Models' })
  await models.fill(MODEL)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const several = page.getByLabel('Several keys')
  await page.getByLabel('API key').fill('sk-one')
  await expect(several).toBeHidden()
  await page.getByLabel('API key').fill('sk-one\nsk-two\nsk-one')
  await expect(page.getByText('3 keys: 3 channels will be created.')).toBeVisible()
  await several.selectOption({ label: 'All keys in this channel: 3 keys' })
  await expect(page.getByText('3 keys: 3 channels will be created.')).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Duplicates skipped: 1')).toBeVisible()
  const [channel, ...others] = await workbench.root.call(searchChannels, { query: { keyword: 'many in one' } })
  expect(others).toEqual([])
  expect(channel?.key_count).toBe(2)
  await page.getByRole('link', { name: '2 keys of many in one' }).click()
  await expect(panelOf(page, 'many in one').getByRole('listitem')).toHaveCount(2)
})

test('the keys of a channel are switched, deleted and added in its panel', async ({ rootPage: page, workbench }) => {
  const id = await addChannel(workbench, 'keyed', 'sk-a\nsk-b')
  await page.goto(`/channels?keyword=keyed&keys=${id}`)
  const panel = panelOf(page, 'keyed')
  const row = (position: number) => panel.getByRole('listitem', { name: `Key ${position}`, exact: true })
  await expect(row(1)).toContainText('On')
  await row(1).getByRole('button', { name: 'Disable' }).click()
  await expect(row(1)).toContainText('Off')
  await expect(row(2).getByRole('button', { name: 'Disable' })).toHaveAccessibleDescription(
    'No other key is enabled; disable the channel instead.',
  )
  expect((await keysOf(workbench, id)).map(({ status }) => status)).toEqual([2, 1])
  await expectAccessible(page)

  await panel.getByLabel('Add keys, one per line').fill('sk-b\nsk-c')
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Duplicates skipped: 1')).toBeVisible()
  await expect(panel.getByText('3 keys')).toBeVisible()
  await row(1).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(panel.getByText('2 keys')).toBeVisible()
  expect((await keysOf(workbench, id)).map(({ status }) => status)).toEqual([1, 1])
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
})

test('a key that the provider refuses is shown as resting, while the others serve', async ({
  rootPage: page,
  workbench,
}) => {
  const id = await addChannel(workbench, 'one refused', 'sk-refused\nsk-good')
  const [refused] = await keysOf(workbench, id)
  const at = Date.now()
  await page.route(`**/api/channel/health?*`, async (route) => {
    const lane = { model: MODEL, failure_rate: 0, open: 0, answered: 1, failed: 1, key: 1, keys: 2 }
    const rest = { standing: 'resting', worth: 0, cause: 'account', until: at + 60_000 }
    const health = { channel: id, channel_name: 'one refused', condition: 'part_resting', lane_count: 1, resting: 1 }
    const lanes = [{ ...lane, ...rest, fingerprint: refused?.fingerprint }]
    const data = [{ ...health, failure_rate: 0, open: 0, lanes }]
    await route.fulfill({ json: { success: true, message: '', data, now: at } })
  })
  await page.goto(`/channels?keyword=one+refused&keys=${id}`)
  const panel = panelOf(page, 'one refused')
  await expect(panel.getByRole('listitem', { name: 'Key 1' })).toContainText('Cooling down until')
  await expect(panel.getByRole('listitem', { name: 'Key 1' })).toContainText('The provider refuses the key.')
  await expect(panel.getByRole('listitem', { name: 'Key 2' })).toContainText('On')
})

test('typed keys replace those of a stored channel or join them', async ({ rootPage: page, workbench }) => {
  const id = await addChannel(workbench, 'joined', 'sk-a\nsk-b')
  await page.goto(`/channels/edit/${id}`)
  await expect(page.getByText('Leave empty to keep the 2 stored keys.')).toBeVisible()
  await page.getByLabel('API key').fill('sk-c')
  const given = page.getByLabel('A new key')
  // Typing a single key must not discard several.
  await expect(given).toHaveValue('append')
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByText('Channel updated successfully')).toBeVisible()
  expect((await workbench.root.call(getChannel, { path: { id } })).key_count).toBe(3)
  await page.goto(`/channels/edit/${id}`)
  await page.getByLabel('API key').fill('sk-x\nsk-y')
  await given.selectOption({ label: 'replaces the 3 stored keys' })
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page).toHaveURL(/\/channels$/)
  expect(await keysOf(workbench, id)).toHaveLength(2)
})
