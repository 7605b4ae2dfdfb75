import { callModels } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'
import { rows } from './log-screen.ts'

test(
  'the log list clears logs before the end time after asking, and says how many',
  { tag: ['@B2.19', '@B7.6', '@B8.14'] },
  async ({ rootPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-39'])
    await page.goto('/logs?model=emu-n-tokens-39')
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Clear Logs' }).click()
    const question = page.getByRole('alertdialog', { name: 'Clear Logs' })
    await expect(question).toContainText('Are you sure you want to delete the logs of all users before')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(rows(page)).toHaveCount(1)
    const cleared = page.waitForRequest((request) => request.method() === 'DELETE')
    // The row must be older than the end, which is counted in seconds.
    await expect(async () => {
      await page.getByRole('button', { name: 'Clear Logs' }).click()
      await question.getByRole('button', { name: 'Clear Logs' }).click()
      await expect(question).toHaveCount(0)
      await expect(page.getByText('No logs found.', { exact: false })).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await expect(page.getByText(/\d+ log rows deleted/).first()).toBeVisible()
    const url = new URL((await cleared).url())
    expect(url.pathname).toBe('/api/log/')
    expect(Math.abs(Number(url.searchParams.get('target_timestamp')) - Date.now() / 1_000)).toBeLessThan(60)
  },
)
