import { expect, test } from './fixtures.ts'

test('a user changes the own name and password and signs in with them', async ({ userPage: page, user }) => {
  await page.goto('/users/edit')
  await expect(page.getByLabel('Username')).toHaveValue(user.username)
  await page.getByLabel('Display name').fill('Renamed')
  await page.getByLabel('New password').fill('a longer password')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('User updated successfully')).toBeVisible()
  await page.getByRole('button', { name: `Account menu of ${user.username}` }).click()
  await expect(page.getByRole('menu').getByText('Renamed')).toBeVisible()

  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill('a longer password')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a bad entry is named, announced and focused', async ({ userPage: page }) => {
  await page.goto('/users/edit')
  await page.getByLabel('Email').fill('nobody')
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Validation error')).toBeVisible()
  await expect(page.getByText('Valid email is required').first()).toBeVisible()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
})
