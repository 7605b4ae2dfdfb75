import { searchChannels } from '@sluice/contract/routes/channels'
import { expect, expectAccessible, test } from '../fixtures.ts'

test('a vendor’s channel can be told to use the keys of its callers, and at which ratio', async ({
  rootPage: page,
  workbench,
}) => {
  const provider = page.getByLabel('Provider')
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('brought along')
  await provider.selectOption({ label: 'OpenAI Compatible' })
  await expect(page.getByLabel('Whose keys are used')).toHaveCount(0)
  await provider.selectOption({ label: 'Anthropic' })
  await expect(page.getByLabel('Ratio with a caller’s own key')).toHaveCount(0)
  await page.getByLabel('Whose keys are used').selectOption({ label: 'Each caller’s own' })
  await page.getByLabel('Ratio with a caller’s own key').fill('0.25')
  await page.getByLabel('API key').fill('any')
  await page.getByRole('combobox', { name: 'Models' }).fill('claude-brought-along')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect
    .poll(async () => (await workbench.root.call(searchChannels, { query: { keyword: 'brought along' } }))[0]?.config)
    .toBe('{"credentials":"caller","caller_ratio":"0.25"}')
})

test('the health of a channel has one line for the keys of all its callers', async ({ rootPage: page, workbench }) => {
  const model = 'emu-fast-brought'
  await workbench.addChannel([model], { name: 'brought', type: 1, config: '{"credentials":"caller"}' })
  const key = await workbench.addToken()
  for (const own of ['sk-proj-one', 'sk-proj-two']) {
    const reply = await fetch(`${workbench.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-sluice-key': key, authorization: `Bearer ${own}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(reply.status).toBe(200)
  }
  await page.goto('/channels?keyword=brought')
  await page.getByRole('link', { name: 'Health of brought: Healthy' }).click()
  const lanes = page.getByRole('dialog', { name: 'Health of brought' }).getByRole('listitem')
  await expect(lanes).toHaveCount(1)
  await expect(lanes).toContainText(`${model} · callers’ own keys, together`)
  await expectAccessible(page)
})
