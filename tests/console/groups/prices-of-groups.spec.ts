import { expect, expectAccessible, test } from '../fixtures.ts'
import { withGroups } from './with-groups.ts'

const GROUPS = {
  default: {},
  batch: { ratio: 0.5, title: 'Batch', text: 'Answers within a day.', usable_by: ['*'] },
}
const CONFIGS = JSON.stringify({ 'mu-chat': { ratio: 1.25, completion_ratio: 4 }, 'mu-free': { ratio: 0 } })

test('the price list shows what a group charges beside the list price, and the address keeps the group', async ({
  userPage: page,
  workbench,
}) => {
  const models = ['mu-chat', 'mu-free']
  await workbench.addChannel(models, { name: 'mu own', model_configs: CONFIGS })
  await workbench.addChannel(models, { name: 'mu batch', group: 'batch', model_configs: CONFIGS })
  await withGroups(workbench, GROUPS, async () => {
    await page.goto('/models?keyword=mu-')
    const own = page.getByRole('table', { name: 'Models of mu own' })
    const batch = page.getByRole('table', { name: 'Models of mu batch' })
    const input = (table: typeof own, name: string) =>
      table.getByRole('row').filter({ hasText: name }).getByRole('cell').first()
    await expect(input(own, 'mu-chat')).toHaveText('$2.50')
    await expect(input(batch, 'mu-chat')).toHaveText('$2.50')
    const group = page.getByRole('combobox', { name: 'Group' })
    await expect(group.getByRole('option')).toHaveText(['List prices', 'default ×1', 'Batch ×0.5'])
    await group.selectOption('batch')
    await expect(page).toHaveURL(/group=batch/)
    await expect(own).toHaveCount(0)
    await expect(input(batch, 'mu-chat')).toHaveText('$1.25 List price: $2.50')
    await expect(input(batch, 'mu-free')).toHaveText('Free')
    await expect(
      page.getByText(
        'Tokens in the group batch pay the list price ×0.5. List prices are crossed out. Answers within a day.',
      ),
    ).toBeVisible()
    await expectAccessible(page)
    await batch.getByRole('link', { name: 'mu-chat' }).click()
    await expect(page.getByRole('dialog', { name: 'mu-chat' })).toContainText('$5.00 List price: $10.00')
    await page.reload()
    await expect(page.getByRole('dialog', { name: 'mu-chat' })).toContainText('$5.00 List price: $10.00')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear Filters' }).click()
    await expect(page).toHaveURL(/\/models$/)
    await expect(group).toHaveValue('')
  })
})

test('a group of an old address hides nothing, and one group at the list price is not a choice', async ({
  userPage: page,
  workbench,
}) => {
  await workbench.addChannel(['nu-chat'], { name: 'nu own' })
  await page.goto('/models?keyword=nu-&group=gone')
  await expect(page.getByRole('table', { name: 'Models of nu own' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Group' })).toHaveCount(0)
})
