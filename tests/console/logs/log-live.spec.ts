import { callModels } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'
import { listCalls, rows, untilLogged } from './log-screen.ts'

/** Time between two requests for newer rows. */
const EVERY_MS = 5_000

test.describe('live logs', () => {
  test('arrive on their own every five seconds, above a line that marks where they began', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-81'])
    await untilLogged(user.api, 2)
    await page.clock.install()
    await page.goto('/logs')
    await expect(rows(page)).toHaveCount(2)
    await page.getByRole('button', { name: 'Live' }).click()
    await expect(page).toHaveURL(/live=true/)
    await expect(rows(page)).toHaveCount(3)
    await expect(rows(page).first()).toContainText('Live since')
    await callModels(workbench, user.api, 'web', ['emu-n-tokens-82'])
    await untilLogged(user.api, 3)
    await expect(rows(page)).toHaveCount(3)
    await page.clock.fastForward(EVERY_MS)
    await expect(rows(page)).toHaveCount(4)
    await expect(rows(page).first()).toContainText('emu-n-tokens-82')
    await expect(rows(page).nth(1)).toContainText('Live since')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Request trace' })).toContainText('emu-n-tokens-82')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Quota' }).click()
    await expect(page).not.toHaveURL(/live/)
    await expect(page.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'false')
    await expect(rows(page)).toHaveCount(3)
  })

  test('wait while the user reads further down, and stop when an end is set', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    const models = Array.from({ length: 24 }, () => 'emu-n-tokens-83')
    await callModels(workbench, user.api, 'ci', models)
    await untilLogged(user.api, 25)
    await page.clock.install()
    await page.goto('/logs?live=true')
    await expect(page.getByText('25 logs, newest first')).toBeVisible()
    const scroller = page.locator('[data-scroll-restoration-id=table]')
    await scroller.evaluate((element) => element.scrollTo({ top: 200 }))
    await expect(page.getByText('Paused while you read.', { exact: false })).toBeVisible()
    await callModels(workbench, user.api, 'web', ['emu-n-tokens-84', 'emu-n-tokens-84'])
    await untilLogged(user.api, 27)
    await page.clock.fastForward(EVERY_MS)
    await page.getByRole('button', { name: '2 new' }).click()
    await expect(rows(page).first()).toContainText('emu-n-tokens-84')
    await expect(page.getByText('27 logs, newest first')).toBeVisible()
    const calls = listCalls(page)
    await page.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
    )
    await page.clock.fastForward(3 * EVERY_MS)
    expect(calls).toEqual([])
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(() => calls.length).toBeGreaterThan(0)
    await page.route('**/api/log/self?*', (route) => route.abort())
    await page.clock.fastForward(EVERY_MS)
    await expect(page.getByText('New logs could not be loaded. Trying again…')).toBeVisible()
    await page.unroute('**/api/log/self?*')
    await page.clock.fastForward(EVERY_MS)
    await expect(page.getByText('New logs could not be loaded. Trying again…')).toHaveCount(0)
    const plot = page.getByRole('slider', { name: 'Logs over time' })
    await plot.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'false')
  })
})
