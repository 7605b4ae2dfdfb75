import { createChannel } from '@sluice/contract/routes/channels'
import { listOwnKeys } from '@sluice/contract/routes/own-keys'
import { expect, expectAccessible, test } from '../fixtures.ts'

const CANARY = 'c4n4rYc4n4rY'

test(
  'an own key is added, changed and removed by keyboard, and never shown again',
  { tag: ['@S1', '@S20'] },
  async ({ userPage: page, user, workbench }) => {
    const section = page.locator('#own-keys')
    await page.goto('/settings')
    await expect(section.getByRole('heading', { name: 'Your own provider keys' })).toBeVisible()
    const caller = { type: 14, name: `takes keys ${user.username}`, key: 'any', models: 'claude-of-callers' }
    await workbench.root.call(createChannel, { body: { ...caller, config: '{"credentials":"caller"}' } })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()

    await section.getByRole('button', { name: 'Add key' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add key' })
    await expect(dialog.getByLabel('Key', { exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('The key must be at least 8 characters')
    await dialog.getByLabel('Provider').selectOption('Anthropic')
    await dialog.getByLabel('Key', { exact: true }).fill('sk-proj-of-another-vendor')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('key: is a key of OpenAI')
    await dialog.getByLabel('Key', { exact: true }).fill(`sk-ant-${CANARY}`)
    await dialog.getByLabel('Label').fill('work')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(section.getByRole('listitem')).toContainText('Anthropic · work')
    await expect(section.getByRole('listitem')).toContainText('The platform’s channels are not used')
    const [first] = (await user.api.call(listOwnKeys)).keys
    await expect(section.getByRole('listitem')).toContainText(first?.fingerprint ?? 'none')
    expect(await page.content()).not.toContain(CANARY)
    await expectAccessible(page)

    await section.getByRole('button', { name: 'Change the key for Anthropic' }).press('Enter')
    const change = page.getByRole('dialog', { name: 'Change the key for Anthropic' })
    await expect(change.getByLabel('Key', { exact: true })).toHaveValue('')
    await change.getByRole('checkbox').press('Space')
    await change.getByRole('button', { name: 'Save' }).press('Enter')
    await expect(section.getByRole('listitem')).toContainText('Falls back to the platform’s channels, at their price')
    expect((await user.api.call(listOwnKeys)).keys).toEqual([{ ...first, fallback: true }])

    await section.getByRole('button', { name: 'Remove the key for Anthropic' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await expect(section).toContainText('You have not stored any keys.')
    expect((await user.api.call(listOwnKeys)).keys).toEqual([])
  },
)

test(
  'a key needs the password when the sign-in is some time ago',
  { tag: '@S39' },
  async ({ userPage: page, user, workbench }) => {
    const caller = { type: 20, name: `takes keys ${user.username}`, key: 'any', models: 'router-of-callers' }
    await workbench.root.call(createChannel, { body: { ...caller, config: '{"credentials":"caller"}' } })
    // The gateway refuses like this when the sign-in is ten minutes old.
    await page.route('**/api/user/own_keys', async (route) => {
      const body = route.request().method() === 'PUT' ? (route.request().postDataJSON() as object) : undefined
      if (body === undefined || 'current_password' in body) return route.fallback()
      const json = { success: false, message: 'Not yet', code: 'step_up_required', data: { password_required: true } }
      return route.fulfill({ json })
    })
    await page.goto('/settings')
    await page.locator('#own-keys').getByRole('button', { name: 'Add key' }).click()
    const adding = page.getByRole('dialog', { name: 'Add key' })
    await adding.getByLabel('Provider').selectOption('OpenRouter')
    await adding.getByLabel('Key', { exact: true }).fill(`sk-or-${CANARY}`)
    await adding.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
    await expect(dialog).toContainText('The holder of the provider’s account')
    await expectAccessible(page)
    await dialog.getByLabel('Current password').fill('any, as this sign-in is fresh')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.locator('#own-keys').getByRole('listitem')).toContainText('OpenRouter')
    await expect(dialog).toHaveCount(0)
  },
)
