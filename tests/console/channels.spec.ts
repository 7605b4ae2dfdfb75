import type { Page } from '@playwright/test'
import { createChannel, deleteChannel, getChannel, listChannels, updateChannel } from '@sluice/contract/routes/channels'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, expectAccessible, test } from './fixtures.ts'

interface NewChannel {
  readonly name: string
  readonly type?: number
  readonly models?: string
  readonly priority?: number
}

/** Adds a channel at the emulator and answers its id. */
async function addChannel({ root, emulator }: Workbench, channel: NewChannel): Promise<number> {
  const body = { type: 50, key: 'sk-emulator', base_url: emulator.url, models: 'gpt-4o,gpt-4o-mini', ...channel }
  const [id = 0] = await root.call(createChannel, { body })
  return id
}

async function deleteAll({ root }: Workbench): Promise<void> {
  for (const { id } of await root.call(listChannels, { query: { size: '100' } })) {
    await root.call(deleteChannel, { path: { id } })
  }
}

const stored = ({ root }: Workbench, id: number) => root.call(getChannel, { path: { id } })
/** The row of a channel by its name. */
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test.describe('channel list', () => {
  test('is empty at first and says what to do', async ({ rootPage: page, workbench }) => {
    await deleteAll(workbench)
    await page.goto('/channels')
    await expect(page.getByText('No channels found. Create your first channel to get started.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Add Channel' })).toBeVisible()
    await expectAccessible(page)
  })

  test('names type and state: disabled, paused, active', async ({ rootPage: page, workbench }) => {
    await addChannel(workbench, { name: 'states-active', type: 20 })
    await addChannel(workbench, { name: 'states-paused', priority: -1 })
    const id = await addChannel(workbench, { name: 'states-disabled', priority: -1 })
    await workbench.root.call(updateChannel, { body: { id, status: 2 }, query: { status_only: '1' } })
    await page.goto('/channels')
    await expect(row(page, 'states-active')).toContainText('OpenRouter')
    await expect(row(page, 'states-active')).toContainText('Active')
    await expect(row(page, 'states-paused')).toContainText('Paused')
    await expect(row(page, 'states-disabled')).toContainText('Disabled')
    await expect(row(page, 'states-disabled')).toContainText('Not tested')
  })

  test('searches with suggestions and sorts, both in the address', async ({ rootPage: page, workbench }) => {
    const first = await addChannel(workbench, { name: 'search-b', priority: 1 })
    await addChannel(workbench, { name: 'search-a', priority: 2 })
    await addChannel(workbench, { name: 'other' })
    await page.goto('/channels')
    const field = page.getByRole('combobox', { name: 'Search channels by name or ID...' })
    await field.pressSequentially('search')
    await expect(page.getByRole('search').getByRole('option')).toHaveCount(2)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/keyword=search/)
    await expect(page.getByRole('row')).toHaveCount(3)
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await expect(page.getByRole('link', { name: /^search-/ })).toHaveText(['search-a', 'search-b'])
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await expect(page.getByRole('link', { name: /^search-/ })).toHaveText(['search-b', 'search-a'])
    await expect(page).toHaveURL(/sort=name/)
    await page.goto(`/channels?keyword=${first}`)
    await expect(row(page, 'search-b')).toBeVisible()
  })

  test('switches at once, takes it back on request and on refusal', async ({ rootPage: page, workbench }) => {
    const id = await addChannel(workbench, { name: 'switched' })
    await page.goto('/channels')
    await row(page, 'switched').getByRole('button', { name: 'Disable' }).click()
    await expect(row(page, 'switched')).toContainText('Disabled')
    await expect.poll(async () => (await stored(workbench, id)).status).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'switched')).toContainText('Active')
    await expect.poll(async () => (await stored(workbench, id)).status).toBe(1)

    // The list is asked for again after each switch; it must not tell that the channel is gone before the next one does.
    const list = '**/api/channel/?*'
    await page.route(list, (route) => route.abort())
    await workbench.root.call(deleteChannel, { path: { id } })
    const disable = row(page, 'switched').getByRole('button', { name: 'Disable' })
    await expect(disable).toBeEnabled()
    await page.unroute(list)
    await disable.click()
    await expect(page.getByText('Status not changed')).toBeVisible()
    await expect(row(page, 'switched')).toHaveCount(0)
  })

  test('tests a channel and tells time, model or reason', async ({ rootPage: page, workbench }) => {
    const good = await addChannel(workbench, { name: 'answers', models: 'gpt-4o' })
    const bad = await addChannel(workbench, { name: 'refuses', models: 'emu-error-500' })
    await page.goto('/channels')
    await row(page, 'answers').getByRole('button', { name: 'Test' }).click()
    await expect(page.getByText('Channel test successful.')).toBeVisible()
    await expect(page.getByText(/answers · gpt-4o · \d+ ms/)).toBeVisible()
    await expect(row(page, 'answers')).toContainText(/\d ms/)
    expect((await stored(workbench, good)).response_time).toBeGreaterThan(0)

    await row(page, 'refuses').getByRole('button', { name: 'Test' }).click()
    await expect(page.getByText('Channel test failed')).toBeVisible()
    await expect(row(page, 'refuses')).toContainText('Failed')
    expect(await stored(workbench, bad)).toMatchObject({ response_time: 0 })
  })

  test('tests all and follows the run', async ({ rootPage: page, workbench }) => {
    await deleteAll(workbench)
    await addChannel(workbench, { name: 'bulk-answers', models: 'gpt-4o' })
    await addChannel(workbench, { name: 'bulk-refuses', models: 'emu-error-500' })
    await page.goto('/channels')
    await page.getByRole('button', { name: 'Test All' }).click()
    await expect(page.getByText('Bulk channel test started.')).toBeVisible()
    await expect(page.getByText('2 of 2 tested · 1 failed')).toBeVisible({ timeout: 15_000 })
    await expect(row(page, 'bulk-refuses')).toContainText('Failed')
  })

  test('keeps the testing model, CHEAPEST when none is chosen', async ({ rootPage: page, workbench }) => {
    const id = await addChannel(workbench, { name: 'models' })
    await page.goto('/channels')
    const select = page.getByRole('combobox', { name: 'Testing model of models' })
    await expect(select).toHaveValue('')
    await expect(select).toContainText('CHEAPEST')
    await select.focus()
    await select.selectOption('gpt-4o-mini')
    await expect(page.getByText('Testing model saved.')).toBeVisible()
    expect((await stored(workbench, id)).testing_model).toBe('gpt-4o-mini')
    await select.selectOption('CHEAPEST')
    await expect.poll(async () => (await stored(workbench, id)).testing_model).toBeNull()

    await page.reload()
    await expect(select).toBeVisible()
    await workbench.root.call(deleteChannel, { path: { id } })
    await select.focus()
    await select.selectOption('gpt-4o')
    await expect(page.getByText('Save failed')).toBeVisible()
  })

  test('deletes one, and all disabled ones, after a confirmation', async ({ rootPage: page, workbench }) => {
    await addChannel(workbench, { name: 'delete-me' })
    const id = await addChannel(workbench, { name: 'delete-disabled' })
    await workbench.root.call(updateChannel, { body: { id, status: 2 }, query: { status_only: '1' } })
    await addChannel(workbench, { name: 'delete-not' })
    await page.goto('/channels')
    await row(page, 'delete-me').getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('delete-me')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(row(page, 'delete-me')).toBeVisible()
    await row(page, 'delete-me').getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Channel deleted')).toBeVisible()
    await expect(row(page, 'delete-me')).toHaveCount(0)

    await page.getByRole('button', { name: 'Delete Disabled' }).click()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Disabled channels deleted.')).toBeVisible()
    await expect(row(page, 'delete-disabled')).toHaveCount(0)
    await expect(row(page, 'delete-not')).toBeVisible()
  })

  test('is not for ordinary users, who stay signed in', async ({ userPage: page }) => {
    await page.goto('/channels')
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('link', { name: 'Channels' })).toHaveCount(0)
  })

  test('is a list of cards on a phone, with everything in reach', async ({ rootPage: page, workbench }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const id = await addChannel(workbench, { name: 'pocket', type: 20 })
    await page.goto('/channels')
    const card = page.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'pocket' })
    await expect(card).toContainText('OpenRouter')
    await card.getByRole('button', { name: 'Actions for pocket' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await expect(card).toContainText('Disabled')
    await expect.poll(async () => (await stored(workbench, id)).status).toBe(2)
    await card.getByRole('combobox', { name: 'Testing model of pocket' }).focus()
    await card.getByRole('combobox').selectOption('gpt-4o')
    await expect(page.getByText('Testing model saved.')).toBeVisible()
    await page.getByRole('button', { name: 'More actions' }).click()
    await expect(page.getByRole('menuitem', { name: 'Test All' })).toBeVisible()
    await expectAccessible(page)
  })
})
