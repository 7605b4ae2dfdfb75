import { readFile } from 'node:fs/promises'
import type { Redemption } from '@sluice/contract/redemption'
import { updateOption } from '@sluice/contract/routes/options'
import { createRedemptions, deleteRedemption, redeem, searchRedemptions } from '@sluice/contract/routes/redemptions'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'
import { fresh, held, row } from '../people.ts'

async function stored(workbench: Workbench, name: string): Promise<readonly Redemption[]> {
  const query = { keyword: name, sort: 'id', order: 'asc' } as const
  return await workbench.root.call(searchRedemptions, { query })
}

test.describe('redemption list', () => {
  test('shows an expiry, and offers it for a change, only where there is one', async ({
    rootPage: page,
    workbench,
  }) => {
    const [name, plain] = [fresh('brief'), fresh('plain')]
    const expiry = Math.floor(Date.now() / 1_000) + 90 * 86_400
    await workbench.root.call(createRedemptions, { body: { name, quota: 1, expired_time: expiry } })
    await workbench.root.call(createRedemptions, { body: { name: plain, quota: 1 } })
    await page.goto('/redemptions')
    await expect(row(page, name)).toContainText('Not yet· Expires')
    await expect(row(page, plain)).not.toContainText('Expires')
    await row(page, plain).getByRole('link', { name: plain }).click()
    await expect(page.getByLabel('Quota')).toBeVisible()
    await expect(page.getByLabel('Expires')).toHaveCount(0)
    await page.goBack()
    await row(page, name).getByRole('link', { name }).click()
    await page.getByLabel('Expires').fill('')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(row(page, name)).not.toContainText('Expires')
    expect(await stored(workbench, name)).toMatchObject([{ expired_time: 0 }])
  })

  test(
    'is empty with a hint at what to do, also when it cannot be loaded, which is logged',
    { tag: ['@B2.8', '@B8.13'] },
    async ({ rootPage: page, workbench }) => {
      const name = fresh('shown')
      await workbench.root.call(createRedemptions, { body: { name, quota: 1 } })
      let reply = { success: true, message: '', data: [], total: 0 }
      await page.route('**/api/redemption/?*', (route) => route.fulfill({ json: reply }))
      await page.goto('/redemptions')
      await expect(page.getByText('No redemption codes yet.')).toBeVisible()
      await page.unroute('**/api/redemption/?*')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(row(page, name)).toBeVisible()
      reply = { ...reply, success: false, message: 'down' }
      await page.route('**/api/redemption/?*', (route) => route.fulfill({ json: reply }))
      const logged = page.waitForEvent('console', (message) => message.text().includes('Failed to load redemptions'))
      await page.getByRole('button', { name: 'Refresh' }).click()
      expect((await logged).type()).toBe('error')
      await expect(page.getByRole('row')).toHaveCount(1)
    },
  )

  test(
    'is searched, sorted by a select in both directions, and reloaded',
    { tag: ['@B2.39', '@B7.22', '@B9.1', '@B9.13'] },
    async ({ rootPage: page, workbench }) => {
      const stem = fresh('s')
      for (const [end, quota] of [
        ['a', 2_000_000],
        ['b', 1_000_000],
      ] as const)
        await workbench.root.call(createRedemptions, { body: { name: stem + end, quota } })
      const requested: URLSearchParams[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname.startsWith('/api/redemption/') && request.method() === 'GET') requested.push(searchParams)
      })
      await page.goto('/redemptions')
      const sort = page.getByRole('combobox', { name: 'Sort by' })
      await expect(sort.getByRole('option')).toHaveText([
        'Sort by',
        'ID',
        'Name',
        'Status',
        'Quota',
        'Created',
        'Redeemed',
      ])
      expect(Object.fromEntries(requested[0] ?? [])).toMatchObject({ p: '0', size: '10' })

      const search = page.getByRole('combobox', { name: /^Search codes/ })
      await search.fill(stem)
      await expect(page.getByRole('option', { name: `${stem}a` })).toContainText('1 codes')
      await search.press('Enter')
      const names = page.getByRole('row').getByRole('link', { name: stem })
      await expect(names).toHaveText([`${stem}b`, `${stem}a`])
      await sort.selectOption('quota')
      await expect(names).toHaveText([`${stem}a`, `${stem}b`])
      await page.getByRole('button', { name: 'Descending' }).click()
      await expect(names).toHaveText([`${stem}b`, `${stem}a`])
      expect(Object.fromEntries(requested.at(-1) ?? [])).toMatchObject({ keyword: stem, sort: 'quota', order: 'asc' })
      for (const column of ['id', 'name', 'status', 'created_time', 'redeemed_time']) {
        await sort.selectOption(column)
        await expect.poll(() => requested.at(-1)?.get('sort')).toBe(column)
        await expect(names).toHaveCount(2)
      }
      await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
      await workbench.root.call(createRedemptions, { body: { name: `${stem}c`, quota: 1 } })
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(names).toHaveCount(3)
    },
  )

  test(
    'values codes at 500000 whatever the settings say, and users by the settings',
    { tag: ['@B1.6', '@B1.5', '@B9.3'] },
    async ({ rootPage: page, workbench, user }) => {
      const name = fresh('unit')
      await workbench.root.call(createRedemptions, { body: { name, quota: 1_000_000 } })
      const setUnit = (value: string) => workbench.root.call(updateOption, { body: { key: 'QuotaPerUnit', value } })
      await setUnit('1000000')
      try {
        await page.goto(`/users?keyword=${user.username}`)
        // 10,000,000 points at 1,000,000 a unit.
        await expect(row(page, user.username)).toContainText('$10.00')
        await page.goto(`/redemptions?keyword=${name}`)
        await expect(row(page, name)).toContainText('$2.00')
        await page.getByRole('button', { name: 'Generate codes' }).click()
        await page.getByRole('spinbutton', { name: 'Quota' }).fill('1500000')
        await expect(page.getByText('About $3.00')).toBeVisible()
      } finally {
        await setUnit('500000')
      }
    },
  )

  test(
    'masks codes, shows and copies them, and says who used one and when',
    { tag: ['@B4.5', '@whole'] },
    async ({ rootPage: page, workbench, user }) => {
      const name = fresh('mask')
      const [used = '', unused = ''] = await workbench.root.call(createRedemptions, {
        body: { name, quota: 500_000, count: 2 },
      })
      await user.api.call(redeem, { body: { key: used } })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(`/redemptions?keyword=${name}`)
      const open = row(page, 'Unused')
      await expect(open).toContainText(`${unused.slice(0, 4)}***${unused.slice(-4)}`)
      await expect(page.getByText(unused)).toHaveCount(0)
      await open.getByRole('button', { name: 'Show code' }).click()
      await expect(open).toContainText(unused)
      await open.getByRole('button', { name: 'Copy code' }).click()
      await expect(open.getByRole('button', { name: 'Copied' })).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(unused)

      const gone = page.getByRole('row').filter({ has: page.getByText('Used', { exact: true }) })
      await expect(gone.getByRole('time').last()).toHaveAttribute('datetime', /^20/)
      for (const action of ['Edit', 'Disable'])
        await expect(gone.getByRole('button', { name: action })).toHaveAccessibleDescription(
          'A used code serves as a receipt and cannot be changed.',
        )
      const [first] = await stored(workbench, name)
      await page.goto(`/redemptions/edit/${first?.id}`)
      await expect(page.getByRole('status').filter({ hasText: user.username })).toContainText('redeemed this code')
      await page.goBack()
      await gone.getByRole('link', { name: `by ${user.username}` }).click()
      await expect(page.getByRole('dialog', { name: user.username })).toBeVisible()
    },
  )

  test(
    'switches between 1 and 2, can be undone, and deletes after a confirmation',
    { tag: ['@B4.6', '@B7.24'] },
    async ({ rootPage: page, workbench }) => {
      const name = fresh('toggle')
      await workbench.root.call(createRedemptions, { body: { name, quota: 1 } })
      const id = (await stored(workbench, name))[0]?.id
      await page.goto(`/redemptions?keyword=${name}`)
      const sent = page.waitForRequest((request) => request.method() === 'PUT')
      await row(page, name).getByRole('button', { name: 'Disable' }).click()
      const request = await sent
      expect(new URL(request.url()).pathname + new URL(request.url()).search).toBe('/api/redemption/?status_only=true')
      expect(request.postDataJSON()).toEqual({ id, status: 2 })
      await expect(page.getByText('Code disabled')).toBeVisible()
      await expect(row(page, name)).toContainText('Disabled')
      expect((await stored(workbench, name))[0]?.status).toBe(2)
      await row(page, name).getByRole('button', { name: 'Enable' }).click()
      await expect(page.getByText('Code enabled')).toBeVisible()
      expect((await stored(workbench, name))[0]?.status).toBe(1)
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await expect(row(page, name)).toContainText('Disabled')

      await row(page, name).getByRole('button', { name: 'Delete' }).click()
      const question = page.getByRole('alertdialog', { name: 'Delete redemption code' })
      await expect(question).toContainText(name)
      const deletion = page.waitForRequest((each) => each.method() === 'DELETE')
      await question.getByRole('button', { name: 'Delete' }).click()
      expect(new URL((await deletion).url()).pathname).toBe(`/api/redemption/${id}`)
      await expect(page.getByText('Redemption code deleted')).toBeVisible()
      expect(await stored(workbench, name)).toEqual([])
    },
  )

  test('acts on several codes at once and reverts after a refusal', async ({ rootPage: page, workbench }) => {
    const name = fresh('many')
    const codes = await workbench.root.call(createRedemptions, { body: { name, quota: 1, count: 3 } })
    await page.goto(`/redemptions?keyword=${name}&sort=id&order=asc`)
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    const bar = page.getByRole('group', { name: 'Selected rows' })
    const download = page.waitForEvent('download')
    await bar.getByRole('button', { name: 'Download as text' }).click()
    expect((await download).suggestedFilename()).toMatch(new RegExp(`^redemption-codes-${name}-.*\\.txt$`))
    expect((await readFile(await (await download).path(), 'utf8')).trim().split('\n').toSorted()).toEqual(
      codes.toSorted(),
    )
    await bar.getByRole('button', { name: 'Disable' }).click()
    await expect(page.getByText('Disable: 3 done')).toBeVisible()
    expect((await stored(workbench, name)).map(({ status }) => status)).toEqual([2, 2, 2])

    const [first] = await stored(workbench, name)
    if (first === undefined) throw new Error('no code')
    const enable = page.getByRole('row').nth(1).getByRole('button', { name: 'Enable' })
    // Lasts until the list has been requested again, which must not show that the code is gone.
    await expect(enable).toBeVisible()
    await workbench.root.call(deleteRedemption, { path: { id: first.id } })
    await enable.click()
    await expect(page.getByText('Status not changed')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(2)
  })
})

test.describe('new codes', () => {
  test(
    'are made in a dialog and shown once, to be copied or saved',
    { tag: ['@B2.39', '@B5.20', '@B7.23', '@B4.7', '@B4.13'] },
    async ({ rootPage: page, workbench }) => {
      const name = fresh('gen')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto('/redemptions')
      await page.getByRole('button', { name: 'Generate codes' }).click()
      const dialog = page.getByRole('dialog', { name: 'Generate codes' })
      await expect(dialog.getByLabel('Name')).toBeFocused()
      await dialog.getByLabel('Quota').fill('-1')
      await dialog.getByLabel('Count').fill('101')
      const create = dialog.getByRole('button', { name: 'Create' })
      await create.click()
      await expect(page.getByText('Validation error')).toBeVisible()
      for (const text of ['Name is required', 'Quota cannot be negative', 'Count cannot exceed 100'])
        await expect(dialog.getByText(text)).toBeVisible()
      await dialog.getByLabel('Name').fill('a name of more than 20')
      await dialog.getByLabel('Count').fill('0')
      await expect(dialog.getByText('Max 20 chars')).toBeVisible()
      await expect(dialog.getByText('Count must be positive')).toBeVisible()

      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('Quota').fill('250000')
      await dialog.getByLabel('Count').fill('3')
      const sent = page.waitForRequest((request) => request.method() === 'POST')
      await create.click()
      expect((await sent).postDataJSON()).toEqual({ name, quota: 250_000, count: 3 })
      await expect(page.getByText('Redemption created successfully')).toBeVisible()
      const made = page.getByRole('dialog', { name: `3 new codes "${name}"` })
      const codes = (await stored(workbench, name)).map(({ key }) => key)
      const shown = (await made.getByRole('textbox', { name: 'Codes' }).inputValue()).split('\n')
      expect(shown.toSorted()).toEqual(codes.toSorted())
      await made.getByRole('button', { name: 'Copy all' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.join('\n'))
      const download = page.waitForEvent('download')
      await made.getByRole('button', { name: 'Download as text' }).click()
      expect(await readFile(await (await download).path(), 'utf8')).toBe(`${shown.join('\n')}\n`)

      await made.getByRole('button', { name: 'Done' }).click()
      await expect(made).toHaveCount(0)
      await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(3)
      await page.getByRole('link', { name: 'Users' }).click()
      await page.goBack()
      await expect(page.getByRole('row').filter({ hasText: name }).first()).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    },
  )

  test(
    'are made in a form as well, where stored ones are edited too',
    { tag: ['@B2.9', '@B2.10', '@B3.7', '@B4.7', '@B4.13', '@B5.23', '@B7.22', '@B7.24', '@B8.9'] },
    async ({ rootPage: page, workbench }) => {
      const name = fresh('form')
      await page.goto('/redemptions/add')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText('Validation error')).toBeVisible()
      await expect(page.getByLabel('Name')).toBeFocused()
      await page.getByLabel('Name').fill(name)
      await expect(page.getByText('About $1.00')).toBeVisible()
      const release = await held(page, '/api/redemption/')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByRole('button', { name: 'Creating...' })).toBeVisible()
      release()
      await expect(page).toHaveURL(/\/redemptions$/)
      await expect(page.getByText('Redemption created successfully')).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()

      await row(page, name).getByRole('link', { name: 'Edit' }).click()
      const id = (await stored(workbench, name))[0]?.id
      await expect(page).toHaveURL(new RegExp(`/redemptions/edit/${id}$`))
      await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
      await expect(page.getByLabel('Count', { exact: true })).toHaveCount(0)
      await page.getByLabel('Quota', { exact: true }).fill('750000')
      const sent = page.waitForRequest((request) => request.method() === 'PUT')
      await page.getByRole('button', { name: 'Update' }).click()
      expect((await sent).postDataJSON()).toEqual({ id, name, quota: 750_000 })
      await expect(page.getByText('Redemption updated successfully')).toBeVisible()
      await expect(page).toHaveURL(/\/redemptions$/)
      await expect(row(page, name)).toContainText('$1.50')

      const logged = page.waitForEvent('console', (message) => message.text().includes('Failed to load redemption'))
      await page.goto('/redemptions/edit/999999')
      await logged
      await expect(page.getByRole('alert')).toContainText('not found')
    },
  )
})
