import { listTokens, createToken } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test } from '../fixtures.ts'
import { bodiesOf } from '../people.ts'
import { withGroups } from './with-groups.ts'

const GROUPS = {
  default: {},
  premium: { ratio: 1.5, title: 'Dedicated', text: 'Capacity of its own.', usable_by: ['*'], order: 2 },
  batch: { ratio: 0.5, usable_by: ['*'], ratio_for: { default: 0.4 }, order: 1 },
  internal: { ratio: 0 },
}

test('groups of a token are added, ordered and removed by keyboard, and say what they cost', async ({
  userPage: page,
  user,
  workbench,
}) => {
  await workbench.addChannel(['groups-batch'], { name: 'groups batch', group: 'batch' })
  await withGroups(workbench, GROUPS, async () => {
    await page.goto('/tokens/add')
    await page.getByLabel('Name', { exact: true }).fill('ordered')
    const section = page.getByRole('region', { name: 'Groups' })
    const field = section.getByRole('combobox', { name: 'Add a group' })
    await expect(field).toHaveAccessibleDescription('None selected: your own group, default ×1, serves it.')
    await field.click()
    await expect(section.getByRole('option')).toHaveText([
      'default×1',
      'batch×0.4',
      'Dedicated (premium)×1.5 · Capacity of its own.',
      'AutomaticThe groups that the operator has configured for “auto”, in that order. It cannot be combined with others.',
    ])
    await expectAccessible(page)
    await field.pressSequentially('prem')
    await page.keyboard.press('Enter')
    await field.pressSequentially('batch')
    await page.keyboard.press('Enter')
    const chosen = section.getByRole('list', { name: 'Groups in the order in which they are tried' })
    await expect(chosen.getByRole('listitem')).toHaveText([/^1Dedicated \(premium\) ×1\.5/, /^2batch ×0\.4/])
    await field.click()
    await expect(section.getByRole('option')).toHaveText(['default×1'])
    await page.keyboard.press('Escape')

    const up = section.getByRole('button', { name: 'Move batch up' })
    await up.focus()
    await page.keyboard.press('Enter')
    await expect(chosen.getByRole('listitem')).toHaveText([/^1batch/, /^2Dedicated/])
    await expect(up).toBeFocused()
    await expect(section.getByRole('status')).toHaveText('batch is now number 1')
    await page.keyboard.press('Enter')
    await expect(chosen.getByRole('listitem')).toHaveText([/^1batch/, /^2Dedicated/])
    await expectAccessible(page)

    const models = page.getByRole('combobox', { name: 'Allowed models' })
    await models.fill('groups-')
    await expect(page.getByRole('option')).toHaveText(['groups-batch'])
    await models.fill('')
    await page.keyboard.press('Escape')

    const sent = bodiesOf(page, 'POST', '/api/token/')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('dialog', { name: 'Use "ordered"' })).toContainText('groups-batch')
    expect(sent).toEqual([expect.objectContaining({ groups: ['batch', 'premium'] })])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('row').filter({ hasText: 'ordered' })).toContainText('via batch → premium')

    await page.getByRole('link', { name: 'ordered' }).click()
    for (const name of ['batch', 'premium']) await section.getByRole('button', { name: `Remove ${name}` }).click()
    await expect(field).toBeFocused()
    await expect(chosen).toHaveCount(0)
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('Token updated successfully')).toBeVisible()
    expect(await user.api.call(listTokens)).toMatchObject([{ name: 'ordered', groups: [] }])
  })
})

test('auto stands alone', async ({ userPage: page, user, workbench }) => {
  await withGroups(workbench, GROUPS, async () => {
    await page.goto('/tokens/add')
    await page.getByLabel('Name', { exact: true }).fill('automatic')
    const field = page.getByRole('combobox', { name: 'Add a group' })
    await field.fill('auto')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Remove auto' })).toBeVisible()
    await field.click()
    await expect(page.getByText('Every group that you can use has been added.')).toBeVisible()
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Token created successfully')).toBeVisible()
    expect(await user.api.call(listTokens)).toMatchObject([{ groups: ['auto'] }])
  })
})

test('a group that can no longer be used is marked, and saving names it', async ({
  userPage: page,
  user,
  workbench,
}) => {
  await withGroups(workbench, GROUPS, async () => {
    await user.api.call(createToken, { body: { name: 'fallen', groups: ['batch', 'premium'] } })
    await withGroups(workbench, { ...GROUPS, premium: { ratio: 1.5 } }, async () => {
      await page.goto('/tokens')
      await page.getByRole('link', { name: 'fallen' }).click()
      const section = page.getByRole('region', { name: 'Groups' })
      await expect(section.getByRole('listitem').nth(1)).toContainText('You cannot use the group "premium"; remove it')
      await page.getByRole('button', { name: 'Update' }).click()
      const field = section.getByRole('combobox')
      await expect(field).toHaveAccessibleDescription('You cannot use the group "premium"; remove it')
      await expect(field).toBeFocused()
      await expectAccessible(page)
      await section.getByRole('button', { name: 'Remove premium' }).click()
      await page.getByRole('button', { name: 'Update' }).click()
      await expect(page.getByText('Token updated successfully')).toBeVisible()
      expect(await user.api.call(listTokens)).toMatchObject([{ groups: ['batch'] }])
    })
  })
})

test('a group that is taken away while it is chosen is named by the gateway, at its field', async ({
  userPage: page,
  workbench,
}) => {
  await withGroups(workbench, GROUPS, async () => {
    await page.goto('/tokens/add')
    await page.getByLabel('Name', { exact: true }).fill('late')
    const field = page.getByRole('combobox', { name: 'Add a group' })
    for (const name of ['batch', 'prem']) {
      await field.fill(name)
      await page.keyboard.press('Enter')
    }
    await withGroups(workbench, { ...GROUPS, premium: {} }, async () => {
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(field).toHaveAccessibleDescription(/^groups\[1\]: /)
    })
  })
})

test('where users can only use their own group, the form says nothing of groups', async ({ userPage: page }) => {
  const asked = page.waitForResponse('**/api/user/self/groups?*')
  await page.goto('/tokens/add')
  await asked
  await page.getByLabel('Name', { exact: true }).fill('plain')
  await expect(page.getByRole('region', { name: 'Access' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Groups' })).toHaveCount(0)
})
