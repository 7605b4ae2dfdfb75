import { createChannel, deleteChannel, searchChannels } from '@sluice/contract/routes/channels'
import { applyConfiguration, releaseConfiguration } from '@sluice/contract/routes/configuration'
import { expect, expectAccessible, test } from '../fixtures.ts'

const OWNER = 'platform'
const REASON = `The configuration file “${OWNER}” sets this. Change it there; it is read-only here.`

test('what a configuration file owns is marked and can only be read, until it is given back', async ({
  rootPage: page,
  workbench: { root, emulator },
}) => {
  const body = { name: 'from a file', type: 50, key: 'sk-emulator', base_url: emulator.url, models: 'gpt-4o' }
  const [id = 0] = await root.call(createChannel, { body })
  const document = JSON.stringify({
    version: 1,
    owner: OWNER,
    options: { RetryTimes: 4, DisplayInCurrencyEnabled: true },
    channels: [{ name: 'from a file', type: 50, base_url: emulator.url, models: ['gpt-4o'], status: 'enabled' }],
  })
  await root.call(applyConfiguration, { body: { document } })

  await page.goto('/channels?keyword=from%20a%20file')
  const row = page.getByRole('row').filter({ hasText: 'from a file' })
  await expect(row.getByText('Managed by configuration file')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await expect(row.getByRole('button', { name: 'Disable' })).toHaveCount(0)
  await expectAccessible(page)

  await page.goto(`/channels/edit/${id}`)
  await expect(page.getByText(REASON)).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Update', exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Test connection' }).first()).toBeEnabled()
  await expectAccessible(page)

  await page.goto('/settings?tab=operation#RetryTimes')
  const setting = page.locator('#RetryTimes')
  await expect(setting.getByText('Managed by configuration file')).toBeVisible()
  await expect(setting.getByText(REASON)).toBeVisible()
  await expect(setting.getByRole('textbox')).toBeDisabled()
  await expect(page.locator('#DisplayInCurrencyEnabled').getByRole('switch')).toBeDisabled()

  await root.call(releaseConfiguration, { body: { owner: OWNER } })
  await page.reload()
  await expect(setting.getByRole('textbox')).toBeEnabled()
  await expect(setting.getByText('Managed by configuration file')).toHaveCount(0)
  for (const channel of await root.call(searchChannels, { query: { keyword: 'from a file' } })) {
    await root.call(deleteChannel, { path: { id: channel.id } })
  }
})
