import { expect, expectAccessible, test } from '../fixtures.ts'

test('root has the installation examined, follows a finding to its setting, and has it examined again', async ({
  rootPage: page,
}) => {
  await page.goto('/settings?tab=other')
  await page.getByRole('link', { name: 'Doctor: check this installation' }).click()
  await expect(page.getByRole('heading', { name: 'Doctor', level: 1 })).toBeVisible()
  const notes = page.getByRole('region', { name: /^Notes/ })
  await expect(notes).toContainText('Administrators with neither two-factor authentication nor a passkey')
  await expectAccessible(page)

  const again = page.waitForResponse('**/api/doctor/?*')
  await page.getByRole('button', { name: 'Run again' }).click()
  expect((await again).status()).toBe(200)
  await expect(
    page.getByRole('status').filter({ hasText: /Problems: \d+\. Warnings: \d+\. Notes: \d+\./ }),
  ).toBeVisible()

  await page.getByText(/^OK \(\d+\)$/).click()
  await expect(page.getByText('The clocks of the gateway and the database agree.')).toBeVisible()

  await notes.getByRole('link', { name: 'Open the page: Accounts' }).click()
  await expect(page).toHaveURL(/\/users$/)
})

test('the command palette leads to the doctor, whose keys and language are those of the console', async ({
  rootPage: page,
}) => {
  const run = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    const input = palette.getByRole('combobox')
    await expect(input).toBeFocused()
    await page.keyboard.type(text)
    await expect(palette.getByRole('option', { selected: true })).toContainText(new RegExp(text, 'i'))
    await page.keyboard.press('Enter')
  }
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await run('doctor')
  await expect(page).toHaveURL(/\/doctor$/)
  await expect(page.getByRole('region', { name: /^Notes/ })).toBeVisible()
  const again = page.waitForResponse('**/api/doctor/?*')
  await page.keyboard.press('r')
  expect((await again).status()).toBe(200)

  await run('language')
  await page.getByRole('option', { name: '简体中文' }).click()
  await expect(page.getByRole('region', { name: /^提示/ })).toContainText('位管理员既没有两步验证也没有通行密钥')
})

test('users are redirected away from the doctor', async ({ userPage: page }) => {
  await page.goto('/doctor')
  await expect(page).toHaveURL(/\/dashboard/)
})
