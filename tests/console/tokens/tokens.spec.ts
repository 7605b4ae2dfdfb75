import type { Page } from '@playwright/test'
import { createToken, listTokens } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test } from '../fixtures.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test.describe('token list', () => {
  test(
    'is empty at first and says what to do',
    { tag: ['@A2.16', '@A2.47', '@A2.52', '@A2.53'] },
    async ({ userPage: page }) => {
      await page.goto('/tokens')
      await expect(page.getByText('Manage your API access tokens')).toBeVisible()
      await expect(page.getByText('No tokens found. Create your first token to get started.')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Add Token' })).toBeVisible()
    },
  )

  test(
    'shows every column, with the key masked until the user asks for it',
    { tag: '@A2.48' },
    async ({ userPage: page, user }) => {
      const { key } = await user.api.call(createToken, { body: { name: 'ci', remain_quota: 750_000 } })
      await page.goto('/tokens')
      await expect(page.getByRole('columnheader').filter({ hasText: /./ })).toHaveText([
        'ID',
        'Name',
        'Key',
        'Status',
        'Remaining Quota',
        'Used Quota',
        'Created',
        'Last Access',
        'Expires',
        'Actions',
      ])
      const ci = row(page, 'ci')
      await expect(ci).toContainText(`${key.slice(0, 4)}***${key.slice(-4)}`)
      await expect(ci).toContainText('Enabled')
      await expect(ci).toContainText('$1.50')
      await expect(ci).toContainText('Never')
      await ci.getByRole('button', { name: 'Show key' }).click()
      await expect(ci).toContainText(key)
      await ci.getByRole('button', { name: 'Hide key' }).click()
      await expect(ci).not.toContainText(key)
      await expect(ci.getByRole('link', { name: 'Edit' })).toBeVisible()
      for (const name of ['Disable', 'Delete']) await expect(ci.getByRole('button', { name })).toBeVisible()
    },
  )

  test(
    'copies the key and says so for three seconds',
    { tag: ['@A2.54', '@A9.11'] },
    async ({ userPage: page, user }) => {
      const { key } = await user.api.call(createToken, { body: { name: 'ci' } })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto('/tokens')
      await expect(row(page, 'ci')).toBeVisible()
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 60_000)
      await row(page, 'ci').getByRole('button', { name: 'Copy key' }).click()
      await expect(row(page, 'ci').getByRole('button', { name: 'Copied' })).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
      await page.clock.runFor(2_900)
      await expect(row(page, 'ci').getByRole('button', { name: 'Copied' })).toBeVisible()
      await page.clock.runFor(200)
      await expect(row(page, 'ci').getByRole('button', { name: 'Copy key' })).toBeVisible()
    },
  )

  test(
    'shows the key for copying by hand where there is no clipboard',
    { tag: ['@A2.55', '@A8.10'] },
    async ({ userPage: page, user }) => {
      const { key } = await user.api.call(createToken, { body: { name: 'ci' } })
      await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
      await page.goto('/tokens')
      await row(page, 'ci').getByRole('button', { name: 'Copy key' }).click()
      const dialog = page.getByRole('dialog', { name: 'Manual copy required' })
      await expect(dialog.getByRole('textbox')).toHaveValue(key)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect(dialog).toHaveCount(0)
    },
  )

  test(
    'sorts by a column, keeps that in the address and restores it on reload',
    { tag: ['@A2.49', '@A7.15'] },
    async ({ userPage: page, user }) => {
      for (const [name, remain_quota] of [
        ['b', 3_000_000],
        ['a', 1_000_000],
        ['c', 2_000_000],
      ] as const)
        await user.api.call(createToken, { body: { name, remain_quota } })
      const requested: URLSearchParams[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname === '/api/token/') requested.push(searchParams)
      })
      await page.goto('/tokens')
      await expect(page.getByRole('columnheader').getByRole('button')).toHaveText([
        'ID',
        'Name',
        'Status',
        'Remaining Quota',
        'Used Quota',
        'Created',
        'Last Access',
        'Expires',
      ])
      expect(Object.fromEntries(requested[0] ?? [])).toMatchObject({ p: '0', size: '10' })
      const names = page.getByRole('row').getByRole('link', { name: /^[abc]$/ })
      await page.getByRole('button', { name: 'Name', exact: true }).click()
      await expect(names).toHaveText(['a', 'b', 'c'])
      await expect(page).toHaveURL(/sort=name&order=asc/)
      await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
      await page.getByRole('button', { name: 'Name', exact: true }).click()
      await expect(names).toHaveText(['c', 'b', 'a'])
      expect(Object.fromEntries(requested.at(-1) ?? [])).toMatchObject({
        sort: 'name',
        order: 'desc',
        p: '0',
        size: '10',
      })
      await page.getByRole('button', { name: 'Remaining Quota' }).click()
      await expect(names).toHaveText(['a', 'c', 'b'])
      for (const column of ['ID', 'Status', 'Used Quota', 'Created', 'Last Access', 'Expires']) {
        await page.getByRole('columnheader').getByRole('button', { name: column, exact: true }).click()
        await expect(page.getByRole('columnheader', { name: column })).toHaveAttribute('aria-sort', 'ascending')
        await expect(names).toHaveCount(3)
      }
      expect(requested.slice(-6).map((query) => query.get('sort'))).toEqual([
        'id',
        'status',
        'used_quota',
        'created_time',
        'accessed_time',
        'expired_time',
      ])
      await page.getByRole('button', { name: 'Remaining Quota' }).click()
      await expect(names).toHaveText(['a', 'c', 'b'])
      await page.reload()
      await expect(names).toHaveText(['a', 'c', 'b'])
      await page.goBack()
      await expect(page).toHaveURL(/sort=expired_time/)
    },
  )

  test(
    'pages through many, ten at a time unless told otherwise',
    { tag: ['@A2.51', '@A7.15', '@A9.9'] },
    async ({ userPage: page, user }) => {
      for (let index = 1; index <= 12; index++)
        await user.api.call(createToken, { body: { name: `t${String(index).padStart(2, '0')}` } })
      await page.goto('/tokens?sort=name&order=asc')
      await expect(page.getByRole('row')).toHaveCount(11)
      await expect(page.getByText('1–10 of 12')).toBeVisible()
      const second = page.waitForRequest('**/api/token/?*')
      await page.getByRole('button', { name: 'Next page' }).click()
      expect(new URL((await second).url()).searchParams.get('p')).toBe('1')
      await expect(page).toHaveURL(/[?&]p=1/)
      await expect(page.getByRole('row')).toHaveCount(3)
      const sizes = page.getByRole('combobox', { name: 'Rows per page' })
      expect(await sizes.getByRole('option').allTextContents()).toEqual(['10', '20', '50', '100'])
      await sizes.selectOption('20')
      await expect(page.getByRole('row')).toHaveCount(13)
      await expect(page).not.toHaveURL(/[?&]p=/)
    },
  )

  test(
    'suggests while typing from two characters on and narrows the list',
    { tag: ['@A2.51', '@A5.25', '@A7.16', '@A7.23', '@A9.16'] },
    async ({ userPage: page, user }) => {
      for (const name of ['staging-web', 'staging-batch', 'production'])
        await user.api.call(createToken, { body: { name } })
      const calls: URLSearchParams[] = []
      // Servers of the family answer a search without a total.
      await page.route('**/api/token/search?*', async (route) => {
        calls.push(new URL(route.request().url()).searchParams)
        const response = await route.fetch()
        const { total: _, ...rest }: Record<string, unknown> = await response.json()
        await route.fulfill({ response, json: rest })
      })
      await page.clock.install()
      await page.goto('/tokens?sort=name&order=asc')
      const search = page.getByRole('combobox', { name: 'Search tokens by name...' })
      await expect(row(page, 'production')).toBeVisible()
      await page.clock.pauseAt(Date.now() + 60_000)
      await search.pressSequentially('s')
      await expect(page.getByText('Type at least 2 characters to search').first()).toBeVisible()
      await page.clock.runFor(1_000)
      await search.pressSequentially('tag')
      await page.clock.runFor(299)
      expect(calls).toEqual([])
      await page.clock.runFor(1)
      await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(2)
      expect(calls.map((query) => query.get('keyword'))).toEqual(['stag'])
      await page.clock.resume()
      await expectAccessible(page)
      await page.keyboard.press('ArrowDown')
      await expect(search).toHaveAttribute('aria-activedescendant', /.+/)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/keyword=staging-batch/)
      await expect(page.getByRole('row')).toHaveCount(2)
      await expect(page.getByText('1–1 of 1')).toBeVisible()
      const wanted = { keyword: 'staging-batch', sort: 'name', order: 'asc', size: '10' }
      expect(calls.map((query) => Object.fromEntries(query))).toContainEqual(expect.objectContaining(wanted))
      await page.getByRole('button', { name: 'Clear search' }).click()
      await expect(page.getByRole('row')).toHaveCount(4)
    },
  )

  test(
    'switches a token at once and takes it back when the server refuses',
    { tag: ['@A4.3', '@A7.19'] },
    async ({ userPage: page, user }) => {
      const { id } = await user.api.call(createToken, { body: { name: 'ci', unlimited_quota: true } })
      await page.goto('/tokens')
      const ci = row(page, 'ci')
      const sent = page.waitForRequest((request) => request.method() === 'PUT')
      await ci.getByRole('button', { name: 'Disable' }).click()
      expect((await sent).url()).toMatch(/\/api\/token\/\?status_only=1$/)
      expect((await sent).postDataJSON()).toEqual({ id, status: 2 })
      await expect(ci).toContainText('Disabled')
      await expect.poll(async () => (await user.api.call(listTokens))[0]?.status).toBe(2)
      await ci.getByRole('button', { name: 'Enable' }).click()
      await expect(ci).toContainText('Enabled')

      // The answer is held back to show the list between the press and the refusal.
      let answer = () => {}
      const held = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/api/token/?status_only=1', async (route) => {
        await held
        await route.fulfill({ json: { success: false, message: 'Not now.' } })
      })
      await ci.getByRole('button', { name: 'Disable' }).click()
      await expect(ci).toContainText('Disabled')
      answer()
      await expect(page.getByText('Not now.')).toBeVisible()
      await expect(ci).toContainText('Enabled')
    },
  )

  test('offers to undo a switch for six seconds, and longer under the pointer', async ({ userPage: page, user }) => {
    await user.api.call(createToken, { body: { name: 'ci', unlimited_quota: true } })
    const status = async () => (await user.api.call(listTokens))[0]?.status
    await page.goto('/tokens')
    const ci = row(page, 'ci')
    await expect(ci).toBeVisible()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await ci.getByRole('button', { name: 'Disable' }).click()
    await expect(page.getByText('Token disabled')).toBeVisible()
    expect(await status()).toBe(2)
    await page.clock.runFor(5_900)
    // The toast waits while the pointer is over it.
    await page.getByText('Token disabled').hover()
    await page.clock.runFor(30_000)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.clock.resume()
    await expect(page.getByText('Token enabled')).toBeVisible()
    await expect(ci).toContainText('Enabled')
    expect(await status()).toBe(1)
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  })

  test(
    'deletes after asking with the name, or the id of a token without one',
    { tag: ['@A2.56', '@A7.18'] },
    async ({ userPage: page, user }) => {
      const { id } = await user.api.call(createToken, { body: { name: 'ci' } })
      await page.route('**/api/token/?*', async (route) => {
        const response = await route.fetch()
        const body = await response.text()
        await route.fulfill({ response, body: body.replace('"name":"ci"', '"name":""') })
      })
      await page.goto('/tokens')
      await row(page, `ID ${id}`).getByRole('button', { name: 'Delete' }).click()
      const unnamed = page.getByRole('alertdialog')
      await expect(unnamed).toContainText(`Are you sure you want to delete token "ID ${id}"?`)
      await unnamed.getByRole('button', { name: 'Cancel' }).click()
      await page.unroute('**/api/token/?*')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await row(page, 'ci').getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog).toContainText('Are you sure you want to delete token "ci"?')
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      await expect(page.getByText('No tokens found. Create your first token to get started.')).toBeVisible()
      expect(await user.api.call(listTokens)).toEqual([])
    },
  )

  test(
    'is emptied without a notice when it cannot be loaded, and can be retried',
    { tag: '@A8.9' },
    async ({ userPage: page, user }) => {
      await user.api.call(createToken, { body: { name: 'ci' } })
      await page.goto('/tokens')
      await expect(row(page, 'ci')).toBeVisible()
      await page.route('**/api/token/?*', (route) => route.fulfill({ json: { success: false, message: 'boom' } }))
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      await expect(row(page, 'ci')).toHaveCount(0)
      await expect(page.getByText('boom')).toHaveCount(0)
      await page.unroute('**/api/token/?*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(row(page, 'ci')).toBeVisible()
    },
  )

  test('shows the columns that the user chooses and remembers them', async ({ userPage: page, user }) => {
    await user.api.call(createToken, { body: { name: 'ci' } })
    await page.goto('/tokens')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Created' }).uncheck()
    await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveCount(0)
    await page.reload()
    await expect(row(page, 'ci')).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveCount(0)
  })

  test('draws long lists in part and scrolls through all of them', async ({ userPage: page, user }) => {
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => user.api.call(createToken, { body: { name: `t${100 + index}` } })),
    )
    await page.goto('/tokens?size=100&sort=name&order=asc')
    await expect(row(page, 't100')).toBeVisible()
    await expect(row(page, 't159')).toHaveCount(0)
    await expectAccessible(page)
    await row(page, 't105').hover()
    await page.mouse.wheel(0, 10_000)
    await expect(row(page, 't159')).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Name' })).toBeInViewport()
  })
})

test('names of tokens and channels are not cut on a desktop', async ({ rootPage: page, workbench }) => {
  const names = { tokens: 'support chat, production', channels: 'slow, broken and dear fallback' }
  await workbench.root.call(createToken, { body: { name: names.tokens } })
  await workbench.addChannel(['nu-chat'], { name: names.channels })
  for (const list of ['tokens', 'channels'] as const) {
    await page.goto(`/${list}`)
    const name = page.getByRole('link', { name: names[list] })
    await expect(name).toBeVisible()
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), names[list]).toBe(0)
  }
})
