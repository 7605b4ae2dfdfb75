import type { Page } from '@playwright/test'
import { listOptions } from '@sluice/contract/routes/options'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { withGroups } from './with-groups.ts'

const setting = (page: Page) => page.locator('#Groups')
const group = (page: Page, name: string) =>
  setting(page)
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: new RegExp(`^${name} `) }) })

test('root sets a group with all that belongs to it, and the settings of the family follow', async ({
  rootPage: page,
  workbench,
}) => {
  await withGroups(workbench, { default: {}, vip: { ratio: 0.8, usable_by: ['default'] } }, async () => {
    await page.goto('/settings?tab=operation')
    await expect(setting(page).locator('summary')).toHaveText(['default ×1', 'vip ×0.8 · usable by default', 'svip ×1'])
    await setting(page).getByRole('button', { name: 'Add group' }).click()
    const fields = setting(page).locator('details').last()
    await expect(fields.getByLabel('Name')).toBeFocused()
    await page.keyboard.type('batch')
    await fields.getByLabel('Ratio', { exact: true }).fill('half')
    await fields.getByLabel('Title').fill('Batch')
    await fields.getByLabel('Place in “auto”').fill('1')
    await fields.getByLabel('Ratio for users of other groups').fill('vip: 0.4')
    const usable = fields.getByRole('combobox', { name: 'Usable by' })
    await usable.click()
    await expect(fields.getByRole('option')).toHaveText(['*', 'default', 'vip', 'svip', 'batch'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await setting(page).getByRole('button', { name: 'Save Groups' }).click()
    await expect(fields.getByLabel('Ratio', { exact: true })).toHaveAccessibleDescription(
      /Enter a number from 0 to 1000\.$/,
    )
    await expectAccessible(page)
    await fields.getByLabel('Ratio', { exact: true }).fill('0.5')
    await setting(page).getByRole('button', { name: 'Save Groups' }).click()
    const asked = page.getByRole('alertdialog')
    await expect(asked).toContainText('batch: new, at 0.5; batch (vip): new, at 0.4.')
    await asked.getByRole('button', { name: 'Change' }).click()
    await expect(page.getByText('Groups updated successfully')).toBeVisible()

    const values = Object.fromEntries((await workbench.root.call(listOptions)).map(({ key, value }) => [key, value]))
    expect(JSON.parse(values['Groups'] ?? '')).toMatchObject({
      batch: { ratio: 0.5, title: 'Batch', usable_by: ['*'], ratio_for: { vip: 0.4 }, order: 1 },
    })
    await expect(page.getByRole('textbox', { name: 'Group ratios' })).toHaveValue(/"batch": 0\.5/)
    await expect(page.locator('#AutoGroups')).toContainText('["batch"]')
    await expect(page.locator('#UserUsableGroups')).toContainText('batch')

    await group(page, 'batch').locator('summary').press('Enter')
    await group(page, 'batch').getByRole('button', { name: 'Remove batch' }).click()
    await expect(setting(page).locator('summary')).toHaveCount(3)
    await expect(setting(page)).toBeFocused()
    await setting(page).getByRole('button', { name: 'Revert Groups' }).click()
    await expect(setting(page).locator('summary')).toHaveCount(4)
  })
})

test('ratios can still be set as JSON, and what else is set for groups stays', async ({
  rootPage: page,
  workbench,
}) => {
  await withGroups(workbench, { default: {}, vip: { ratio: 0.8, title: 'Premium' } }, async () => {
    await page.goto('/settings?tab=operation')
    await page.getByRole('textbox', { name: 'Group ratios' }).fill('{"default": 1, "vip": 0.7, "svip": 1}')
    await page.getByRole('button', { name: 'Save Group ratios' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('vip: 0.8 → 0.7.')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Change' }).click()
    await expect(setting(page).locator('summary')).toHaveText(['default ×1', 'vip ×0.7', 'svip ×1'])
    await group(page, 'vip').locator('summary').click()
    await expect(group(page, 'vip').getByLabel('Title')).toHaveValue('Premium')
  })
})

test('what the gateway refuses is said in its words, and the entry can be brought back', async ({
  rootPage: page,
  workbench,
}) => {
  await withGroups(workbench, { default: {}, vip: { order: 1 }, batch: {} }, async () => {
    await page.goto('/settings?tab=operation')
    await group(page, 'batch').locator('summary').click()
    await group(page, 'batch').getByLabel('Place in “auto”').fill('1')
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Change' }).click()
    await expect(setting(page)).toContainText('Not saved: Groups has "vip" and "batch" in the same position')
    await setting(page).getByRole('button', { name: 'Restore my entry' }).click()
    await expect(setting(page).locator('summary').last()).toHaveText('batch ×1 · number 1 in “auto”')
  })
})

test('a gateway without the setting is shown the ratios alone', async ({ rootPage: page }) => {
  await page.route('**/api/option/?*', async (route) => {
    const json = (await (await route.fetch()).json()) as { data: { key: string }[] }
    const data = json.data.filter(({ key }) => !/^(Groups|UserUsableGroups|GroupGroupRatio|AutoGroups)$/.test(key))
    await route.fulfill({ json: { ...json, data } })
  })
  await page.goto('/settings?tab=operation')
  await expect(page.getByRole('textbox', { name: 'Group ratios' })).toBeVisible()
  await expect(setting(page)).toHaveCount(0)
  await expect(page.locator('#AutoGroups')).toHaveCount(0)
})
