import { createChannel, getChannel, searchChannels } from '@sluice/contract/routes/channels'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, expectAccessible, test } from './fixtures.ts'

async function addChannel({ root, emulator }: Workbench, name: string): Promise<number> {
  const body = { name, type: 50, key: 'sk-emulator', base_url: emulator.url, models: 'gpt-4o', priority: 3 }
  const [id = 0] = await root.call(createChannel, { body })
  return id
}

const named = ({ root }: Workbench, keyword: string) => root.call(searchChannels, { query: { keyword } })

test('a channel is created, found in the list, and serves a call', async ({ rootPage: page, workbench }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('made by hand')
  await page.getByLabel('Provider').selectOption({ label: 'OpenAI Compatible' })
  await page.getByLabel('Base URL').fill(`${workbench.emulator.url}/`)
  await page.getByLabel('API key').fill('sk-emulator')
  const models = page.getByRole('combobox', { name: 'Models' })
  await models.fill('hand-made-model')
  await page.keyboard.press('Enter')
  await models.fill('second-model, third-model')
  await page.getByRole('option', { name: 'Add "third-model"' }).click()
  await page.getByLabel('Model configs').fill('{"hand-made-model":{"ratio":1,"completion_ratio":2}}')
  await page.getByRole('button', { name: 'Format' }).last().click()
  await expect(page.getByLabel('Model configs')).toHaveValue(/\n {2}"hand-made-model"/)
  await page.getByLabel('Priority').fill('7')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create' }).click()

  await expect(page.getByText('Channel created successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/channels$/)
  await expect(page.getByRole('row').filter({ hasText: 'made by hand' })).toContainText('Active')
  const [channel] = await named(workbench, 'made by hand')
  expect(channel).toMatchObject({
    type: 50,
    base_url: workbench.emulator.url,
    models: 'hand-made-model,second-model,third-model',
    group: 'default',
    priority: 7,
    model_mapping: null,
    system_prompt: null,
  })
  expect(JSON.parse(channel?.config ?? '')).toEqual({ api_format: 'chat_completion' })

  const key = await workbench.addToken()
  const reply = await workbench.chat(key, { model: 'hand-made-model', messages: [{ role: 'user', content: 'Hello' }] })
  expect(reply.status).toBe(200)
})

test('bad entries are named and the first on the page is focused', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('bad entries')
  await page.getByLabel('Priority').fill('1.5')
  await page.getByLabel('Model configs').fill('{"m": {"ratio": -1}}')
  await page.getByLabel('Provider').selectOption({ label: 'AWS' })
  await page.getByLabel('Access key').fill('AKIA')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Validation error')).toBeVisible()
  await expect(page.getByLabel('Secret key')).toBeFocused()
  await expect(page.getByText('API key is required')).toHaveCount(2)
  await expect(page.getByText('Invalid ratio for model "m"').first()).toBeVisible()
  await expect(page.getByText('Priority must be an integer').first()).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Provider').selectOption({ label: 'Azure' })
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Base URL is required for this channel type').first()).toBeVisible()
  await expect(page.getByLabel('Base URL')).toBeFocused()
  await page.getByLabel('Model mapping').fill('{\n  "a" "b"\n}')
  await expect(page.getByText('Not valid JSON from line 2, column 7')).toBeVisible()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Invalid JSON format').first()).toBeVisible()
})

test('the fields follow the provider', async ({ rootPage: page, workbench }) => {
  await page.goto('/channels/add')
  const provider = page.getByLabel('Provider')
  await expect(provider.getByRole('option')).toHaveCount(51)
  await expect(page.getByLabel('Base URL')).toHaveAttribute('placeholder', 'https://api.openai.com')
  await provider.selectOption({ label: 'VertexAI' })
  await expect(page.getByLabel('Base URL')).toHaveCount(0)
  await expect(page.getByLabel('Project ID')).toBeVisible()
  await provider.selectOption({ label: 'iFlytek Spark' })
  await expect(page.getByLabel('Spark version').getByRole('option')).toHaveText([
    'Default',
    'v1.1',
    'v2.1',
    'v3.1',
    'v3.5',
  ])
  await provider.selectOption({ label: 'Coze' })
  await page.getByLabel('Authentication').selectOption({ label: 'OAuth JWT' })
  await page.getByLabel('API key').fill('{"client_type": "jwt"}')
  await page.getByLabel('Name', { exact: true }).fill('by provider')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Missing required field: client_id').first()).toBeVisible()

  await provider.selectOption({ label: 'AWS' })
  await page.getByLabel('Access key').fill('AK')
  await page.getByLabel('Secret key').fill('SK')
  await page.getByLabel('Region').fill('us-east-1')
  await expect(page.getByLabel('Inference profile ARNs')).toBeVisible()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Channel created successfully')).toBeVisible()
  const [channel] = await named(workbench, 'by provider')
  expect(channel).toMatchObject({ type: 33, config: '{"region":"us-east-1"}' })
})

test('known models and prices are filled in', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Provider').selectOption({ label: 'Anthropic' })
  await page.getByRole('button', { name: 'Fill defaults' }).click()
  await expect(page.getByRole('button', { name: /^Remove claude-/ }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Fill default pricing' }).click()
  await expect(page.getByLabel('Model configs')).toHaveValue(/"claude-[^"]+": \{ "ratio": /)
  await page.getByRole('button', { name: 'Fill default pricing' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByRole('button', { name: /^Remove claude-/ })).toHaveCount(0)
})

test('a stored channel is changed without its key passing the browser', async ({ rootPage: page, workbench }) => {
  const id = await addChannel(workbench, 'stored')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON())
  })
  await page.goto('/channels')
  await page.getByRole('row').filter({ hasText: 'stored' }).getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('stored')
  await expect(page.getByLabel('API key')).toHaveValue('')
  await expect(page.getByLabel('Priority')).toHaveValue('3')
  await page.getByLabel('Name', { exact: true }).fill('stored, renamed')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Channel updated successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/channels$/)
  expect(sent).toHaveLength(1)
  expect(sent[0]).not.toHaveProperty('key')
  expect(await workbench.root.call(getChannel, { path: { id } })).toMatchObject({ name: 'stored, renamed' })
  await page.getByRole('row').filter({ hasText: 'stored, renamed' }).getByRole('button', { name: 'Test' }).click()
  await expect(page.getByText('Channel test successful.')).toBeVisible()
})

test('the connection is tested from the form, after saving what changed', async ({ rootPage: page, workbench }) => {
  const id = await addChannel(workbench, 'connected')
  await page.goto(`/channels/edit/${id}`)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Channel test successful.' })).toContainText('gpt-4o')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('combobox', { name: 'Models' }).fill('emu-error-500')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save and test' }).click()
  await expect(page.getByText('Channel updated successfully')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Channel test failed' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Test connection' })).toBeVisible()
  expect(await workbench.root.call(getChannel, { path: { id } })).toMatchObject({ models: 'emu-error-500' })
})

test('a new channel that fails its test is there to be mended', async ({ rootPage: page, workbench }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('to be mended')
  await page.getByLabel('Provider').selectOption({ label: 'OpenAI Compatible' })
  await page.getByLabel('Base URL').fill(workbench.emulator.url)
  await page.getByLabel('API key').fill('sk-emulator')
  await page.getByRole('combobox', { name: 'Models' }).fill('emu-error-401,')
  await page.getByRole('button', { name: 'Save and test' }).click()
  await expect(page.getByText('Channel test failed')).toBeVisible()
  const [channel] = await named(workbench, 'to be mended')
  await expect(page).toHaveURL(new RegExp(`/channels/edit/${channel?.id}$`))
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('to be mended')
})

test('what is not saved is not lost by a wrong press', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('unsaved')
  await page.getByRole('link', { name: 'Tokens' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('unsaved')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/channels$/)
})

test('the message of a refusal stands in the form and in a notice', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await page.getByLabel('Name', { exact: true }).fill('refused')
  await page.getByLabel('API key').fill('sk-x')
  await page.getByLabel('Base URL').fill('https://user:secret@api.test')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Request failed')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('base_url')
  await expect(page).toHaveURL(/\/channels\/add$/)
})

test('a channel that is not there is said to be so', async ({ rootPage: page }) => {
  await page.goto('/channels/edit/999999')
  await expect(page.getByRole('alert')).toContainText(/not found|Failed to load channel/)
})

test('the table of contents leads to the sections by keyboard', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  const contents = page.getByRole('navigation', { name: 'Sections' })
  await expect(contents.getByRole('link')).toHaveText(['Basics', 'Credentials', 'Models', 'Routing', 'Advanced'])
  await contents.getByRole('link', { name: 'Advanced' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Advanced' })).toBeFocused()
  await expect(contents.getByRole('link', { name: 'Advanced' })).toBeInViewport()
})
