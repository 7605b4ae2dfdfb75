import { createChannel, getChannel } from '@sluice/contract/routes/channels'
import { expect, expectAccessible, test } from '../fixtures.ts'

test('the channel list is a list of cards on a phone, with everything in reach', async ({
  rootPage: page,
  workbench,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { root, emulator } = workbench
  const body = { name: 'pocket', type: 20, key: 'sk-x', base_url: emulator.url, models: 'gpt-4o,gpt-4o-mini' }
  const [id = 0] = await root.call(createChannel, { body })
  await page.goto('/channels')
  const card = page.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'pocket' })
  await expect(card).toContainText('OpenRouter')
  await card.getByRole('button', { name: 'Actions for pocket' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await expect(card).toContainText('Disabled')
  await expect.poll(async () => (await root.call(getChannel, { path: { id } })).status).toBe(2)
  await card.getByRole('combobox', { name: 'Testing model of pocket' }).focus()
  await card.getByRole('combobox').selectOption('gpt-4o')
  await expect(page.getByText('Testing model saved.')).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Test All' })).toBeVisible()
  await expectAccessible(page)
})
