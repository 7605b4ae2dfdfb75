import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { signIn } from '@sluice/testkit/management-client'
import { openWorkbench } from '@sluice/testkit/workbench'
import { expect, expectAccessible, test as base } from '../fixtures.ts'

const SOURCE = join(import.meta.dirname, '..', '..', 'import', 'sources', 'one-api.sqlite')

/** A separate gateway, because an import changes users and settings, which other tests share. */
const test = base.extend<object, { readonly ofImports: 'own gateway' }>({
  workbench: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern here
    async ({}, use) => {
      const workbench = await openWorkbench()
      await use(workbench)
      await workbench.close()
    },
    { scope: 'worker' },
  ],
})
async function upload(page: Page, name = 'one-api.db'): Promise<void> {
  const buffer = await readFile(SOURCE)
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/x-sqlite3', buffer })
  await expect(page.getByText(`${name} is uploaded.`)).toBeVisible()
}

const heading = (page: Page) => page.getByRole('heading', { level: 2 }).first()
const sums = (page: Page) => page.getByRole('group', { name: 'Sums' }).getByRole('row')

test.describe('a gateway that moves', () => {
  test.describe.configure({ mode: 'serial' })

  test('root uploads a database, sees what an import would do, imports it, and reads that every sum is equal', async ({
    rootPage: page,
    workbench,
  }) => {
    test.slow()
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Import from another gateway' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import')
    await upload(page)
    await page.getByRole('combobox', { name: 'Logs' }).selectOption('Daily sums and every row')
    await page.reload()
    await expect(page.getByText('one-api.db is uploaded.')).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Logs' })).toHaveValue('rows')
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByText('Nothing prevents the import.')).toBeVisible({ timeout: 60_000 })
    await expect(heading(page)).toHaveText('Check of one-api.db')
    await expect(page).toHaveURL(/step=check/)
    const users = page.getByRole('group', { name: 'Table' }).getByRole('row', { name: /^users/ })
    await expect(users).toBeVisible()
    await expect(sums(page).first()).not.toContainText('Here, after the import')
    await expectAccessible(page)
    await page.reload()
    await expect(page.getByText('Nothing prevents the import.')).toBeVisible()

    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText(
      /This imports \d+ users, \d+ tokens, \d+ channels and \d+ codes from one-api\.db/,
    )
    await question.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByText('Everything was imported')).toBeVisible({ timeout: 90_000 })
    await expect(page).toHaveURL(/step=import/)
    await expect(sums(page).getByText('equal', { exact: true })).toHaveCount(9)
    await expect(page.getByText('not equal')).toHaveCount(0)
    await expect(page.getByText('does not hold')).toHaveCount(0)
    await expectAccessible(page)

    await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users')
    await page.goto('/users?keyword=alice')
    await expect(page.getByRole('row', { name: /alice/ })).toBeVisible()
    await signIn(workbench.gateway.url, 'alice', 'alice-Fixture-1')
  })

  test('what was imported is recognised: a second check says that nothing has changed', async ({ rootPage: page }) => {
    await page.goto('/import')
    await upload(page, 'the-same.db')
    await page.getByRole('combobox', { name: 'Logs' }).selectOption('Daily sums and every row')
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByText(/Imported before: .* 0 rows are new, 0 have changed/)).toBeVisible({
      timeout: 60_000,
    })
  })
})

test('an upload that is gone is asked for again', async ({ rootPage: page }) => {
  await page.goto(`/import?upload=${'0'.repeat(32)}&file=old.db`)
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByRole('alert')).toContainText('Upload it again.')
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await expect(page).not.toHaveURL(/upload=/)
})

test('a file of another kind is not even sent', async ({ rootPage: page }) => {
  await page.goto('/import')
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  const packed = { name: 'backup.zip', mimeType: 'application/zip', buffer: Buffer.from('PK\x03\x04 packed') }
  await page.locator('input[type=file]').setInputFiles(packed)
  await expect(page.getByText('This is not a SQLite file.')).toBeVisible()
  expect(sent).not.toContain('/api/import/upload')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByRole('alert')).toHaveText('Choose a file first.')
})

test('an upload shows how far it is, keeps its page, and can be cancelled', async ({ rootPage: page }) => {
  await page.goto('/import')
  // On this connection, the file would take minutes.
  const network = await page.context().newCDPSession(page)
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 50_000,
  })
  const buffer = Buffer.concat([Buffer.from('SQLite format 3\0', 'latin1'), Buffer.alloc(20_000_000)])
  await page.locator('input[type=file]').setInputFiles({ name: 'large.db', mimeType: '', buffer })
  await expect(page.getByText(/^Uploading large\.db: .* of 20\.0 MB$/)).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByRole('progressbar', { name: 'SQLite file' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('The upload was cancelled.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
})

test('a password in an address appears neither in the page nor in its address', async ({ rootPage: page }) => {
  await page.goto('/import?from=address')
  await page.getByLabel('Address of a database').last().fill('mysql://oneapi:correct-horse@127.0.0.1:9/oneapi')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText('It cannot be imported like this. Nothing was written.')).toBeVisible({ timeout: 60_000 })
  await expect(page.locator('main')).not.toContainText('correct-horse')
  expect(page.url()).not.toContain('correct-horse')
  await page.reload()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('alert')).toContainText('Enter the address again')
  await expect(heading(page)).toBeFocused()
})

test('everything can be done with the keyboard', async ({ rootPage: page }) => {
  await page.goto('/import')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('import from')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import')
  await page.getByRole('radio', { name: 'SQLite file' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Address of a database' })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: 'Address of a database' })).toBeFocused()
  await page.keyboard.type('https://example.org')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('postgres:// or mysql://')
})

test('nobody but root comes here', async ({ userPage: page }) => {
  await page.goto('/import')
  await expect(page).toHaveURL(/\/dashboard/)
})
