import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test } from '../fixtures.ts'

test('administrators are notified of a model without a price, and see to it', async ({
  rootPage: page,
  user,
  workbench,
}) => {
  const model = `unpriced-${user.username}`
  await workbench.root.call(createChannel, {
    body: { name: 'No prices', type: 50, key: 'k', base_url: workbench.emulator.url, models: model },
  })
  const { key } = await user.api.call(createToken, { body: { name: 'asks', unlimited_quota: true } })
  const reply = await fetch(`${workbench.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(reply.status).toBe(503)
  await expect(async () => {
    await page.goto('/channels')
    await expect(page.getByText(/alarms? needs? attention/)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  await page.getByRole('link', { name: 'Show' }).click()
  const row = page.getByRole('row', { name: model })
  await expect(row).toContainText('No prices')
  await expect(row).toContainText('No price')
  await expectAccessible(page)
  await row.getByRole('button', { name: `Dismiss ${model}` }).click()
  await expect(row).toBeHidden()
  await expect(page.getByText('Dismissed. It will return')).toBeVisible()
})

test('root is led to what has drifted from its configuration file', async ({ rootPage: page }) => {
  const alarm = { kind: 'configuration_drift', first_seen_ms: 1_000, last_seen_ms: 2_000, count: 0 }
  const data = [
    { ...alarm, id: 2, subject: 'RetryTimes', channel_id: 0, channel_name: '' },
    { ...alarm, id: 1, subject: 'main', channel_id: 7, channel_name: 'main, renamed' },
  ]
  // Real alarms would appear above the screens of other tests, and only once a minute.
  await page.route('**/api/alarm/?*', (route) => route.fulfill({ json: { success: true, data, total: 2 } }))
  await page.goto('/alarms')
  await expect(page.getByRole('link', { name: 'Open main, renamed' })).toHaveAttribute('href', '/channels/edit/7')
  const row = page.getByRole('row', { name: 'RetryTimes' })
  await expect(row).toContainText('Differs from file')
  await row.getByRole('link', { name: 'Open the setting RetryTimes' }).click()
  await expect(page).toHaveURL(/\/settings\?.*find=RetryTimes/)
  await expect(page.getByText('Retries', { exact: true })).toBeVisible()
})

test('users are redirected away from the list', async ({ userPage: page }) => {
  await page.goto('/alarms')
  await expect(page).toHaveURL(/\/dashboard/)
  await expect(page.getByText(/alarms? needs? attention/)).toHaveCount(0)
})
