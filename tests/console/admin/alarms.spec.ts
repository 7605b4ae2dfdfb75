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
  // Alarms are written every few seconds.
  await expect(async () => {
    await page.goto('/channels')
    await expect(page.getByText(/alarms?: .* missing/)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  await page.getByRole('link', { name: 'Show' }).click()
  const row = page.getByRole('row', { name: model })
  await expect(row).toContainText('No prices')
  await expect(row).toContainText('No price')
  await expectAccessible(page)
  await row.getByRole('button', { name: `Dismiss ${model}` }).click()
  await expect(row).toBeHidden()
  await expect(page.getByText('Dismissed. It returns')).toBeVisible()
})

test('users are redirected away from the list', async ({ userPage: page }) => {
  await page.goto('/alarms')
  await expect(page).toHaveURL(/\/dashboard/)
  await expect(page.getByText(/alarms?: .* missing/)).toHaveCount(0)
})
