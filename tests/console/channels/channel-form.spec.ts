import type { Page } from '@playwright/test'
import { CHANNEL_KIND_CODES } from '@sluice/contract/channel-kinds'
import { createChannel, getChannel, searchChannels } from '@sluice/contract/routes/channels'
import { manageUser } from '@sluice/contract/routes/users'
import { signIn } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, expectAccessible, test } from '../fixtures.ts'

async function addChannel({ root, emulator }: Workbench, name: string, more: object = {}): Promise<number> {
  const body = { name, type: 50, key: 'sk-emulator', base_url: emulator.url, models: 'gpt-4o', priority: 3, ...more }
  const [id = 0] = await root.call(createChannel, { body })
  return id
}

const named = ({ root }: Workbench, keyword: string) => root.call(searchChannels, { query: { keyword } })
const stored = ({ root }: Workbench, id: number) => root.call(getChannel, { path: { id } })
const name = (page: Page) => page.getByLabel('Name', { exact: true })
const provider = (page: Page) => page.getByLabel('Provider')
const asJson = (page: Page, field: string) =>
  page
    .getByRole('group', { name: `View of ${field}` })
    .getByRole('button', { name: 'JSON' })
    .click()

test(
  'a channel is created, found in the list, and serves a call',
  { tag: ['@B2.6', '@B2.38', '@C2.9', '@B4.7', '@B4.13', '@B7.15', '@B7.20'] },
  async ({ rootPage: page, workbench }) => {
    await page.goto('/channels/add')
    await name(page).fill('made by hand')
    await provider(page).selectOption({ label: 'OpenAI Compatible' })
    await page.getByLabel('Base URL').fill(`${workbench.emulator.url}/`)
    await page.getByLabel('API key').fill('sk-emulator')
    const models = page.getByRole('combobox', { name: 'Models' })
    await models.fill('hand-made-model')
    await page.keyboard.press('Enter')
    await models.fill('second-model, third-model')
    await page.getByRole('option', { name: 'Add "third-model"' }).click()
    await page.keyboard.press('Escape')

    const configs = page.getByRole('group', { name: 'Model configs', exact: true })
    await configs.getByRole('button', { name: 'Add a model' }).click()
    await configs.getByRole('combobox', { name: 'Model' }).fill('hand-made-model')
    await configs.getByLabel('Ratio', { exact: true }).fill('1')
    await configs.getByLabel('Completion ratio').fill('2')
    await expect(configs).toContainText('$2.00 in · $4.00 out per million tokens')
    await asJson(page, 'Model configs')
    await expect(page.getByLabel('Model configs', { exact: true })).toHaveValue(
      '{\n  "hand-made-model": { "ratio": 1, "completion_ratio": 2 }\n}',
    )
    await page.getByLabel('Priority').fill('7')
    await expectAccessible(page)

    const held = Promise.withResolvers<void>()
    await page.route('**/api/channel/', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Creating...' })).toBeVisible()
    held.resolve()
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
    const reply = await workbench.chat(key, {
      model: 'hand-made-model',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(reply.status).toBe(200)
  },
)

test(
  'bad entries are named and the first on the page is focused',
  { tag: ['@B5.7', '@B5.8', '@B5.11', '@B5.13', '@B5.14', '@B5.23', '@B9.10'] },
  async ({ rootPage: page }) => {
    await page.goto('/channels/add')
    await name(page).fill('bad entries')
    await page.getByLabel('Priority').fill('1.5')
    await asJson(page, 'Model configs')
    await page.getByLabel('Model configs', { exact: true }).fill('{"m": {"ratio": -1}}')
    await provider(page).selectOption({ label: 'AWS' })
    await page.getByRole('textbox', { name: 'Access key' }).fill('AKIA')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Validation error')).toBeVisible()
    await expect(page.getByLabel('Secret key')).toBeFocused()
    await expect(page.getByText('API key is required')).toHaveCount(2)
    await expect(page.getByText('Invalid ratio for model "m"').first()).toBeVisible()
    await expect(page.getByText('Priority must be an integer').first()).toBeVisible()
    await expectAccessible(page)

    for (const label of ['Azure', 'OpenAI Compatible']) {
      await provider(page).selectOption({ label })
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await expect(page.getByText('Base URL is required for this channel type').first()).toBeVisible()
      await expect(page.getByLabel('Base URL')).toBeFocused()
    }
    await asJson(page, 'Model mapping')
    await page.getByLabel('Model mapping', { exact: true }).fill('{\n  "a" "b"\n}')
    await expect(page.getByText('Invalid JSON at line 2, column 7')).toBeVisible()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Invalid JSON format').first()).toBeVisible()
    const view = page.getByRole('group', { name: 'View of Model mapping' })
    await expect(view.getByRole('button', { name: 'Rows' })).toBeDisabled()
  },
)

test(
  'the fields follow the provider',
  { tag: ['@B2.38', '@B3.6', '@B5.9', '@B5.16', '@B7.18', '@B9.9'] },
  async ({ rootPage: page, workbench }) => {
    const request = page.waitForResponse((reply) => reply.url().includes('/api/channel/metadata?type=1&'))
    await page.goto('/channels/add')
    const select = provider(page)
    await expect(select.getByRole('option')).toHaveCount(CHANNEL_KIND_CODES.length + 1)
    expect(await (await request).json()).toMatchObject({ data: { default_base_url: 'https://api.openai.com' } })
    await expect(page.getByLabel('Base URL')).toHaveAttribute('placeholder', 'https://api.openai.com')
    await select.selectOption({ label: 'VertexAI' })
    await expect(page.getByLabel('Base URL')).toHaveCount(0)
    await expect(page.getByLabel('Project ID')).toBeVisible()
    await select.selectOption({ label: 'Azure' })
    await expect(page.getByLabel('API version')).toHaveAttribute('placeholder', '2024-03-01-preview')
    await page.getByLabel('Sign in with').selectOption({ label: 'Entra ID application' })
    for (const label of ['Tenant ID', 'Client ID', 'Client secret']) await expect(page.getByLabel(label)).toBeVisible()
    await select.selectOption({ label: 'iFlytek Spark' })
    await expect(page.getByLabel('Spark version').getByRole('option')).toHaveText([
      'Default',
      'v1.1',
      'v2.1',
      'v3.1',
      'v3.5',
    ])
    await select.selectOption({ label: 'OpenAI Compatible' })
    await expect(page.getByLabel('API format').getByRole('option')).toHaveText(['Chat completion', 'Response'])
    await expect(page.getByLabel('API format')).toHaveValue('chat_completion')
    await select.selectOption({ label: 'Coze' })
    const auth = page.getByLabel('Authentication')
    await expect(auth.getByRole('option')).toHaveText(['Personal access token', 'OAuth JWT'])
    await auth.selectOption({ label: 'OAuth JWT' })
    await page.getByLabel('API key').fill('{"client_type": "jwt"}')
    await name(page).fill('by provider')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Missing required field: client_id').first()).toBeVisible()

    await select.selectOption({ label: 'AWS' })
    await page.getByRole('textbox', { name: 'Access key' }).fill('AK')
    await page.getByLabel('Secret key').fill('SK')
    await page.getByLabel('Region').fill('us-east-1')
    await expect(page.getByLabel('Inference profile ARNs')).toBeVisible()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Channel created successfully')).toBeVisible()
    const [channel] = await named(workbench, 'by provider')
    expect(channel).toMatchObject({ type: 33, config: '{"region":"us-east-1"}' })
  },
)

test('a provider that has shut down says so and leads to its successor', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await provider(page).selectOption({ label: 'PaLM2' })
  await expect(page.getByRole('alert')).toContainText('The service behind PaLM2 has shut down. Choose Gemini instead.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Choose Gemini' }).click()
  await expect(provider(page)).toHaveValue('24')
  await expect(page.getByText('has shut down')).toHaveCount(0)
  await provider(page).selectOption({ label: 'API2D proxy' })
  await expect(page.getByText(/API2D proxy is a reseller/)).toBeVisible()
})

test('known models and prices are filled in', { tag: ['@B7.19', '@B7.20'] }, async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await provider(page).selectOption({ label: 'Anthropic' })
  await page.getByRole('button', { name: 'Fill defaults' }).click()
  await expect(page.getByRole('button', { name: /^Remove claude-/ }).first()).toBeVisible()
  const request = page.waitForRequest('**/api/channel/default-pricing?type=14&*')
  await page.getByRole('button', { name: 'Fill default pricing' }).click()
  await request
  const configs = page.getByRole('group', { name: 'Model configs', exact: true })
  await expect(configs.getByRole('group', { name: /^claude-/ }).first()).toContainText('per million tokens')
  await page.getByRole('button', { name: 'Fill default pricing' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByRole('combobox', { name: 'Models' })).toHaveAttribute('placeholder', /Type to search/)
})

test('the provider’s models are requested, and those that it lacks are named', async ({
  rootPage: page,
  workbench,
}) => {
  const id = await addChannel(workbench, 'fetches', { models: 'emu-fast,gone-model' })
  await page.goto(`/channels/edit/${id}`)
  await page.getByRole('button', { name: 'Fetch from provider' }).click()
  const dialog = page.getByRole('dialog', { name: 'Models of the provider' })
  await expect(dialog.getByRole('checkbox', { name: 'emu-fast' })).toBeChecked()
  await expect(dialog).toContainText('Configured in this channel, but not offered by the provider (1):')
  await expectAccessible(page)
  await dialog.getByRole('checkbox', { name: 'gone-model' }).uncheck()
  await dialog.getByLabel('Filter models').fill('emu-slow')
  await dialog.getByRole('button', { name: 'Choose all shown' }).click()
  await dialog.getByRole('button', { name: 'Use 2 models' }).click()
  await expect(page.getByRole('button', { name: 'Remove emu-slow' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove gone-model' })).toHaveCount(0)

  await page.getByLabel('API key').fill('sk-emu-refused')
  await page.getByRole('button', { name: 'Fetch from provider' }).click()
  await expect(page.getByText('The models could not be read from the provider: it refused the key.')).toBeVisible()
})

test(
  'a stored channel is changed without its key reaching the browser, and the changes are shown first',
  { tag: ['@B2.7', '@C2.9', '@B3.5', '@B4.7', '@B4.13', '@B5.8', '@B7.14', '@B7.15'] },
  async ({ rootPage: page, workbench }) => {
    const id = await addChannel(workbench, 'stored', { models: 'gpt-4o,gpt-4o-mini' })
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.postDataJSON())
    })
    await page.goto('/channels')
    await page.getByRole('row').filter({ hasText: 'stored' }).getByRole('link', { name: 'Edit' }).click()
    await expect(name(page)).toHaveValue('stored')
    await expect(page.getByLabel('API key')).toHaveValue('')
    await expect(page.getByLabel('Priority')).toHaveValue('3')
    await name(page).fill('stored, renamed')
    await page.getByRole('button', { name: 'Remove gpt-4o-mini' }).click()
    await page.getByText('2 changes: Name, Models').click()
    const changes = page.locator('dl')
    await expect(changes.getByRole('deletion')).toHaveText(['stored', '− gpt-4o-mini'])
    await expect(changes.getByRole('insertion')).toHaveText(['stored, renamed'])
    await expectAccessible(page)
    const held = Promise.withResolvers<void>()
    await page.route('**/api/channel/', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByRole('button', { name: 'Updating...' })).toBeVisible()
    held.resolve()
    await expect(page.getByText('Channel updated successfully')).toBeVisible()
    await expect(page).toHaveURL(/\/channels$/)
    expect(sent).toHaveLength(1)
    expect(sent[0]).not.toHaveProperty('key')
    expect(sent[0]).toMatchObject({ id, name: 'stored, renamed', models: 'gpt-4o' })
    expect(await stored(workbench, id)).toMatchObject({ name: 'stored, renamed', models: 'gpt-4o' })
  },
)

test(
  'the connection is tested as entered in the form, and nothing is saved',
  { tag: ['@B8.3', '@B8.4', '@whole'] },
  async ({ rootPage: page, workbench }) => {
    await page.goto('/channels/add')
    await provider(page).selectOption({ label: 'OpenAI Compatible' })
    await page.getByLabel('API key').fill('sk-emulator')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText('Correct the marked fields before testing the connection.')).toBeVisible()
    await expect(page.getByLabel('Base URL')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Base URL').fill(workbench.emulator.url)
    await expect(page.getByText('Correct the marked fields')).toHaveCount(0)
    const models = page.getByRole('combobox', { name: 'Models' })
    await models.fill('emu-fast,emu-error-500,')
    await page.keyboard.press('Escape')
    await page.getByLabel('Model to test').selectOption('emu-fast')
    await page.getByRole('button', { name: 'Test connection' }).click()
    const result = page.getByRole('status').filter({ hasText: 'Channel test successful.' })
    await expect(result).toContainText(/emu-fast answered in \d+(\.\d+)? m?s: “.+”\s*Nothing was saved\./)
    await page.getByLabel('Model to test').selectOption('emu-error-500')
    await page.getByRole('button', { name: 'Test connection' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'Channel test failed' })
    await expect(failure).toContainText('The emulator had an error.')
    await page.route('**/api/channel/test', (route) =>
      route.fulfill({ json: { success: false, message: '', time: 0.1, modelName: 'm' } }),
    )
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(failure).toContainText('Unknown error')
    // The draft has no name yet, and is stored nowhere.
    expect(
      (await workbench.root.call(searchChannels, { query: { keyword: '' } })).every(
        ({ models }) => models !== 'emu-fast,emu-error-500',
      ),
    ).toBe(true)
  },
)

test(
  'the test of a stored channel counts for it as long as nothing is changed',
  { tag: ['@B4.4', '@B7.16', '@whole'] },
  async ({ rootPage: page, workbench }) => {
    const id = await addChannel(workbench, 'counts')
    await page.goto(`/channels/edit/${id}`)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Channel test successful.' })).toContainText('gpt-4o')
    await expect(page.getByText('Nothing was saved.')).toHaveCount(0)
    const { response_time: time, test_time: at } = await stored(workbench, id)
    expect(time).toBeGreaterThan(0)
    expect(at).toBeGreaterThan(0)
  },
)

test(
  'the key must be given again when an administrator changes the address',
  { tag: ['@S5', '@S33'] },
  async ({ page, enter, user, workbench }) => {
    const id = await addChannel(workbench, 'moves')
    await workbench.root.call(manageUser, { body: { username: user.username, action: 'promote' } })
    await enter(await signIn(workbench.gateway.url, user.username, user.password))
    await page.goto(`/channels/edit/${id}`)
    await page.getByLabel('Base URL').fill('https://elsewhere.test')
    await expect(page.getByText('Enter the key again, because the address has changed.')).toBeVisible()
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('API key is required').first()).toBeVisible()
    await page.getByLabel('API key').fill('sk-own')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('Channel updated successfully')).toBeVisible()
    expect((await stored(workbench, id)).base_url).toBe('https://elsewhere.test')
  },
)

test(
  'root is warned that a stored key moves with its channel',
  { tag: '@S5' },
  async ({ rootPage: page, workbench }) => {
    await page.goto(`/channels/edit/${await addChannel(workbench, 'moves by root')}`)
    await page.getByLabel('Base URL').fill('https://elsewhere.test')
    await expect(page.getByText(/The stored key will be sent to the new address/)).toBeVisible()
    await provider(page).selectOption({ label: 'AWS' })
    await expect(page.getByText(/keys have a different format/)).toBeVisible()
  },
)

test('several keys make several channels, and the form says how many', async ({ rootPage: page, workbench }) => {
  await page.goto('/channels/add')
  await name(page).fill('many keys')
  await page.getByLabel('API key').fill('sk-1\nsk-2\nsk-3')
  await expect(page.getByText('3 keys: 3 channels will be created.')).toBeVisible()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('3 channels', { exact: true })).toBeVisible()
  expect(await named(workbench, 'many keys')).toHaveLength(3)
})

test('unsaved input is not lost by a wrong press', async ({ rootPage: page }) => {
  await page.goto('/channels/add')
  await name(page).fill('unsaved')
  await page.getByRole('link', { name: 'Tokens' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(name(page)).toHaveValue('unsaved')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/channels$/)
})

test(
  'the message of a refusal is in the form and in a notice; without a message or an answer, they say so',
  { tag: '@B8.8' },
  async ({ rootPage: page }) => {
    await page.goto('/channels/add')
    await name(page).fill('refused')
    await page.getByLabel('API key').fill('sk-x')
    await page.getByLabel('Base URL').fill('https://user:secret@api.test')
    const create = page.getByRole('button', { name: 'Create', exact: true })
    await create.click()
    await expect(page.getByText('Request failed')).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('base_url')
    await expect(page).toHaveURL(/\/channels\/add$/)
    await page.route('**/api/channel/', (route) => route.fulfill({ json: { success: false, message: '' } }))
    await create.click()
    await expect(page.getByRole('alert')).toContainText('Operation failed')
    await page.route('**/api/channel/', (route) => route.abort())
    await create.click()
    await expect(page.getByText('Unexpected error')).toBeVisible()
  },
)

test('a channel that does not exist is reported, and logged', { tag: '@B8.9' }, async ({ rootPage: page }) => {
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  await page.goto('/channels/edit/999999')
  await expect(page.getByRole('alert')).toContainText('not found')
  expect(logged.join()).toContain('Failed to load channel')
})
