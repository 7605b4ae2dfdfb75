import { expect, expectAccessible, test } from '../fixtures.ts'
import { callInSessions } from '../named-sessions.ts'
import { rows } from './log-screen.ts'

test('a session shows what its task cost, and leads to its calls', async ({ userPage: page, user, workbench }) => {
  await callInSessions(workbench, user.api, 'agents')
  await page.goto('/logs')
  await page.getByRole('link', { name: 'Sessions' }).click()
  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  await expect(navigation.getByRole('link', { name: 'Logs' })).toHaveAttribute('aria-current', 'page')
  const table = page.getByRole('table', { name: 'Sessions' })
  const claude = table.getByRole('row', { name: /claude-code/ })
  await expect(claude).toContainText('emu-n-tokens-46 +1')
  await expect(claude).toContainText('3')
  await expect(table.getByRole('row', { name: /codex/ })).toBeVisible()
  await expectAccessible(page)
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.getByText('claude-code').first()).toBeVisible()
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(sideways, `${width} px`).toBe(false)
  }

  await table.getByRole('columnheader', { name: 'Cost' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=quota/)
  await table.getByRole('link', { name: /claude-code/ }).click()
  await expect(page).toHaveURL(/\/logs\?.*session=/)
  await expect(rows(page)).toHaveCount(3)
  await rows(page).first().getByRole('link').click()
  const panel = page.getByRole('dialog')
  await expect(panel).toContainText('claude-code')
  await panel.getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('button', { name: /^Remove filter Session/ }).click()
  await expect(page).not.toHaveURL(/session=/)
})

test('a session of a token that was not asked for is not listed, and pages are kept in the address', async ({
  userPage: page,
  user,
  workbench,
}) => {
  await callInSessions(workbench, user.api, 'mine')
  await page.goto('/sessions')
  await page.getByRole('textbox', { name: 'Token' }).fill('another')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page.getByText('No sessions yet.', { exact: false })).toBeVisible()
  await page.goto('/sessions?keyword=mine')
  await expect(page.getByRole('link', { name: /calls in the session of/ })).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
})
