import type { Page, Request } from '@playwright/test'
import { createToken, listTokens } from '@sluice/contract/routes/tokens'
import type { ManagementClient } from '@sluice/testkit/management-client'
import { expect, test } from '../fixtures.ts'

async function addTokens(api: ManagementClient, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await api.call(createToken, { body: { name: `row-${i}`, unlimited_quota: true } })
}

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('group', { name: 'Selected rows' })

test.describe('several rows at once', () => {
  test('are selected by range, page and filter, and changed together', async ({ userPage: page, user }) => {
    await addTokens(user.api, 12)
    await page.goto('/tokens?sort=id&order=asc')
    await box(page, 'row-1').check()
    await box(page, 'row-4').click({ modifiers: ['Shift'] })
    await expect(bar(page)).toContainText('4 selected')
    await box(page, 'row-2').uncheck()
    await expect(bar(page)).toContainText('3 selected')

    await bar(page).getByRole('button', { name: 'Disable' }).click()
    await expect(page.getByText('Disable: 3 done')).toBeVisible()
    await expect(bar(page)).toHaveCount(0)
    const tokens = await user.api.call(listTokens, { query: { size: '100' } })
    expect(
      tokens
        .filter(({ status }) => status === 2)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['row-1', 'row-3', 'row-4'])

    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await expect(bar(page)).toContainText('10 selected')
    await bar(page).getByRole('button', { name: 'Select all 12' }).click()
    await expect(bar(page)).toContainText('12 selected')
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete tokens' })
    await expect(question).toContainText('Delete 12 selected tokens?')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Delete: 12 done')).toBeVisible()
    expect(await user.api.call(listTokens)).toEqual([])
  })

  test('are no longer waited for once the selection is given up', async ({ userPage: page, user }) => {
    await addTokens(user.api, 12)
    await page.goto('/tokens')
    const all = (request: Request) => request.url().includes('size=100')
    // Never answered: only clearing the selection ends the request.
    await page.route('**/api/token/?*size=100*', () => {})
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    const request = page.waitForRequest(all)
    await bar(page).getByRole('button', { name: 'Select all 12' }).click()
    await request
    const givenUp = page.waitForEvent('requestfailed', all)
    await bar(page).getByRole('button', { name: 'Clear selection' }).click()
    expect((await givenUp).failure()?.errorText).toBe('net::ERR_ABORTED')
    await expect(bar(page)).toHaveCount(0)
  })

  test('are reached and selected by keyboard alone', async ({ userPage: page, user }) => {
    await addTokens(user.api, 3)
    await page.goto('/tokens?sort=id&order=asc')
    await expect(page.getByRole('row', { name: /row-0/ })).toBeVisible()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(page.getByRole('row', { name: /row-1/ })).toBeFocused()
    await page.keyboard.press('x')
    await expect(box(page, 'row-1')).toBeChecked()
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await expect(bar(page)).toContainText('2 selected')
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/tokens\/edit\//)
  })
})

test('rows are as close together as the visitor likes, also after a reload', async ({ userPage: page, user }) => {
  await addTokens(user.api, 1)
  await page.goto('/tokens')
  const row = page.getByRole('row', { name: /row-0/ })
  const height = async () => (await row.boundingBox())?.height
  expect(await height()).toBe(36)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('radio', { name: 'Comfortable' }).check()
  await expect.poll(height).toBe(44)
  await page.reload()
  await expect(row).toBeVisible()
  expect(await height()).toBe(44)
})
