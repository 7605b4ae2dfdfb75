import { expect, test } from '../fixtures.ts'

test('the table of contents leads to the sections by keyboard', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  const contents = page.getByRole('navigation', { name: 'Sections' })
  await expect(contents.getByRole('link')).toHaveText(['Basics', 'Credentials', 'Models', 'Routing', 'Advanced'])
  await contents.getByRole('link', { name: 'Advanced' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Advanced' })).toBeFocused()
  await expect(contents.getByRole('link', { name: 'Advanced' })).toBeInViewport()
})

test('a provider that is not chosen is asked for', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  const provider = page.getByLabel('Provider')
  await page.getByLabel('Name', { exact: true }).fill('of no provider')
  await provider.selectOption({ label: 'Choose a provider' })
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(provider).toHaveAccessibleDescription('Channel type is required')
  await provider.selectOption({ label: 'OpenAI' })
  await expect(provider).not.toHaveAccessibleDescription('Channel type is required')
})
