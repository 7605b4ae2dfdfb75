import { createChannel } from '@sluice/contract/routes/channels'
import { listOwnLogs } from '@sluice/contract/routes/logs'
import { createToken } from '@sluice/contract/routes/tokens'
import { callModels, MESSAGES, money } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'
import { factOf, rows, trace, unfoldFilters } from './log-screen.ts'

test.describe('request trace', () => {
  test(
    'opens from a row at an address of its own and shows where the time went',
    { tag: ['@B2.21', '@B2.28', '@B2.29', '@B3.3', '@B7.2', '@whole'] },
    async ({ userPage: page, user, workbench }) => {
      const [charged] = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-41'])
      await page.goto('/logs')
      await rows(page).first().getByText('emu-n-tokens-41').click()
      await expect(page).toHaveURL(/[?&]id=\d+/)
      const panel = trace(page)
      await expect(panel.getByRole('heading', { name: 'Request trace' })).toBeFocused()
      await expect(factOf(panel, 'URL')).toHaveText('/v1/chat/completions')
      await expect(factOf(panel, 'Method')).toHaveText('POST')
      await expect(factOf(panel, 'Status')).toHaveText('200')
      await expect(factOf(panel, 'Request size')).toHaveText(/^\d+ B$/)
      await expect(factOf(panel, 'User')).toHaveText(user.username)
      for (const stage of ['Gateway processing', 'Upstream response', 'Response processing', 'Finishing'])
        await expect(panel.getByRole('listitem').filter({ hasText: stage })).toContainText(/\d+ ms$/)
      await expect(panel).toContainText(/Total time\s*\d+ ms/)
      for (const moment of [
        'Request received',
        'Request forwarded',
        'First upstream response',
        'First client response',
      ])
        await expect(factOf(panel, moment)).toHaveText(/\.\d{3}$/)
      for (const moment of ['Upstream completed', 'Request completed'])
        await expect(factOf(panel, moment)).toHaveText(/\.\d{3}$/)
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
    },
  )

  test(
    'copies the trace id on a click and says so for two seconds',
    { tag: ['@B2.29', '@B9.5'] },
    async ({ userPage: page, user, workbench }) => {
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
    },
  )

  test('steps through the rows with J, K and arrows', async ({ userPage: page, user, workbench }) => {
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
    await panel.getByRole('heading', { name: 'Request trace' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(panel.getByRole('status').first()).toContainText('emu-n-tokens-43')
    await page.keyboard.press('ArrowUp')
    await expect(panel.getByRole('status').first()).toContainText('emu-n-tokens-44')
  })

  test(
    'shows every field of its row, links to others of the same, and copies the request as curl',
    { tag: ['@B3.1', '@whole'] },
    async ({ rootPage: page, user, workbench, address }) => {
      await callModels(workbench, user.api, 'ci', ['emu-n-tokens-49'])
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const [row] = await user.api.call(listOwnLogs, { query: { type: '2' } })
      await page.goto(`/logs?username=${user.username}&type=2`)
      await expect(rows(page)).toHaveCount(1)
      for (const text of ['Consume', 'emu-n-tokens-49', 'ci', user.username, 'emulator', '49'])
        await expect(rows(page)).toContainText(text)
      await page.getByRole('link', { name: /^Open the trace of/ }).click()
      const panel = trace(page)
      await expect(panel).toContainText('model ratio 1')
      await expect(factOf(panel, 'Trace ID')).toContainText(row?.trace_id ?? 'none')
      await expect(factOf(panel, 'Log ID')).toContainText(String(row?.id))
      await expect(factOf(panel, 'Request ID')).toContainText(row?.request_id ?? 'none')
      await panel.getByRole('button', { name: 'Copy as curl' }).click()
      const curl = await page.evaluate(() => navigator.clipboard.readText())
      expect(curl).toContain(`curl '${address}/v1/chat/completions'`)
      expect(curl).toContain('"model":"emu-n-tokens-49"')
      expect(curl).toContain('$API_KEY')
      await panel.getByRole('link', { name: 'emu-n-tokens-49' }).click()
      await expect(page).toHaveURL(/\/logs\?model=emu-n-tokens-49$/)
      await expect(page.getByRole('button', { name: 'Remove filter Model emu-n-tokens-49' })).toBeVisible()
    },
  )

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

  test(
    'says when it is loading, when it failed and why',
    { tag: ['@B2.30', '@B4.11', '@B8.2'] },
    async ({ userPage: page, user, workbench }) => {
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
    },
  )

  test(
    'has nothing to show for a row that no request caused',
    { tag: ['@B2.21', '@B8.1'] },
    async ({ userPage: page, user }) => {
      await page.goto('/logs')
      const row = rows(page).filter({ hasText: 'Created with' })
      await row.getByText('Created with').click()
      await expect(row.getByRole('link')).toHaveCount(0)
      await expect(trace(page)).toHaveCount(0)

      const listed = await user.api.call(listOwnLogs, { query: { size: '10' } })
      await page.goto(`/logs?id=${listed[0]?.id}`)
      await expect(trace(page).getByText('No trace information available for this log entry.')).toBeVisible()
    },
  )

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
    await unfoldFilters(page)
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
