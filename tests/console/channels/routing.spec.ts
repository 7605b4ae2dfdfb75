import { createToken } from '@sluice/contract/routes/tokens'
import { MESSAGES } from '../charged-calls.ts'
import { expect, test } from '../fixtures.ts'
import { trace } from '../logs/log-screen.ts'
import { callPastResting } from '../screens/routing.ts'

test('shows why a request went where it did, try by try, and what would become of it now', async ({
  rootPage: page,
  user,
  workbench,
}) => {
  const model = `why-${user.username}`
  await callPastResting(workbench, user.api, model)
  await page.goto(`/logs?username=${user.username}&type=2`)
  await page.getByRole('link', { name: /^Open the trace of/ }).click()
  const why = trace(page).getByRole('region', { name: 'Why this channel?' })
  await expect(why).toContainText('Highest priority first')
  const order = why.getByRole('group', { name: 'In this order' }).getByRole('listitem')
  await expect(order).toHaveText([
    new RegExp(`${model} limited.*priority 10`),
    new RegExp(`${model} sound.*priority 0`),
  ])
  const left = why.getByRole('group', { name: 'Left out' })
  await expect(left).toContainText(`${model} paused`)
  await expect(left).toContainText('Paused by its negative priority')
  const attempts = trace(page).getByRole('region', { name: 'Attempts' }).getByRole('listitem')
  await expect(attempts.first()).toContainText('HTTP 429')
  await expect(attempts.first()).toContainText('The provider limits the rate of calls')
  await expect(attempts.first()).toContainText(/Cooling down until \d\d:\d\d:\d\d as a result/)
  await expect(attempts.last()).toContainText('answered')

  const { received } = workbench.emulator.journal
  await why.getByRole('link', { name: 'What would happen to this request now?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Why this channel?')
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue(model)
  const now = page.getByRole('region', { name: 'What would happen' })
  await expect(now.getByRole('group', { name: 'In this order' })).toContainText(`${model} sound`)
  await expect(now.getByRole('group', { name: 'Left out' })).toContainText(
    /Cooling down, because the provider limits the rate of calls, until \d\d:\d\d:\d\d/,
  )
  expect(workbench.emulator.journal.received).toBe(received)
})

test('does not show users where their requests went, or why', async ({ userPage: page, user, workbench }) => {
  const model = `own-${user.username}`
  await callPastResting(workbench, user.api, model)
  await page.goto('/logs?type=2')
  await page.getByRole('link', { name: /^Open the trace of/ }).click()
  const attempts = trace(page).getByRole('region', { name: 'Attempts' }).getByRole('listitem')
  await expect(attempts.first()).toContainText('HTTP 429')
  await expect(trace(page)).toContainText('Receipt')
  await expect(trace(page)).not.toContainText(`${model} limited`)
  await expect(trace(page)).not.toContainText('limits the rate of calls')
  await expect(page.getByRole('region', { name: 'Why this channel?' })).toHaveCount(0)
  await page.goto(`/channels/explain?model=${model}`)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('explains a request that was never sent; the address holds the question', async ({
  rootPage: page,
  user,
  workbench,
}) => {
  const model = `if-${user.username}`
  await callPastResting(workbench, user.api, model)
  await page.goto('/channels')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Why this channel?' }).click()
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.getByLabel('Model', { exact: true })).toBeFocused()
  await expect(page.getByText('Model is required')).toBeVisible()
  await page.getByLabel('Model', { exact: true }).fill(model)
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page).toHaveURL(new RegExp(`explain\\?model=${model}$`))
  const result = page.getByRole('region', { name: 'What would happen' })
  await expect(result).toContainText('Routed by group default.')
  await expect(result.getByRole('group', { name: 'In this order' })).toContainText(`${model} sound`)

  await page.getByLabel('Model', { exact: true }).fill('nobody-has-it')
  await page.getByLabel('Endpoint', { exact: true }).selectOption('/v1/embeddings')
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(result.getByRole('alert')).toContainText('The caller would get 404 model_not_found.')
  await page.goBack()
  await expect(page.getByLabel('Endpoint', { exact: true })).toHaveValue('/v1/chat/completions')
  await expect(page.getByLabel('Model', { exact: true })).toHaveValue(model)
  await expect(result.getByRole('alert')).toHaveCount(0)

  const { id } = await user.api.call(createToken, { body: { name: 'narrow', unlimited_quota: true, models: 'other' } })
  await page.getByLabel('Caller').selectOption('token')
  await page.getByLabel('Token ID').fill(String(id))
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(result.getByRole('alert')).toContainText('403 model_not_allowed')

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('why this')
  await expect(page.getByRole('option', { name: 'Why this channel?' })).toBeVisible()
})

test('shows the path of a failed request by the id in its error, and says when there is none', async ({
  rootPage: page,
  user,
  workbench,
}) => {
  const model = `lost-${user.username}`
  await workbench.addChannel([model], {
    name: `${model} broken`,
    model_mapping: JSON.stringify({ [model]: 'emu-error-503' }),
    model_configs: JSON.stringify({ 'emu-error-503': { ratio: 1 } }),
  })
  const { key } = await user.api.call(createToken, { body: { name: 'ci', unlimited_quota: true } })
  const failed = await workbench.chat(key, { model, messages: MESSAGES })
  expect(failed.ok).toBe(false)
  await page.goto('/channels/explain')
  const form = page.getByRole('form', { name: 'A past request' })
  await form.getByLabel('Request ID').fill('7')
  await form.getByRole('button', { name: 'Show its route' }).click()
  await expect(form).toContainText('A request ID has 32 characters')
  const shown = page.getByRole('region', { name: 'A past request' })
  await form.getByLabel('Request ID').fill(failed.headers.get('x-request-id') ?? '')
  await form.getByRole('button', { name: 'Show its route' }).click()
  await expect(shown).toContainText(user.username)
  await expect(shown).toContainText(String(failed.status))
  await expect(shown.getByRole('region', { name: 'Why this channel?' })).toContainText(`${model} broken`)
  await expect(shown.getByRole('region', { name: 'Attempts' })).toContainText('HTTP 503')
  await expect(shown.getByRole('region', { name: 'Attempts' })).toContainText('The provider failed')
  await expect(shown.getByRole('link', { name: 'Open its log row' })).toHaveCount(0)
  await form.getByLabel('Request ID').fill('0'.repeat(32))
  await form.getByRole('button', { name: 'Show its route' }).click()
  await expect(shown.getByRole('alert')).toBeVisible()
})

test('follows the health of channels, and clears what is held against one', async ({
  rootPage: page,
  user,
  workbench,
}) => {
  const model = `well-${user.username}`
  const name = `${model} limited`
  await page.clock.install()
  await page.goto(`/channels?keyword=${model}`)
  await callPastResting(workbench, user.api, model)
  await page.getByRole('button', { name: 'Refresh' }).click()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toBeVisible()
  await page.clock.runFor(5_000)
  await expect(
    row.getByRole('link', { name: new RegExp(`^Health of ${name}: Cooling until \\d\\d:\\d\\d$`) }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: `Health of ${model} sound: Healthy` })).toBeVisible()
  await row.getByRole('link', { name: /^Health of/ }).click()
  const panel = page.getByRole('dialog', { name: `Health of ${name}` })
  await expect(panel.getByRole('region', { name: 'Keys and models' })).toContainText(
    'The provider limits the rate of calls.',
  )
  await panel.getByRole('button', { name: 'Forget' }).click()
  await expect(page.getByText(`${name} gets requests again at once.`)).toBeVisible()
  await expect(panel.getByRole('region', { name: 'Keys and models' })).toContainText('Ready')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(new RegExp(`channels\\?keyword=${model}$`))

  const { key } = await user.api.call(createToken, { body: { name: 'again', unlimited_quota: true } })
  expect((await workbench.chat(key, { model, messages: MESSAGES })).status).toBe(200)
  await page.clock.runFor(5_000)
  await expect(row.getByRole('link', { name: /Cooling until/ })).toBeVisible()
})

test('says that the health of channels is not known, while it cannot be loaded', async ({
  rootPage: page,
  user,
  workbench,
}) => {
  const model = `unknown-${user.username}`
  await workbench.addChannel([model], { name: model })
  let isAway = true
  await page.route('**/api/channel/health*', (route) => (isAway ? route.abort() : route.continue()))
  await page.clock.install()
  await page.goto(`/channels?keyword=${model}`)
  const row = page.getByRole('row').filter({ hasText: model })
  await expect(row).toContainText('Unknown')
  await expect(row).not.toContainText('No calls')
  isAway = false
  await page.clock.runFor(5_000)
  await expect(row).toContainText('No calls')
})
