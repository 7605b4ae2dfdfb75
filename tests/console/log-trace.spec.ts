import type { Locator, Page } from '@playwright/test'
import { createChannel } from '@sluice/contract/routes/channels'
import { listOwnLogs } from '@sluice/contract/routes/logs'
import { createToken } from '@sluice/contract/routes/tokens'
import { callModels, MESSAGES, money } from './charged-calls.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

/** Rows of the table below its header. */
const rows = (page: Page) => page.getByRole('table', { name: 'Logs' }).getByRole('rowgroup').last().getByRole('row')

const trace = (page: Page) => page.getByRole('dialog', { name: 'Request Trace' })
const factOf = (panel: Locator, name: string) => panel.getByRole('term').filter({ hasText: name }).locator('+ dd')

test.describe('request trace', () => {
  test('opens from a row at an address of its own and shows where the time went', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    const [charged] = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-41'])
    await page.goto('/logs')
    await rows(page).first().getByText('emu-n-tokens-41').click()
    await expect(page).toHaveURL(/[?&]id=\d+/)
    const panel = trace(page)
    await expect(panel.getByRole('heading', { name: 'Request Trace' })).toBeFocused()
    await expect(factOf(panel, 'URL')).toHaveText('/v1/chat/completions')
    await expect(factOf(panel, 'Method')).toHaveText('POST')
    await expect(factOf(panel, 'Status')).toHaveText('200')
    await expect(factOf(panel, 'Request size')).toHaveText(/^\d+ B$/)
    await expect(factOf(panel, 'User')).toHaveText(user.username)
    for (const stage of ['Gateway processing', 'Upstream response', 'Response processing', 'Finishing'])
      await expect(panel.getByRole('listitem').filter({ hasText: stage })).toContainText(/\d+ ms$/)
    await expect(panel).toContainText(/Total time\s*\d+ ms/)
    await expect(panel).toContainText(money(charged?.quota ?? 0))
    await expect(panel.getByRole('row', { name: 'Output tokens' })).toContainText('41 × 2')
    await expect(panel.getByRole('heading', { name: 'Attempts' })).toHaveCount(0)
    await page.reload()
    await expect(factOf(panel, 'URL')).toHaveText('/v1/chat/completions')
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(page).not.toHaveURL(/id=/)
    await page.goBack()
    await expect(panel).toBeVisible()
  })

  test('copies the trace id on a click and says so for two seconds', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-42'])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/logs')
    await page.getByRole('link', { name: /^Open the trace of/ }).click()
    const id = trace(page).getByRole('button', { name: /^Copy trace ID/ })
    await expect(id).toBeVisible()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await id.click()
    const confirmation = factOf(trace(page), 'Trace ID').getByText('Copied').first()
    await expect(confirmation).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await id.textContent())
    await page.clock.runFor(1_900)
    await expect(confirmation).toBeVisible()
    await page.clock.runFor(200)
    await expect(confirmation).toBeHidden()
  })

  test('steps through the rows with J and K', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-43', 'emu-n-tokens-44'])
    await page.goto('/logs?type=2')
    await page
      .getByRole('link', { name: /^Open the trace of/ })
      .first()
      .click()
    const panel = trace(page)
    await expect(panel.getByRole('status').first()).toContainText('emu-n-tokens-44')
    await expect(panel.getByRole('button', { name: 'Previous row' })).toBeDisabled()
    await page.keyboard.press('j')
    await expect(panel.getByRole('status').first()).toContainText('emu-n-tokens-43')
    await expect(panel.getByRole('button', { name: 'Next row' })).toBeDisabled()
    await page.keyboard.press('j')
    await expect(panel.getByRole('status').first()).toContainText('emu-n-tokens-43')
    await page.keyboard.press('k')
    await expect(panel.getByRole('status').first()).toContainText('emu-n-tokens-44')
  })

  test('shows every attempt when there was more than one', async ({ rootPage: page, user, workbench }) => {
    const model = `retried-${user.username}`
    for (const [name, target, priority] of [
      ['broken', 'emu-error-503', 10],
      ['sound', 'emu-fast', 0],
    ] as const)
      await workbench.root.call(createChannel, {
        body: {
          name,
          type: 50,
          key: 'sk-emulator',
          base_url: workbench.emulator.url,
          models: model,
          model_mapping: JSON.stringify({ [model]: target }),
          model_configs: JSON.stringify({ [model]: { ratio: 1 }, [target]: { ratio: 1 } }),
          priority,
        },
      })
    const { key } = await user.api.call(createToken, { body: { name: 'ci', unlimited_quota: true } })
    expect((await workbench.chat(key, { model, messages: MESSAGES })).status).toBe(200)
    await page.goto(`/logs?username=${user.username}&type=2`)
    await page.getByRole('link', { name: /^Open the trace of/ }).click()
    const attempts = trace(page).getByRole('region', { name: 'Attempts' }).getByRole('listitem')
    await expect(attempts).toHaveCount(2)
    await expect(attempts.first()).toContainText('broken')
    await expect(attempts.first()).toContainText('HTTP 503')
    await expect(attempts.last()).toContainText('sound')
    await expect(attempts.last()).toContainText('answered')
  })

  test('says when it is loading, when there is nothing and when it failed', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-45'])
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/trace/log/*', async (route) => {
      await held
      await route.fulfill({ status: 500, json: { success: false, message: '' } })
    })
    await page.goto('/logs')
    await page.getByRole('link', { name: /^Open the trace of/ }).click()
    await expect(trace(page).getByText('Loading trace…')).toBeVisible()
    answer()
    await expect(trace(page).getByRole('alert')).toHaveText('Failed to fetch trace data')
    await page.unroute('**/api/trace/log/*')
    await page.route('**/api/trace/log/*', (route) =>
      route.fulfill({ json: { success: false, message: 'The trace was deleted.' } }),
    )
    await page.reload()
    await expect(trace(page).getByRole('alert')).toHaveText('The trace was deleted.')
  })

  test('has nothing to show for a row that no request caused', async ({ userPage: page, user }) => {
    await page.goto('/logs')
    const row = rows(page).filter({ hasText: 'Created with' })
    await row.getByText('Created with').click()
    await expect(row.getByRole('link')).toHaveCount(0)
    await expect(trace(page)).toHaveCount(0)

    const listed = await user.api.call(listOwnLogs, { query: { size: '10' } })
    await page.goto(`/logs?id=${listed[0]?.id}`)
    await expect(trace(page).getByText('No trace information available for this log entry.')).toBeVisible()
  })

  test('the list and the trace are accessible and fit @look', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-46', 'emu-n-tokens-47'])
    await page.goto('/logs?stats=true')
    const opener = page.getByRole('link', { name: /^Open the trace of/ }).first()
    await expect(opener).toBeVisible()
    await expect(page.getByRole('region', { name: 'Total quota' })).toContainText('points')
    await expectAccessible(page)
    const { width } = page.viewportSize() ?? { width: 0 }
    for (const size of [320, 390, 768, 1024, 1440, 1920]) {
      await page.setViewportSize({ width: size, height: 900 })
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(beyond, `pixels beyond a window of ${size}`).toBe(0)
    }
    await page.setViewportSize({ width, height: 900 })
    await opener.click()
    await expect(trace(page)).toContainText('Total time')
    await expectAccessible(page)
  })

  test('phones show cards, filters that fold away and the trace as a sheet', async ({
    userPage: page,
    user,
    workbench,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-48'])
    await page.goto('/logs?type=2')
    const card = page.getByRole('list', { name: 'Logs' }).getByRole('listitem')
    await expect(card).toContainText('emu-n-tokens-48')
    await expect(page.getByRole('textbox', { name: 'Model' })).toBeHidden()
    await page.getByText('Filters (1)').click()
    await page.getByRole('textbox', { name: 'Model' }).fill('none')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('No logs found.', { exact: false })).toBeVisible()
    await page.goBack()
    await card.getByRole('link', { name: /^Open the trace of/ }).click()
    await expect(trace(page)).toContainText('Total time')
    await trace(page).getByRole('button', { name: 'Close' }).click()
    await expect(trace(page)).toHaveCount(0)
  })
})
