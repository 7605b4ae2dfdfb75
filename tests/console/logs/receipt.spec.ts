import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { listOwnLogs } from '@sluice/contract/routes/logs'
import { receiptOfLog, refundCharge } from '@sluice/contract/routes/receipts'
import { createToken } from '@sluice/contract/routes/tokens'
import { runSluice } from '@sluice/testkit/gateway-process'
import { callModels, MESSAGES, money } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'
import { WIDE_CHARGE } from '../wide-charge.ts'

const COHERE = 35
const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' })
const openFirst = async (page: Page) => {
  await page
    .getByRole('link', { name: /^Open the trace of/ })
    .first()
    .click()
  await expect(receipt(page)).toBeVisible()
}

test.describe('a receipt', () => {
  test('shows every step, so that the sum can be redone by hand', async ({ userPage: page, user, workbench }) => {
    const [charged] = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-51'])
    const prompt = (charged?.tokens ?? 0) - 51
    await page.goto('/logs')
    await openFirst(page)
    const rows = receipt(page).getByRole('row')
    const row = (name: string) => rows.filter({ hasText: name })
    await expect(row('Input tokens')).toContainText(`${prompt} × 1`)
    await expect(row('Output tokens')).toHaveText('Output tokens51 × 2102')
    await expect(row('List price')).toContainText(String(charged?.quota))
    await expect(row('Group ratio')).toContainText('× 1')
    await expect(receipt(page)).toContainText(money(charged?.quota ?? 0))
    await expect(receipt(page)).toContainText('Set for the channel')
    await expect(receipt(page)).toContainText('Reported by the provider')
    await expect(receipt(page)).toContainText('The answer was complete')
    await expect(page.getByRole('button', { name: 'Refund…' })).toHaveCount(0)
  })

  test('is next to what was not passed on to the provider', async ({ userPage: page, user, workbench }) => {
    // A separate model name, because tests of one worker share their channels.
    const model = 'emu-n-tokens-71'
    await workbench.addChannel([model], { type: COHERE, name: 'of another dialect' })
    const { key } = await user.api.call(createToken, { body: { name: 'other', unlimited_quota: true } })
    const reply = await workbench.chat(key, { model, messages: MESSAGES, logit_bias: { 1: 1 } })
    expect(reply.headers.get('x-sluice-losses')).toBe('logit_bias dropped')
    await reply.text()
    await page.goto('/logs')
    await openFirst(page)
    await expect(page.getByRole('region', { name: 'Content' })).toContainText('logit_bias dropped')
  })

  test('is copied as text with all its numbers', async ({ userPage: page, user, workbench }) => {
    const [charged] = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-52'])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/logs')
    await openFirst(page)
    const button = page.getByRole('button', { name: 'Copy receipt' })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(receipt(page).getByText('Copied').first()).toBeVisible()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toContain('Output tokens: 52 × 2 = 104')
    expect(text).toContain(`Net paid: ${charged?.quota} points`)
  })

  test('says so when a row is gone or does not add up', async ({ userPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-53'])
    await page.route('**/api/log/*/receipt*', async (route) => {
      const reply = await route.fetch()
      const envelope = (await reply.json()) as { data: object }
      const data = { ...envelope.data, fault: 'log_differs', missing: ['trace'], held: '' }
      await route.fulfill({ json: { ...envelope, data } })
    })
    await page.goto('/logs')
    await openFirst(page)
    await expect(receipt(page).getByRole('alert')).toContainText(
      'This receipt does not add up. The log row and the ledger',
    )
    await expect(receipt(page).getByRole('status').first()).toContainText('The trace was cleared')
    await expect(receipt(page).getByRole('term').filter({ hasText: 'Held' })).toHaveCount(0)
  })

  test('is refunded by an administrator, in part and then the remainder', async ({
    rootPage: page,
    user,
    workbench,
  }) => {
    const [charged] = await callModels(workbench, user.api, 'ci', ['emu-n-tokens-54'])
    const cost = charged?.quota ?? 0
    await page.goto(`/logs?username=${user.username}&type=2`)
    await openFirst(page)
    await page.getByRole('button', { name: 'Refund…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    await expect(dialog.getByLabel('Amount in points')).toHaveValue(String(cost))
    await expect(dialog.getByLabel('Amount in points')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(receipt(page)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Refund…' })).toBeFocused()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Amount in points').fill(String(cost + 1))
    await page.keyboard.press('Enter')
    await expect(dialog.getByText(`Must be at most ${cost}`)).toBeVisible()
    await expect(dialog.getByText('Enter a reason')).toBeVisible()
    await dialog.getByLabel('Amount in points').fill('20.5')
    await dialog.getByLabel('Reason').fill('the answer was cut off')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await expect(page.getByText('20.5 points refunded')).toBeVisible()
    await expect(receipt(page)).toContainText('by root · the answer was cut off-20.5')
    await expect(receipt(page)).toContainText(`${cost - 20.5} points`)
    await page.getByRole('button', { name: 'Refund…' }).click()
    await expect(dialog.getByLabel('Amount in points')).toHaveValue(String(cost - 20.5))
    await dialog.getByLabel('Reason').fill('all of it')
    await dialog.getByRole('button', { name: 'Refund' }).click()
    await expect(receipt(page)).toContainText('0 points')
    await expect(page.getByRole('button', { name: 'Refund…' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Request trace' })).toBeFocused()
    const refunded = await user.api.call(listOwnLogs, { query: { type: '1' } })
    expect(refunded.map(({ content }) => content)).toEqual(['Refund: all of it', 'Refund: the answer was cut off'])
  })

  test('fits with all it can hold', async ({ rootPage: page, user, workbench }) => {
    await callModels(workbench, user.api, 'ci', ['emu-n-tokens-55'])
    const [row] = await user.api.call(listOwnLogs, { query: { type: '2' } })
    const id = row?.id ?? 0
    await workbench.root.call(refundCharge, {
      path: { id },
      body: { amount: '12.345', reason: 'The provider was late, which the user could not know' },
    })
    const { movements, ...rest } = await workbench.root.call(receiptOfLog, { path: { id } })
    await page.route('**/api/log/*/receipt*', (route) =>
      route.fulfill({
        json: {
          success: true,
          message: '',
          data: {
            ...rest,
            missing: ['log'],
            movements: [WIDE_CHARGE, ...movements.slice(1)],
            usage: { ...rest.usage, upstream: '{"prompt_tokens":12}' },
          },
        },
      }),
    )
    await page.goto(`/logs?username=${user.username}&id=${id}`)
    await receipt(page).getByText('The provider’s usage object').click()
    await expect(receipt(page).getByText('"prompt_tokens": 12')).toBeVisible()
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      // The redraw for a narrow window takes a moment.
      const beyond = () => receipt(page).evaluate((section) => section.scrollWidth - section.clientWidth)
      await expect.poll(beyond, { message: `pixels beyond a window of ${width}` }).toBeLessThanOrEqual(0)
    }
  })

  test('leads to files that can be added up without the gateway', async ({ userPage: page, user, workbench }) => {
    const charged = await callModels(workbench, user.api, '=ci', ['emu-n-tokens-56', 'emu-n-tokens-57'])
    const [row] = await user.api.call(listOwnLogs, { query: { type: '2' } })
    await workbench.root.call(refundCharge, { path: { id: row?.id ?? 0 }, body: { amount: '3', reason: 'late' } })
    await page.goto('/logs')
    const files: Promise<string>[] = []
    const folder = await mkdtemp(join(tmpdir(), 'sluice-export-'))
    page.on('download', (download) => {
      const path = join(folder, download.suggestedFilename())
      files.push(download.saveAs(path).then(() => path))
    })
    await page.getByRole('button', { name: 'Export charges' }).click()
    await expect(page.getByText('3 transactions exported')).toBeVisible()
    await expect.poll(() => files.length).toBe(2)
    const [csv = '', book = ''] = (await Promise.all(files)).sort()
    expect(csv).toMatch(/charges_\d{4}-\d\d-\d\d\.csv$/)
    const re = await runSluice(['ledger', 'recompute', '--csv', csv, '--book', book], { dataDir: folder })
    const paid = charged.reduce((sum, { quota }) => sum + quota, 0) - 3
    expect(re).toMatchObject({
      code: 0,
      output: expect.stringContaining(`requests: 2, movements: 3, prices: 1, paid in all: ${paid} points`),
    })
    expect(await readFile(book, 'utf8')).toContain('"format": "sluice-price-book-1"')
  })
})
