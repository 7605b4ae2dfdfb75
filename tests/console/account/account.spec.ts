import { expect, test } from '../fixtures.ts'

test(
  'a user changes their name and password and signs in with them',
  { tag: ['@B2.41', '@B3.9', '@B4.7', '@B7.26', '@C2.8'] },
  async ({ userPage: page, user }) => {
    await page.goto('/users/edit')
    await expect(page.getByLabel('Username')).toHaveValue(user.username)
    await page.getByLabel('Display name').fill('Renamed')
    await page.getByLabel('New password').fill('a longer password')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/user/self', async (route) => {
      if (route.request().method() === 'PUT') await held
      await route.continue()
    })
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByRole('button', { name: 'Updating...' })).toBeVisible()
    release()
    const body = { username: user.username, display_name: 'Renamed', email: '', password: 'a longer password' }
    expect((await sent).postDataJSON()).toEqual(body)
    await expect(page.getByText('User updated successfully')).toBeVisible()
    await page.getByRole('button', { name: `Account menu for ${user.username}` }).click()
    await expect(page.getByRole('menu').getByText('Renamed')).toBeVisible()

    await page.context().clearCookies()
    await page.goto('/login')
    await page.getByLabel('Username').fill(user.username)
    await page.getByLabel('Password', { exact: true }).fill('a longer password')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard$/)
  },
)

test('a bad entry is named, announced and focused', { tag: ['@B5.21', '@B5.23'] }, async ({ userPage: page }) => {
  await page.goto('/users/edit')
  await page.getByLabel('Username').fill('')
  await page.getByLabel('Email').fill('nobody')
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Validation error')).toBeVisible()
  await expect(page.getByText('Username is required').first()).toBeVisible()
  await expect(page.getByText('Valid email is required').first()).toBeVisible()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expect(page.getByLabel('Username')).toBeFocused()
})

test(
  'a profile that is not saved says so, in the gateway’s words if it has any',
  { tag: '@B8.12' },
  async ({ userPage: page }) => {
    await page.goto('/settings')
    await page.getByLabel('Display name').fill('Renamed')
    await page.route('**/api/user/self', (route) => route.fulfill({ json: { success: false, message: '' } }), {
      times: 1,
    })
    const form = page.getByRole('alert')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(form.filter({ hasText: 'Update failed' })).toBeVisible()
    await page.getByLabel('Username').fill('root')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(form.filter({ hasText: 'Username already exists.' })).toBeVisible()
    await expect(page.getByLabel('Display name')).toHaveValue('Renamed')
  },
)
