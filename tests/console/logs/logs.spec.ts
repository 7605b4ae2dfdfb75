import { readFile } from 'node:fs/promises'
import { self } from '@sluice/contract/routes/account'
import { createToken } from '@sluice/contract/routes/tokens'
import { createUser, manageUser, topUpUser } from '@sluice/contract/routes/users'
import { signIn } from '@sluice/testkit/management-client'
import { callModels, MESSAGES, money } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'
import { listCalls, rows, unfoldFilters, untilLogged } from './log-screen.ts'

test.describe('log list', () => {
  test(
    'shows users their own rows only, newest first, with tokens, charge and latency',
    { tag: ['@B2.11', '@B2.22', '@B6.4'] },
    async ({ userPage: page, user, workbench }) => {
      await callModels(workbench, workbench.root, 'of root', ['emu-n-tokens-20'])
      const [, second] = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-21', 'emu-n-tokens-22'])
      const calls = listCalls(page)
      await page.goto('/logs?type=2')
      await expect(page.getByRole('table', { name: 'Logs', exact: true }).getByRole('columnheader')).toHaveText([
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
      await expect(newest).toContainText(/\d+ ms\s*Fast/)
      await unfoldFilters(page)
      await expect(page.getByRole('textbox', { name: 'Model' })).toBeVisible()
      await expect(page.getByLabel('Username')).toHaveCount(0)
      await expect(page.getByLabel('Channel ID')).toHaveCount(0)
      expect([...new Set(calls.map(({ path }) => path))]).toEqual(['/api/log/self'])
      await expect(page.getByRole('button', { name: 'Clear Logs' })).toHaveCount(0)
    },
  )

  test(
    'is empty with a hint at what to do, also when it cannot be loaded',
    { tag: ['@B2.25', '@B2.26', '@B8.13'] },
    async ({ userPage: page }) => {
      await page.goto('/logs?model=none')
      await expect(page.getByText('No logs found. Adjust your filters or search criteria.')).toBeVisible()
      const shown = page.waitForEvent('console', (message) => message.text() === 'Failed to load logs')
      await page.route('**/api/log/self?*', (route) =>
        route.fulfill({ status: 500, json: { success: false, message: '' } }),
      )
      await page.goto('/logs?model=other')
      await shown
      await expect(rows(page)).toHaveCount(0)
      await expect(page.getByText('Could not load this list.')).toBeVisible()
      await page.unroute('**/api/log/self?*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('No logs found. Adjust your filters or search criteria.')).toBeVisible()
    },
  )

  test(
    'requests the first ten rows, from 168 hours ago to one hour ahead',
    { tag: ['@B9.1', '@B9.2'] },
    async ({ userPage: page }) => {
      const calls = listCalls(page)
      await page.goto('/logs')
      await expect(rows(page).first()).toContainText('Created with')
      const hoursFromNow = (name: string) => (Number(calls[0]?.query.get(name)) - Date.now() / 1_000) / 3_600
      expect(hoursFromNow('start_timestamp')).toBeCloseTo(-168, 1)
      expect(hoursFromNow('end_timestamp')).toBeCloseTo(1, 1)
      expect(calls[0]?.query.get('size')).toBe('10')
      expect(calls[0]?.query.get('p')).toBe('0')
    },
  )

  test(
    'filters on Apply by every field and keeps the filters in the address',
    { tag: ['@B2.17', '@B3.2', '@B7.3'] },
    async ({ userPage: page, user, workbench }) => {
      await callModels(workbench, user.api, 'ci', ['emu-n-tokens-23', 'emu-n-tokens-24'])
      await callModels(workbench, user.api, 'web', ['emu-n-tokens-23'])
      const calls = listCalls(page)
      await page.goto('/logs')
      await expect(rows(page)).toHaveCount(4)
      await unfoldFilters(page)
      const types = page.getByRole('combobox', { name: 'Type' }).getByRole('option')
      await expect(types).toHaveText(['All', 'Topup', 'Consume', 'Management', 'System', 'Test'])
      expect(await types.evaluateAll((options) => options.map((option) => option.getAttribute('value')))).toEqual([
        '0',
        '1',
        '2',
        '3',
        '4',
        '5',
      ])
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
      await unfoldFilters(page)
      await page.getByRole('combobox', { name: 'Type' }).selectOption('Topup')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('No logs found. Adjust your filters or search criteria.')).toBeVisible()
      await page.getByRole('button', { name: 'Reset' }).click()
      await expect(rows(page)).toHaveCount(4)
      await expect(page).toHaveURL(/\/logs$/)
      await page.getByLabel('Start time').fill('2026-01-02T03:04')
      await page.getByLabel('End time').fill('2026-01-01T03:04')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('Start time must be before or equal to end time')).toBeVisible()
      await page.getByLabel('End time').fill('2026-01-03T03:04')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
      const last = calls.at(-1)?.query
      expect(Number(last?.get('end_timestamp')) - Number(last?.get('start_timestamp'))).toBe(86_400)
      await page.goto('/logs?type=2&model=a&token=b&sort=quota&order=asc&p=1')
      await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
      const asked = Object.fromEntries(calls.at(-1)?.query ?? [])
      const expected = { p: '1', size: '10', type: '2', model_name: 'a', token_name: 'b', sort: 'quota', order: 'asc' }
      expect(asked).toMatchObject(expected)
    },
  )

  test(
    'shows administrators users and channels, filters by both, and lets them clear',
    { tag: ['@B2.22', '@B2.23', '@B6.4', '@B6.5', '@B7.3', '@B7.4', '@B7.5', '@whole'] },
    async ({ page, enter, user, workbench }) => {
      await callModels(workbench, user.api, 'ci', ['emu-n-tokens-25'])
      // The specification names role 10.
      const username = `a${user.username}`.slice(0, 12)
      await workbench.root.call(createUser, { body: { username, password: user.password } })
      expect(await workbench.root.call(manageUser, { body: { username, action: 'promote' } })).toMatchObject({
        role: 10,
      })
      await enter(await signIn(workbench.gateway.url, username, user.password))
      const calls = listCalls(page)
      await page.goto('/logs')
      await expect(page.getByRole('button', { name: 'Clear Logs' })).toBeVisible()
      await unfoldFilters(page)
      await expect(page.getByRole('columnheader', { name: 'Channel' })).toBeVisible()
      await page.getByRole('textbox', { name: 'Username' }).fill(user.username)
      await page.getByRole('combobox', { name: 'Type' }).selectOption('Consume')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(rows(page)).toHaveCount(1)
      await expect(rows(page)).toContainText('emulator')
      await page.getByRole('textbox', { name: 'Channel ID' }).fill('99x9')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
      expect(calls.at(-1)?.query.get('channel')).toBe('999')
      expect(calls.at(-1)?.query.get('username')).toBe(user.username)
      expect(calls.at(-1)?.path).toBe('/api/log/')
      const total = page.waitForRequest('**/api/log/stat?*')
      await page.getByRole('button', { name: 'Show Stats' }).click()
      const filters = Object.fromEntries(new URL((await total).url()).searchParams)
      expect(filters).toMatchObject({ type: '2', username: user.username, channel: '999' })
      await page.getByRole('textbox', { name: 'Search logs...' }).fill('emu-n-tokens-25')
      await page.keyboard.press('Enter')
      await expect.poll(() => calls.at(-1)?.path).toBe('/api/log/search')
      expect(calls.at(-1)?.query.get('keyword')).toBe('emu-n-tokens-25')
    },
  )

  test(
    'searches instead of filtering',
    { tag: ['@B2.24', '@B4.12', '@B7.5'] },
    async ({ userPage: page, user, workbench }) => {
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
      expect(calls.map(({ path, query }) => [path, query.get('keyword'), query.get('model_name')])).toEqual([
        ['/api/log/self/search', 'emu-n-tokens-27', null],
      ])
      await page.getByRole('button', { name: 'Clear search' }).click()
      await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
    },
  )

  test(
    'is sorted and paged by the server',
    { tag: ['@B2.20', '@B9.1'] },
    async ({ userPage: page, user, workbench }) => {
      await callModels(workbench, user.api, 'ci', ['emu-n-tokens-31', 'emu-n-tokens-35', 'emu-n-tokens-33'])
      const calls = listCalls(page)
      await page.goto('/logs?type=2')
      await page.getByRole('button', { name: 'Completion' }).click()
      await expect(rows(page).first()).toContainText('emu-n-tokens-31')
      await page.getByRole('button', { name: 'Completion' }).click()
      await expect(rows(page).first()).toContainText('emu-n-tokens-35')
      await expect(page.getByRole('columnheader', { name: 'Completion' })).toHaveAttribute('aria-sort', 'descending')
      expect(calls.at(-1)?.query.get('sort')).toBe('completion_tokens')
      expect(calls.at(-1)?.query.get('order')).toBe('desc')
      await callModels(
        workbench,
        user.api,
        'web',
        Array.from({ length: 8 }, () => 'emu-n-tokens-31'),
      )
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByText('1–10 of 11')).toBeVisible()
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect(rows(page)).toHaveCount(1)
      expect(calls.at(-1)?.query.get('p')).toBe('1')
    },
  )

  test('is sorted by the value of any column over an unlimited time', async ({ rootPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'b', ['emu-n-tokens-41'])
    await callModels(workbench, user.api, 'a', ['emu-n-tokens-42'])
    const calls = listCalls(page)
    // Longer than any range that a sort was ever limited to.
    await page.goto(`/logs?type=2&username=${user.username}&start=1`)
    await expect(rows(page)).toHaveCount(2)
    for (const [header, id, first] of [
      ['Type', 'type', undefined],
      ['Model', 'model_name', 'emu-n-tokens-41'],
      ['Token', 'token_name', 'emu-n-tokens-42'],
      ['Username', 'username', undefined],
      ['Channel', 'channel', undefined],
      ['Prompt', 'prompt_tokens', undefined],
      ['Completion', 'completion_tokens', 'emu-n-tokens-41'],
      ['Quota', 'quota', 'emu-n-tokens-41'],
      ['Latency', 'elapsed_time', undefined],
      ['Time', 'created_at', 'emu-n-tokens-41'],
    ] as const) {
      await page.getByRole('columnheader', { name: header, exact: true }).getByRole('button').click()
      await expect.poll(() => calls.at(-1)?.query.get('sort')).toBe(id)
      expect([calls.at(-1)?.query.get('order'), calls.at(-1)?.query.get('start_timestamp')]).toEqual(['asc', '1'])
      if (first !== undefined) await expect(rows(page).first()).toContainText(first)
      await expect(rows(page)).toHaveCount(2)
      await expect(page.getByRole('alert')).toHaveCount(0)
    }
  })

  test('says in its content what differs from row to row, and nothing of an ordinary charge', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-43'])
    // A separate model name, because tests of one worker share their channels.
    const model = 'emu-n-tokens-47'
    await workbench.addChannel([model], { type: 35, name: 'of another dialect' })
    const { key } = await user.api.call(createToken, { body: { name: 'other', unlimited_quota: true } })
    await (await workbench.chat(key, { model, messages: MESSAGES, logit_bias: { 1: 1 } })).text()
    await untilLogged(user.api, 3)
    await page.goto('/logs')
    const content = (of: string) => rows(page).filter({ hasText: of }).getByRole('cell').last()
    await expect(content('emu-n-tokens-43')).toHaveText('–')
    await expect(content(model)).toHaveText('logit_bias dropped')
    await expect(content('Created with')).toContainText('Created with')
  })

  test(
    'shows and hides the total of the filters, and requests it again',
    { tag: ['@B2.18', '@B4.12', '@B7.4'] },
    async ({ userPage: page, user, workbench }) => {
      const charged = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-500', 'emu-n-tokens-600'])
      const [first = 0, second = 0] = charged.map(({ quota }) => quota)
      await page.goto('/logs')
      await page.getByRole('button', { name: 'Show Stats' }).click()
      const stats = page.getByRole('region', { name: 'Total quota' })
      await expect(stats).toContainText(`${(first + second).toLocaleString('en-US')} points`)
      await unfoldFilters(page)
      await page.getByRole('textbox', { name: 'Model' }).fill('emu-n-tokens-600')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(stats).toContainText(`${second.toLocaleString('en-US')} points`)
      const request = page.waitForRequest('**/api/log/self/stat?*')
      await stats.getByRole('button', { name: 'Refresh stats' }).click()
      expect(new URL((await request).url()).searchParams.get('model_name')).toBe('emu-n-tokens-600')
      await page.getByRole('button', { name: 'Hide Stats' }).click()
      await expect(stats).toHaveCount(0)
    },
  )

  test(
    'exports what is filtered as CSV that no spreadsheet runs',
    { tag: ['@S35', '@B2.19', '@B9.11'] },
    async ({ userPage: page, user, workbench }) => {
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
    },
  )

  test('says how far an export of many pages is, and ends it when asked', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    const { id } = await user.api.call(self)
    for (let at = 0; at < 10; at += 1) {
      const topups = Array.from({ length: 15 }, () =>
        workbench.root.call(topUpUser, { body: { user_id: id, quota: 1 } }),
      )
      // oxlint-disable-next-line no-await-in-loop -- a few at a time
      await Promise.all(topups)
    }
    await page.goto('/logs')
    await expect(page.getByText('1–10 of 151')).toBeVisible()
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/log/self?p=1&size=100*', async (route) => {
      await held
      await route.continue()
    })
    let downloads = 0
    page.on('download', () => (downloads += 1))
    const start = page.getByRole('button', { name: 'Export CSV' })
    await start.click()
    await expect(page.getByText('Exporting 100 of 151…')).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Exporting…' })).toHaveAttribute('value', '100')
    await page.getByRole('button', { name: 'Cancel export' }).click()
    await expect(start).toBeVisible()
    expect(downloads).toBe(0)
    answer()
    const [download] = await Promise.all([page.waitForEvent('download'), start.click()])
    await expect(page.getByText('151 rows exported')).toBeVisible()
    expect((await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(152)
  })

  test(
    'clears up to the end time in its field, applied or not, and says so first',
    { tag: ['@B2.19', '@B7.6'] },
    async ({ rootPage: page }) => {
      await page.goto('/logs?model=none')
      const clear = page.getByRole('button', { name: 'Clear Logs' })
      const question = page.getByRole('alertdialog', { name: 'Clear Logs' })
      await clear.click()
      await expect(question).toContainText('everything logged so far is deleted')
      await question.getByRole('button', { name: 'Cancel' }).click()
      await unfoldFilters(page)
      await clear.click()
      await expect(question, 'the default reaches ahead').toContainText('everything logged so far is deleted')
      await question.getByRole('button', { name: 'Cancel' }).click()
      const end = page.getByLabel('End time')
      await end.fill('2001-02-03T04:05')
      await clear.click()
      await expect(question).toContainText('before 2001-02-03 04:05:00?')
      await expect(question).not.toContainText('everything logged so far')
      const request = page.waitForRequest((request) => request.method() === 'DELETE')
      await question.getByRole('button', { name: 'Clear Logs' }).click()
      const timestamp = new URL((await request).url()).searchParams.get('target_timestamp')
      expect(timestamp).toBe(String(Date.UTC(2001, 1, 3, 4, 5) / 1_000))
      await expect(page.getByText('0 log rows deleted')).toBeVisible()
      // An incomplete time reads as none, which would mean up to now.
      await end.press('Backspace')
      await clear.click()
      await expect(end).toHaveAccessibleDescription('Complete the end time, or clear it')
      await expect(question).toHaveCount(0)
    },
  )
})
