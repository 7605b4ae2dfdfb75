import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { callModels, money } from './charged-calls.ts'
import { expect, test } from './fixtures.ts'

/** Rows of the table below its header. */
const rows = (page: Page) => page.getByRole('table', { name: 'Logs' }).getByRole('rowgroup').last().getByRole('row')

function listCalls(page: Page): URLSearchParams[] {
  const calls: URLSearchParams[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/\/api\/log\/(self\/?)?(search)?$/.test(url.pathname)) calls.push(url.searchParams)
  })
  return calls
}

test.describe('log list', () => {
  test('shows the own requests, newest first, with tokens, charge and latency', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    const [, second] = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-21', 'emu-n-tokens-22'])
    await page.goto('/logs?type=2')
    await expect(page.getByRole('columnheader')).toHaveText([
      'Time',
      'Type',
      'Model',
      'Token',
      'Prompt',
      'Completion',
      'Quota',
      'Latency',
      'Content',
    ])
    await expect(rows(page)).toHaveCount(2)
    const newest = rows(page).first()
    for (const text of ['Consume', 'emu-n-tokens-22', 'ci', '22', money(second?.quota ?? 0)])
      await expect(newest).toContainText(text)
    // Green, a round mark and the word.
    await expect(newest).toContainText(/\d+ ms\s*Fast/)
    await expect(page.getByLabel('Username')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Clear Logs' })).toHaveCount(0)
  })

  test('is empty with a hint what to do', async ({ userPage: page }) => {
    await page.goto('/logs?model=none')
    await expect(page.getByText('No logs found. Adjust your filters or search criteria.')).toBeVisible()
  })

  test('asks for the last 168 hours and one ahead', async ({ userPage: page }) => {
    const calls = listCalls(page)
    await page.goto('/logs')
    await expect(rows(page).first()).toContainText('Created with')
    const hoursFromNow = (name: string) => (Number(calls[0]?.get(name)) - Date.now() / 1_000) / 3_600
    expect(hoursFromNow('start_timestamp')).toBeCloseTo(-168, 1)
    expect(hoursFromNow('end_timestamp')).toBeCloseTo(1, 1)
    expect(calls[0]?.get('size')).toBe('10')
    expect(calls[0]?.get('p')).toBe('0')
  })

  test('filters on Apply and keeps the filters in the address', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-23', 'emu-n-tokens-24'])
    await callModels(workbench, user.api, 'web', ['emu-n-tokens-23'])
    await page.goto('/logs')
    await expect(rows(page)).toHaveCount(4)
    await page.getByRole('textbox', { name: 'Model' }).fill('emu-n-tokens-23')
    await expect(rows(page)).toHaveCount(4)
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(rows(page)).toHaveCount(2)
    await page.getByRole('textbox', { name: 'Token' }).fill('web')
    await page.keyboard.press('Enter')
    await expect(rows(page)).toHaveCount(1)
    await expect(page).toHaveURL(/model=emu-n-tokens-23&token=web/)
    await page.reload()
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Topup')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('No logs found. Adjust your filters or search criteria.')).toBeVisible()
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect(rows(page)).toHaveCount(4)
    await expect(page).toHaveURL(/\/logs$/)
  })

  test('shows administrators users and channels and filters by both', async ({ rootPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-25'])
    const calls = listCalls(page)
    await page.goto('/logs')
    await expect(page.getByRole('columnheader', { name: 'Channel' })).toBeVisible()
    await page.getByRole('textbox', { name: 'Username' }).fill(user.username)
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Consume')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page)).toContainText('emulator')
    await page.getByRole('textbox', { name: 'Channel ID' }).fill('99x9')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
    expect(calls.at(-1)?.get('channel')).toBe('999')
    expect(calls.at(-1)?.get('username')).toBe(user.username)
  })

  test('searches instead of filtering', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-26', 'emu-n-tokens-27'])
    await page.goto('/logs?model=none')
    await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('textbox', { name: 'Search logs...' })).toBeFocused()
    await page.keyboard.type('e')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Type at least 2 characters to search')).toBeVisible()
    const calls = listCalls(page)
    await page.keyboard.type('mu-n-tokens-27')
    await page.keyboard.press('Enter')
    await expect(rows(page)).toHaveCount(1)
    expect(calls.map((query) => [query.get('keyword'), query.get('model_name')])).toEqual([['emu-n-tokens-27', null]])
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
  })

  test('sorts on the server', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-31', 'emu-n-tokens-35', 'emu-n-tokens-33'])
    const calls = listCalls(page)
    await page.goto('/logs?type=2')
    await page.getByRole('button', { name: 'Completion' }).click()
    await expect(rows(page).first()).toContainText('emu-n-tokens-31')
    await page.getByRole('button', { name: 'Completion' }).click()
    await expect(rows(page).first()).toContainText('emu-n-tokens-35')
    await expect(page.getByRole('columnheader', { name: 'Completion' })).toHaveAttribute('aria-sort', 'descending')
    expect(calls.at(-1)?.get('sort')).toBe('completion_tokens')
    expect(calls.at(-1)?.get('order')).toBe('desc')
  })

  test('shows and hides the total of the filters', async ({ userPage: page, user, workbench }) => {
    const charged = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-500', 'emu-n-tokens-600'])
    const [first = 0, second = 0] = charged.map(({ quota }) => quota)
    await page.goto('/logs')
    await page.getByRole('button', { name: 'Show Stats' }).click()
    const stats = page.getByRole('region', { name: 'Total quota' })
    await expect(stats).toContainText(`${(first + second).toLocaleString('en-US')} points`)
    await page.getByRole('textbox', { name: 'Model' }).fill('emu-n-tokens-600')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(stats).toContainText(`${second.toLocaleString('en-US')} points`)
    const asked = page.waitForRequest('**/api/log/self/stat?*')
    await stats.getByRole('button', { name: 'Refresh stats' }).click()
    await asked
    await page.getByRole('button', { name: 'Hide Stats' }).click()
    await expect(stats).toHaveCount(0)
  })

  test('exports what is filtered as CSV that no spreadsheet runs', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, '=1+1', ['emu-n-tokens-36', 'emu-n-tokens-37'])
    await page.goto('/logs?model=emu-n-tokens-37')
    await expect(rows(page)).toHaveCount(1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`logs_${new Date().toISOString().slice(0, 10)}.csv`)
    const [header, row, end] = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(header).toBe(
      'Time,Type,Model,Token,Username,Quota,Prompt Tokens,Completion Tokens,Cached Prompt Tokens,' +
        'Cached Completion Tokens,Cache Write 5m Tokens,Cache Write 1h Tokens,Latency,Content',
    )
    expect(row).toMatch(
      new RegExp(
        `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,Consume,emu-n-tokens-37,'=1\\+1,${user.username},82,8,37,0,0,0,0,\\d+,`,
      ),
    )
    expect(end).toBe('')
    await expect(page.getByText('1 rows exported')).toBeVisible()
  })

  test('cancels an export', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-38'])
    await page.goto('/logs')
    await expect(rows(page)).toHaveCount(2)
    await page.route('**/api/log/self?*size=100*', () => {})
    let downloads = 0
    page.on('download', () => (downloads += 1))
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await expect(page.getByText('Exporting…')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel export' }).click()
    await expect(page.getByRole('button', { name: 'Export CSV' })).toBeVisible()
    expect(downloads).toBe(0)
  })

  test('clears logs after asking', async ({ rootPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-39'])
    await page.goto('/logs?model=emu-n-tokens-39')
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    const question = page.getByRole('alertdialog', { name: 'Clear Logs' })
    await expect(question).toContainText('Are you sure you want to delete the logs of all users before')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(rows(page)).toHaveCount(1)
    // The row must be older than the end, which is counted in seconds.
    await expect(async () => {
      await page.getByRole('button', { name: 'Clear Logs' }).click()
      await question.getByRole('button', { name: 'Clear Logs' }).click()
      await expect(question).toHaveCount(0)
      await expect(page.getByText('No logs found.', { exact: false })).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await expect(page.getByText(/\d+ log rows deleted/).first()).toBeVisible()
  })
})
