import { deleteUser, getUser, updateUser } from '@sluice/contract/routes/users'
import { signIn } from '@sluice/testkit/management-client'
import { expect, test } from '../fixtures.ts'
import { addUser, bodiesOf, fresh, held, named, PASSWORD, row } from '../people.ts'

test.describe('user list', () => {
  test('tells what was used before the move, only of those who were imported', async ({
    rootPage: page,
    workbench,
  }) => {
    const name = fresh('moved')
    const { id } = await addUser(workbench, name)
    let more = {}
    await page.route('**/api/user/?*', async (route) => {
      const reply = await route.fetch()
      const body = (await reply.json()) as { data: { id: number }[] }
      const data = body.data.map((user) => (user.id === id ? { ...user, ...more } : user))
      await route.fulfill({ response: reply, json: { ...body, data } })
    })
    await page.goto(`/users?id=${id}`)
    const panel = page.getByRole('dialog', { name })
    await expect(panel.getByText('Requests')).toBeVisible()
    await expect(panel.getByText('Before the move')).toHaveCount(0)
    more = { used_quota_before: 1_250_000, request_count_before: 34 }
    await page.reload()
    await expect(panel.getByText('$2.50 used in 34 requests')).toBeVisible()
  })

  test(
    'shows who they are and what they have, with -1 as Unlimited',
    { tag: ['@A9.5', '@B2.2', '@B3.4', '@B6.1', '@B1.4'] },
    async ({ rootPage: page, workbench }) => {
      const stem = fresh('seen')
      const admin = await addUser(workbench, `${stem}a`)
      await workbench.root.call(updateUser, { query: {}, body: { id: admin.id, role: 10 } })
      await addUser(workbench, `${stem}u`, 1_234_567)
      // This gateway's balances are numbers; other servers of the family send -1.
      await addUser(workbench, `${stem}x`)
      await page.route('**/api/user/search?*', async (route) => {
        const reply = await route.fetch()
        const text = await reply.text()
        await route.fulfill({ response: reply, body: text.replace('"quota":1000000,', '"quota":-1,') })
      })
      await page.goto(`/users?keyword=${stem}&sort=username&order=desc`)
      await expect(page.getByRole('columnheader')).toHaveText([
        '',
        'ID',
        'Username',
        'Email',
        'Role',
        'Status',
        'Group',
        'Quota',
        'Used quota',
        'Created',
        'Actions',
      ])
      await expect(row(page, `${stem}x`)).toContainText('Unlimited')
      await expect(row(page, `${stem}u`)).toContainText('User')
      await expect(row(page, `${stem}u`)).toContainText('Enabled')
      await expect(row(page, `${stem}u`)).toContainText('default')
      await expect(row(page, `${stem}a`)).toContainText('Admin')
      const amount = row(page, `${stem}u`).getByText('$2.47')
      await amount.hover()
      await expect(page.getByRole('tooltip')).toHaveText('$2.469134\n1,234,567 points')
    },
  )

  test(
    'is empty with a hint at what to do, also when it cannot be loaded, which is logged',
    { tag: ['@B2.32', '@B2.33', '@B8.13'] },
    async ({ rootPage: page }) => {
      let reply = { success: true, message: '', data: [], total: 0 }
      await page.route('**/api/user/?*', (route) => route.fulfill({ json: reply }))
      await page.goto('/users')
      await expect(page.getByText('No users found. Add your first user to get started.')).toBeVisible()

      await page.unroute('**/api/user/?*')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      reply = { ...reply, success: false, message: 'down' }
      await page.route('**/api/user/?*', (route) => route.fulfill({ json: reply }))
      const logged = page.waitForEvent('console', (message) => message.text().includes('Failed to load users'))
      await page.getByRole('button', { name: 'Refresh' }).click()
      expect((await logged).type()).toBe('error')
      await expect(page.getByRole('row')).toHaveCount(1)
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    },
  )

  test(
    'is sorted by a select in both directions, ten a page from page 0',
    { tag: ['@B2.31', '@B7.7', '@B7.8', '@B9.1', '@B9.12'] },
    async ({ rootPage: page, workbench }) => {
      const stem = fresh('sort')
      for (const [end, quota] of [
        ['a', 2_000_000],
        ['b', 3_000_000],
        ['c', 1_000_000],
      ] as const)
        await addUser(workbench, stem + end, quota)
      const requested: URLSearchParams[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        // Suggestions of the search box make the same call without a page.
        const ofList = searchParams.has('p') && (pathname === '/api/user/' || pathname === '/api/user/search')
        if (ofList) requested.push(searchParams)
      })
      await page.goto('/users')
      const sort = page.getByRole('combobox', { name: 'Sort by' })
      await expect(sort.getByRole('option')).toHaveText(['Sort by', 'ID', 'Username', 'Quota', 'Used quota', 'Created'])
      expect(requested[0]?.get('p')).toBe('0')
      expect(requested[0]?.get('size')).toBe('10')

      await page.getByRole('combobox', { name: /^Search users/ }).fill(stem)
      await page.keyboard.press('Enter')
      const names = page.getByRole('row').getByRole('link', { name: stem })
      await sort.selectOption('quota')
      await expect(names).toHaveText([`${stem}b`, `${stem}a`, `${stem}c`])
      await page.getByRole('button', { name: 'Descending' }).click()
      await expect(names).toHaveText([`${stem}c`, `${stem}a`, `${stem}b`])
      await expect(page).toHaveURL(/sort=quota&order=asc/)
      const last = Object.fromEntries(requested.at(-1) ?? [])
      expect(last).toMatchObject({ keyword: stem, sort: 'quota', order: 'asc', size: '10', p: '0' })
      for (const column of ['username', 'id', 'created_time', 'used_quota']) {
        await sort.selectOption(column)
        await expect.poll(() => requested.at(-1)?.get('sort')).toBe(column)
        await expect(names).toHaveCount(3)
      }
    },
  )

  test(
    'suggests users with their roles: 1 User, 10 Admin, 100 Super Admin',
    { tag: ['@B6.2', '@B6.3', '@B6.1'] },
    async ({ rootPage: page, workbench }) => {
      const stem = fresh('hint')
      const { id } = await addUser(workbench, `${stem}a`)
      await workbench.root.call(updateUser, { query: {}, body: { id, role: 10 } })
      await addUser(workbench, `${stem}u`)
      await page.goto('/users')
      const search = page.getByRole('combobox', { name: /^Search users/ })
      await search.fill(stem)
      await expect(page.getByRole('option', { name: `${stem}a` })).toContainText('· Admin')
      await expect(page.getByRole('option', { name: `${stem}u` })).toContainText('· User')
      await search.fill('root')
      await expect(page.getByRole('option', { name: 'root' }).first()).toContainText('· Super Admin')
      await page.keyboard.press('Escape')
      await page.goto('/users?keyword=root')
      await expect(row(page, 'root').first()).toContainText('Super Admin')
    },
  )

  test(
    'switches users off and on at once, can be undone, and reverts on refusal',
    { tag: ['@B4.1', '@B7.11'] },
    async ({ rootPage: page, workbench }) => {
      const { id, username } = await addUser(workbench, fresh('switch'))
      await page.goto(`/users?keyword=${username}`)
      const release = await held(page, '/api/user/')
      const sent = page.waitForRequest((request) => request.method() === 'PUT')
      await row(page, username).getByRole('button', { name: 'Disable' }).click()
      // Before the gateway has answered.
      await expect(row(page, username)).toContainText('Disabled')
      const request = await sent
      expect(new URL(request.url()).search).toBe('?status_only=true')
      expect(request.postDataJSON()).toEqual({ id, status: 2 })
      release()
      await expect(page.getByText('User disabled')).toBeVisible()
      expect((await named(workbench, username)).status).toBe(2)
      // The list is requested again after each switch, which must not show that the user is gone before the next switch.
      await page.route('**/api/user/search?*', () => new Promise<never>(() => {}))
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByText('User enabled')).toBeVisible()
      expect((await named(workbench, username)).status).toBe(1)

      await workbench.root.call(deleteUser, { path: { id } })
      await row(page, username).getByRole('button', { name: 'Disable' }).click()
      await expect(page.getByText('Status not changed')).toBeVisible()
    },
  )

  test(
    'deletes after a confirmation',
    { tag: ['@B4.1', '@B7.12', '@B2.31'] },
    async ({ rootPage: page, workbench }) => {
      const { id, username } = await addUser(workbench, fresh('gone'))
      await page.goto(`/users?keyword=${username}`)
      await row(page, username).getByRole('button', { name: 'Delete' }).click()
      const question = page.getByRole('alertdialog', { name: 'Delete user' })
      await expect(question).toContainText(`Are you sure you want to delete user "${username}"?`)
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expect(row(page, username)).toBeVisible()
      await row(page, username).getByRole('button', { name: 'Delete' }).click()
      const sent = page.waitForRequest((request) => request.method() === 'DELETE')
      await question.getByRole('button', { name: 'Delete' }).click()
      expect(new URL((await sent).url()).pathname).toBe(`/api/user/${id}`)
      await expect(page.getByText('User deleted')).toBeVisible()
      await expect(row(page, username)).toHaveCount(0)
      await expect(workbench.root.call(getUser, { path: { id } })).rejects.toThrow('not found')
    },
  )

  test('acts on several users, but not on oneself', async ({ rootPage: page, workbench }) => {
    const stem = fresh('bulk')
    for (const end of ['a', 'b']) await addUser(workbench, stem + end)
    await page.goto(`/users?keyword=${stem}`)
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByRole('combobox', { name: /^Search users/ }).fill('root')
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'Select root', exact: true }).check()
    const bar = page.getByRole('group', { name: 'Selected rows' })
    await expect(bar).toContainText('3 selected')
    await expect(bar).toContainText('You cannot change 1 of them')
    await bar.getByRole('button', { name: 'Disable' }).click()
    await expect(page.getByText('Disable: 2 done')).toBeVisible()
    for (const end of ['a', 'b']) expect((await named(workbench, stem + end)).status).toBe(2)
    expect((await named(workbench, 'root')).status).toBe(1)
  })

  test('opens a user next to the list, with links to their logs, usage and tokens', async ({
    rootPage: page,
    workbench,
  }) => {
    const { id, username } = await addUser(workbench, fresh('panel'))
    await page.goto(`/users?keyword=${username}`)
    await page.getByRole('link', { name: username }).click()
    await expect(page).toHaveURL(new RegExp(`id=${id}`))
    const panel = page.getByRole('dialog', { name: username })
    await expect(panel).toContainText(`#${id} · User`)
    await expect(panel.getByRole('link', { name: 'Usage' })).toHaveAttribute('href', `/dashboard?user=${id}`)
    await expect(
      panel.getByRole('region', { name: 'Tokens' }).getByRole('link', { name: 'Logs of default' }),
    ).toBeVisible()
    await panel.getByRole('link', { name: 'Logs', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/logs\\?username=${username}`))
    await page.goBack()
    await expect(panel).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
  })
})

test.describe('what administrators may do', () => {
  test('is shown by buttons that say why not, instead of being hidden', async ({ page, workbench, enter }) => {
    const stem = fresh('rank')
    for (const end of ['me', 'peer']) {
      const { id } = await addUser(workbench, stem + end)
      await workbench.root.call(updateUser, { query: {}, body: { id, role: 10 } })
    }
    const user = await addUser(workbench, `${stem}user`)
    await enter(await signIn(workbench.gateway.url, `${stem}me`, PASSWORD))
    await page.goto(`/users?keyword=${stem}`)
    const peer = row(page, `${stem}peer`)
    for (const name of ['Top Up', 'Edit', 'Disable', 'Delete']) {
      const button = peer.getByRole('button', { name })
      await expect(button).toHaveAttribute('aria-disabled', 'true')
      await expect(button).toHaveAccessibleDescription('Only a user with a higher role can do this.')
      await expect(row(page, `${stem}user`).getByLabel(name)).not.toHaveAttribute('aria-disabled', 'true')
    }
    // Does nothing when pressed anyway.
    await peer.getByRole('button', { name: 'Disable' }).click({ force: true })
    await expect(row(page, `${stem}me`).getByRole('button', { name: 'Delete' })).toHaveAccessibleDescription(
      'You cannot do this to your own account.',
    )
    expect((await named(workbench, `${stem}peer`)).status).toBe(1)

    await page.goto(`/users/edit/${user.id}`)
    await expect(page.getByRole('combobox', { name: 'Role' })).toBeDisabled()
    await expect(page.getByText('Only a Super Admin can change roles.')).toBeVisible()
  })

  test(
    'covers users, channels, codes and the logs of everyone, from role 10 up',
    { tag: ['@A1.3', '@B1.3'] },
    async ({ page, workbench, enter }) => {
      const stem = fresh('ten')
      const { id } = await addUser(workbench, `${stem}me`)
      await workbench.root.call(updateUser, { query: {}, body: { id, role: 10 } })
      await addUser(workbench, `${stem}other`)
      await enter(await signIn(workbench.gateway.url, `${stem}me`, PASSWORD))
      await page.goto(`/users?keyword=${stem}other`)
      const other = row(page, `${stem}other`)
      await other.getByRole('button', { name: 'Top Up' }).click()
      const topUp = page.getByRole('dialog', { name: `Top Up ${stem}other` })
      await topUp.getByRole('button', { name: '$5', exact: true }).click()
      await topUp.getByRole('button', { name: 'Top Up' }).click()
      await expect(other).toContainText('$7.00')
      await other.getByRole('button', { name: 'Disable' }).click()
      await expect(page.getByText('User disabled')).toBeVisible()
      await other.getByRole('button', { name: 'Enable' }).click()
      await expect(page.getByText('User enabled')).toBeVisible()
      await other.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByText('User deleted')).toBeVisible()

      await page.getByRole('link', { name: 'Redemptions' }).click()
      await page.getByRole('button', { name: 'Generate codes' }).click()
      await page.getByLabel('Name', { exact: true }).last().fill(stem)
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
      await page.getByRole('row').filter({ hasText: stem }).getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByText('Redemption code deleted')).toBeVisible()

      await page.getByRole('link', { name: 'Channels' }).click()
      await page.getByRole('link', { name: 'Add Channel' }).click()
      await expect(page).toHaveURL(/\/channels\/add$/)
      const logs = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/log/')
      await page.goto(`/logs?username=${stem}other`)
      expect((await logs).status()).toBe(200)
      await expect(
        page
          .getByRole('row')
          .filter({ hasText: `${stem}other` })
          .first(),
      ).toBeVisible()
    },
  )

  test('is not for ordinary users, who stay signed in', async ({ userPage: page }) => {
    for (const path of ['/users', '/users/add', '/users/edit/1', '/redemptions', '/redemptions/add']) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/dashboard$/)
    }
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Redemptions' })).toHaveCount(0)
  })
})

test.describe('top-up dialog', () => {
  test(
    'adds to the balance, says what it is worth, and keeps the remark',
    { tag: ['@B2.31', '@B5.5', '@B7.13', '@B1.5', '@B9.3'] },
    async ({ rootPage: page, workbench }) => {
      const { id, username } = await addUser(workbench, fresh('poor'), 500_000)
      await page.goto(`/users?keyword=${username}`)
      await row(page, username).getByRole('button', { name: 'Top Up' }).click()
      const dialog = page.getByRole('dialog', { name: `Top Up ${username}` })
      const quota = dialog.getByLabel('Quota to add')
      await expect(quota).toBeFocused()
      const sent = bodiesOf(page, 'POST', '/api/topup')
      await quota.fill('1.5')
      await dialog.getByRole('button', { name: 'Top Up' }).click()
      await expect(dialog.getByText('Quota must be a whole number')).toBeVisible()
      await quota.fill('1234567')
      await expect(dialog.getByText('About $2.47')).toBeVisible()
      await dialog.getByRole('button', { name: '$5', exact: true }).click()
      await expect(quota).toHaveValue('2500000')
      await expect(dialog.getByText('$6.00 (3,000,000)')).toBeVisible()
      await dialog.getByLabel('Remark').fill('thanks')
      await dialog.getByRole('button', { name: 'Top Up' }).click()
      await expect(page.getByText('User topped up')).toBeVisible()
      await expect(dialog).toHaveCount(0)
      await expect(row(page, username)).toContainText('$6.00')
      expect(sent).toEqual([{ user_id: id, quota: 2_500_000, remark: 'thanks' }])
      expect((await named(workbench, username)).quota).toBe(3_000_000)

      await row(page, username).getByRole('button', { name: 'Top Up' }).click()
      await quota.fill('500000')
      await page.keyboard.press('Enter')
      await expect(row(page, username)).toContainText('$7.00')
      expect(sent[1]).toEqual({ user_id: id, quota: 500_000, remark: '' })
    },
  )

  test('stays open and says what the gateway refused', async ({ rootPage: page, workbench }) => {
    const { id, username } = await addUser(workbench, fresh('left'))
    await page.goto(`/users?keyword=${username}`)
    await row(page, username).getByRole('button', { name: 'Top Up' }).click()
    await workbench.root.call(deleteUser, { path: { id } })
    const dialog = page.getByRole('dialog', { name: `Top Up ${username}` })
    await dialog.getByRole('button', { name: '$1', exact: true }).click()
    await dialog.getByRole('button', { name: 'Top Up' }).click()
    await expect(page.getByText('Request failed')).toBeVisible()
    await expect(dialog.getByRole('alert')).toContainText('not found')
  })
})
