import { expect, expectAccessible, test } from '../fixtures.ts'
import { repeatUntilPaused } from '../paused-calls.ts'

test('a loop that a rule of a token has paused is shown with the tokens, and is released with one press', async ({
  userPage: page,
  user,
  workbench,
}) => {
  const again = await repeatUntilPaused(workbench, user.api, 'agent')
  await page.goto('/tokens')
  const paused = page.getByRole('region', { name: 'Paused by a rule' })
  await expect(paused).toContainText('agent: the same request was sent too often')
  await expectAccessible(page)
  expect(await again()).toBe(429)
  await paused.getByRole('button', { name: 'Release the pause of agent' }).click()
  await expect(page.getByText('Released', { exact: true })).toBeVisible()
  await expect(paused).toHaveCount(0)
  expect(await again()).toBe(200)
})
