import { self } from '@sluice/contract/routes/account'
import { deleteUser, topUpUser } from '@sluice/contract/routes/users'
import { signIn } from '@sluice/testkit/management-client'
import { expect, test } from '../fixtures.ts'
import { addUser, bodiesOf, fresh, held, named } from '../people.ts'

test.describe('new users', () => {
  test(
    'are made in a dialog with a name and a password of six characters',
    { tag: ['@B2.31', '@B5.4', '@B7.9', '@B9.7', '@B4.7'] },
    async ({ rootPage: page, workbench }) => {
      const username = fresh('').replaceAll('-', '').slice(-2)
      await page.goto('/users')
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog', { name: 'Add User' })
      const create = dialog.getByRole('button', { name: 'Create', exact: true })
      await create.click()
      await expect(page.getByText('Validation error')).toBeVisible()
      await expect(dialog.getByText('Username is required')).toBeVisible()
      await expect(dialog.getByText('Password must be at least 6 characters')).toBeVisible()
      await expect(dialog.getByLabel('Username')).toBeFocused()
      await dialog.getByLabel('Username').fill(username)
      await dialog.getByLabel('Password', { exact: true }).fill('secret')
      const sent = bodiesOf(page, 'POST', '/api/user/')
      const release = await held(page, '/api/user/')
      await create.click()
      await expect(dialog.getByRole('button', { name: 'Creating...' })).toBeVisible()
      release()
      await expect(page.getByText('User created successfully')).toBeVisible()
      await expect(dialog).toHaveCount(0)
      expect(sent).toEqual([{ username, password: 'secret', display_name: username }])
      const { id } = await (await signIn(workbench.gateway.url, username, 'secret')).call(self)
      await workbench.root.call(deleteUser, { path: { id } })
    },
  )

  test(
    'are made in a form with everything that can be set',
    { tag: ['@B2.3', '@B2.34', '@B5.3', '@B5.23', '@B4.7', '@B4.13', '@B7.9', '@B7.7'] },
    async ({ rootPage: page, workbench }) => {
      const username = fresh('made')
      await page.goto('/users')
      await page.getByRole('button', { name: 'Add User' }).click()
      await page.getByRole('link', { name: 'All fields' }).click()
      await expect(page).toHaveURL(/\/users\/add$/)
      for (const label of ['Username', 'Display name', 'Email', 'Password', 'Quota', 'Group'])
        await expect(page.getByLabel(label, { exact: true }).first()).toBeVisible()

      await page.getByLabel('Username').fill('ab')
      await page.getByLabel('Email').fill('nowhere')
      await page.getByLabel('Quota', { exact: true }).last().fill('-1')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText('Validation error')).toBeVisible()
      await expect(page.getByLabel('Username')).toBeFocused()
      for (const text of [
        'Username must be at least 3 characters',
        'Valid email is required',
        'Quota must be non-negative',
      ])
        await expect(page.getByText(text).last()).toBeVisible()

      await page.getByLabel('Username').fill(username)
      await page.getByLabel('Email').fill(`${username}@example.org`)
      await page.getByLabel('Quota', { exact: true }).last().fill('750000')
      await page.getByRole('button', { name: 'Generate' }).click()
      const password = await page.getByLabel('Password', { exact: true }).last().inputValue()
      expect(password).toMatch(/^[\w-]{16}$/)
      await page.getByLabel('Daily budget').fill('5000')
      const group = page.getByRole('combobox', { name: 'Group' })
      await expect(group.getByRole('option')).toHaveText(['default', 'svip', 'vip'])
      await expect(group).toHaveValue('default')
      await group.selectOption('vip')
      const release = await held(page, '/api/user/')
      await page.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByRole('button', { name: 'Creating...' })).toBeVisible()
      release()
      await expect(page).toHaveURL(/\/users$/)
      await expect(page.getByText('User created successfully')).toBeVisible()
      expect(await named(workbench, username)).toMatchObject({
        email: `${username}@example.org`,
        quota: 750_000,
        group: 'vip',
        budgets: [{ period: 'day', quota: 5_000 }],
      })
      await signIn(workbench.gateway.url, username, password)
    },
  )
})

test.describe('user form', () => {
  test(
    'sends only what was edited: a balance that changed in the meantime stays',
    { tag: ['@B2.4', '@B7.10', '@B7.12', '@B4.13', '@B4.7'] },
    async ({ rootPage: page, workbench }) => {
      const { id, username } = await addUser(workbench, fresh('stale'), 500_000)
      let reads = 0
      page.on('response', (response) => {
        if (new URL(response.url()).pathname === `/api/user/${id}`) reads += 1
      })
      await page.goto(`/users/edit/${id}`)
      const quota = page.getByLabel('Quota', { exact: true }).last()
      await expect(quota).toHaveValue('500000')
      await workbench.root.call(topUpUser, { body: { user_id: id, quota: 250_000 } })
      // Data loaded meanwhile, here because the network came back, does not replace what the form started with.
      const reconnect = async () => {
        await page.evaluate(() => {
          window.dispatchEvent(new Event('offline'))
          window.dispatchEvent(new Event('online'))
        })
        return reads
      }
      await expect.poll(reconnect).toBeGreaterThan(1)
      await expect(quota).toHaveValue('500000')

      const sent = bodiesOf(page, 'PUT', '/api/user/')
      await page.getByLabel('Display name').fill('Renamed')
      const release = await held(page, '/api/user/')
      await page.getByRole('button', { name: 'Update' }).click()
      await expect(page.getByRole('button', { name: 'Updating...' })).toBeVisible()
      release()
      await expect(page).toHaveURL(/\/users$/)
      await expect(page.getByText('User updated successfully')).toBeVisible()
      expect(sent).toEqual([{ id, display_name: 'Renamed' }])
      expect(await named(workbench, username)).toMatchObject({ quota: 750_000, display_name: 'Renamed' })
    },
  )

  test('sets balance, role, group, budgets and password when they were edited', async ({
    rootPage: page,
    workbench,
  }) => {
    const { id, username } = await addUser(workbench, fresh('edit'), 500_000)
    await page.goto(`/users/edit/${id}`)
    const quota = page.getByLabel('Quota', { exact: true }).last()
    await quota.fill('1000000')
    await expect(page.getByText('About $2.00')).toBeVisible()
    await page.getByLabel('Monthly budget').fill('600000')
    await page.getByRole('combobox', { name: 'Group' }).selectOption('svip')
    await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Admin' })
    await page.getByLabel('New password').fill('another password')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('User updated successfully')).toBeVisible()
    expect(await named(workbench, username)).toMatchObject({
      quota: 1_000_000,
      group: 'svip',
      role: 10,
      budgets: [{ period: 'month', quota: 600_000 }],
    })
    await signIn(workbench.gateway.url, username, 'another password')
  })

  test('says why it could not load or save', { tag: ['@B8.8', '@B8.9'] }, async ({ rootPage: page, workbench }) => {
    const logged = page.waitForEvent('console', (message) => message.text().includes('Failed to load user'))
    await page.goto('/users/edit/999999')
    await logged
    await expect(page.getByRole('alert')).toContainText('not found')

    const { id } = await addUser(workbench, fresh('refused'))
    const taken = await addUser(workbench, fresh('taken'))
    await page.goto(`/users/edit/${id}`)
    await page.getByLabel('Username').fill(taken.username)
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('Request failed')).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('Username already exists.')

    await page.route('**/api/user/', (route) => route.fulfill({ json: { success: false, message: '' } }))
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByRole('alert')).toContainText('Operation failed')
    await page.unroute('**/api/user/')
    await page.route('**/api/user/', (route) => route.abort())
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('Unexpected error')).toBeVisible()
  })
})
