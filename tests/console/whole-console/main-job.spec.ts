import { ROOT_PASSWORD } from '@sluice/testkit/gateway-process'
import { openWorkbench } from '@sluice/testkit/workbench'
import OpenAI from 'openai'
import { expect, test } from '../fixtures.ts'

/** One quota point per prompt token, two per answer token; the emulator reports the numbers. */
const MODEL = 'emu-fast'
const RATIO = 1
const COMPLETION_RATIO = 2

test('a newcomer signs in, adds a channel and a token, calls it, and sees the exact charge', async ({ browser }) => {
  test.setTimeout(90_000)
  // A separate gateway, because the dashboard must count only this one request.
  const workbench = await openWorkbench()
  const { gateway, emulator } = workbench
  try {
    const page = await browser.newPage({ baseURL: gateway.url, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/')
    await expect(page).toHaveURL(/\/login\?redirect_to=/)
    await page.getByLabel('Username').fill('root')
    await page.getByLabel('Password', { exact: true }).fill(ROOT_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(`${gateway.url}/`)

    await page.getByRole('link', { name: 'Channels', exact: true }).click()
    await page.getByRole('link', { name: 'Add Channel' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Emulator')
    await page.getByLabel('Provider').selectOption('OpenAI Compatible')
    await page.getByLabel('Base URL').fill(`${emulator.url}/`)
    await page.getByLabel('API key').fill('sk-emulator')
    await page.getByRole('combobox', { name: 'Models' }).fill(MODEL)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: 'View of Model configs' }).getByRole('button', { name: 'JSON' }).click()
    await page
      .getByLabel('Model configs', { exact: true })
      .fill(JSON.stringify({ [MODEL]: { ratio: RATIO, completion_ratio: COMPLETION_RATIO } }))
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Channel created successfully')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Emulator' })).toContainText('Active')

    await page.getByRole('link', { name: 'Tokens' }).click()
    await page.getByRole('link', { name: 'Add Token' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('first')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Token created successfully')).toBeVisible()
    const panel = page.getByRole('dialog', { name: 'Use "first"' })
    await panel.getByRole('button', { name: 'Copy key' }).click()
    const apiKey = await page.evaluate<string>('navigator.clipboard.readText()')

    const openai = new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const stream = await openai.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'How does a sluice work?' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of stream) usage = chunk.usage ?? usage
    if (usage === null || usage === undefined) throw new Error('the stream ended without usage')
    const charge = usage.prompt_tokens * RATIO + usage.completion_tokens * RATIO * COMPLETION_RATIO

    await page.getByRole('link', { name: 'Logs' }).click()
    const row = page.getByRole('row').filter({ hasText: MODEL })
    await expect(row).toContainText('first')
    await expect(row).toContainText(`$${(charge / 500_000).toFixed(6)}`)
    await row.getByRole('link', { name: /^Open the trace of/ }).click()
    const trace = page.getByRole('dialog', { name: 'Request trace' })
    await expect(trace).toContainText('/v1/chat/completions')
    await expect(trace).toContainText('Total time')
    await expect(trace).toContainText('Upstream response')

    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expect(page.getByRole('region', { name: 'Usage Overview' })).toContainText(/Total Requests1Daily a/)
  } finally {
    await workbench.close()
  }
})
