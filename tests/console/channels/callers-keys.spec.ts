import { searchChannels } from '@sluice/contract/routes/channels'
import { expect, expectAccessible, test } from '../fixtures.ts'

test('a vendor’s channel can be told to use the keys of its callers, and at which ratio', async ({
  rootPage: page,
  workbench,
}) => {
  const provider = page.getByLabel('Provider')
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('brought along')
  await provider.selectOption({ label: 'OpenAI Compatible' })
  await expect(page.getByLabel('Whose keys are used')).toHaveCount(0)
  await provider.selectOption({ label: 'Anthropic' })
  await expect(page.getByLabel('Ratio with a caller’s own key')).toHaveCount(0)
  await page.getByLabel('Whose keys are used').selectOption({ label: 'Each caller’s own' })
  await page.getByLabel('Ratio with a caller’s own key').fill('0.25')
  await page.getByLabel('API key').fill('any')
  await page.getByRole('combobox', { name: 'Models' }).fill('claude-brought-along')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect
    .poll(async () => (await workbench.root.call(searchChannels, { query: { keyword: 'brought along' } }))[0]?.config)
    .toBe('{"credentials":"caller","caller_ratio":"0.25"}')
})
