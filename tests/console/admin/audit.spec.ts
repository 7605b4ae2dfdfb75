import { join } from 'node:path'
import { startLedgerCheck } from '@sluice/contract/routes/ledger'
import { openDatabase } from '@sluice/store/database'
import type { Workbench } from '@sluice/testkit/workbench'
import { callModels } from '../charged-calls.ts'
import { expect, expectAccessible, test } from '../fixtures.ts'

async function miscount({ dataDir }: Workbench, by: bigint): Promise<void> {
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  await database.kysely
    .updateTable('account')
    .set((eb) => ({ spent: eb('spent', '+', by) }))
    .where('kind', '=', 'system')
    .execute()
  await database.close()
}

test.describe('the audit of the ledger', () => {
  // There is only one ledger, and one verification at a time.
  test.describe.configure({ mode: 'serial' })

  test('verifies every promise of the ledger when root asks for it', async ({ rootPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-30'])
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Audit', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'Ledger audit' })
    await panel.getByRole('button', { name: 'Verify every row' }).click()
    await expect(panel.getByText('The ledger is correct.')).toBeVisible()
    const promises = panel.getByRole('region', { name: 'Ledger rules' }).getByRole('listitem')
    await expect(promises.first()).toContainText('The database file is not damaged')
    await expect(promises.nth(1)).toContainText('Every account’s balance is the sum of its transfers')
    await expect(promises.filter({ hasText: 'Holds' })).toHaveCount(await promises.count())
    await expect(panel.getByRole('region', { name: 'Last verification' })).toContainText('root')
    expect(page.url()).toContain('audit=true')
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  })

  test('shows the first wrong row, accessibly and at every width', async ({ rootPage: page, workbench }) => {
    await miscount(workbench, 7n)
    await page.goto('/dashboard?audit=true')
    const panel = page.getByRole('dialog', { name: 'Ledger audit' })
    await panel.getByRole('button', { name: 'Verify new rows' }).click()
    await expect(panel.getByText(/^The ledger is wrong\./)).toBeVisible()
    await expect(page.getByText('The ledger is wrong', { exact: true })).toBeAttached()
    const row = panel.getByLabel('First wrong row I3')
    await expect(row).toContainText('spent')
    await expect(row).toContainText('7')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const beyond = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      await expect.poll(beyond, { message: `pixels beyond a window of ${width}` }).toBe(0)
    }
    await miscount(workbench, -7n)
  })

  test('is offered to root alone', async ({ userPage: page, user }) => {
    await page.goto('/dashboard?audit=true')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Audit', exact: true })).toHaveCount(0)
    await expect(user.api.call(startLedgerCheck, { body: {} })).rejects.toThrow()
  })
})
