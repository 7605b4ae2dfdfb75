import { availableModels } from '@sluice/contract/routes/account'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { listTokens, updateToken } from '@sluice/contract/routes/tokens'
import { expect, test } from '../fixtures.ts'
import { options, setup, suggestions, token } from './playground-fields.ts'

test(
  'enabled tokens can be chosen, five are loaded first, and the choice is stored',
  { tag: ['@C3.21', '@C4.25', '@C5.14', '@C7.10', '@C9.11', '@C9.13'] },
  async ({ userPage: page, user, workbench }) => {
    await workbench.addChannel([`tok-${user.username}`], { name: user.username })
    for (const name of ['oldest', 'old', 'third', 'off', 'second', 'newest']) {
      const { id } = await token(user.api, name)
      if (name === 'off') await user.api.call(updateToken, { query: { status_only: '1' }, body: { id, status: 2 } })
    }
    const sentRequest = page.waitForRequest((request) => request.url().includes(listTokens.path))
    await page.goto('/chat')
    const query = new URL((await sentRequest).url()).searchParams
    expect([query.get('p'), query.get('size')]).toEqual(['0', '5'])
    const { token: select } = setup(page)
    await expect(select.getByRole('option')).toHaveText(['newest', 'second', 'third', 'old'])
    await expect(select).toHaveValue((await select.getByRole('option').first().getAttribute('value')) ?? '')
    await page.getByRole('button', { name: 'Show older tokens' }).click()
    await expect(select.getByRole('option')).toHaveText(['newest', 'second', 'third', 'old', 'oldest'])
    await select.selectOption('oldest')
    await page.reload()
    await expect(select.getByRole('option', { selected: true })).toHaveText('oldest')
    expect(await options(select)).toEqual(['newest', 'second', 'third', 'old', 'oldest'])
    // Another token never pays silently.
    const [{ id } = { id: 0 }] = (await user.api.call(listTokens)).filter(({ name }) => name === 'oldest')
    await user.api.call(updateToken, { query: { status_only: '1' }, body: { id, status: 2 } })
    await page.reload()
    await expect(page.getByText('The selected token cannot be used. newest is charged instead.')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await expect(select.getByRole('option', { selected: true })).toHaveText('newest')
    await expect(page.getByText('cannot be used')).toHaveCount(0)
  },
)

test(
  'a channel narrows the models down; names are truncated as specified, and clearing the text clears the choice',
  { tag: ['@C4.23', '@C5.5', '@C5.13', '@C9.12'] },
  async ({ userPage: page, user, workbench }) => {
    const of = (name: string) => `${name}-${user.username}`
    const pools = Array.from({ length: 14 }, (_, index) => of(`pool ${String(index).padStart(2, '0')}`))
    const [one = '', two = '', three = '', four = '', five = ''] = pools
    for (const name of pools) {
      await workbench.addChannel(pools.indexOf(name) < 4 ? [of('many'), of('aside')] : [of('aside')], { name })
    }
    await token(user.api, 'all of them', [of('aside'), of('many')].join())
    await page.goto('/chat')
    const { channel, model } = setup(page)
    await expect(model).toHaveValue(of('aside'))

    await model.fill('many')
    const [found] = await suggestions(page, 'Model').allTextContents()
    expect(found).toBe(`${of('many')}On ${one}, ${two}, ${three} +1 more`)
    await page.keyboard.press('Enter')
    await expect(model).toHaveValue(of('many'))
    await expect(model).toHaveAccessibleDescription(`On ${one}, ${two} +2 more`)

    await channel.fill(user.username)
    await expect(suggestions(page, 'Channel')).toHaveCount(12)
    await channel.fill(four)
    await suggestions(page, 'Channel').click()
    await expect(model).toHaveValue(of('many'))
    await channel.fill(five)
    await suggestions(page, 'Channel').click()
    await expect(model).toHaveValue(of('aside'))
    await model.click()
    await expect(suggestions(page, 'Model')).toHaveText([new RegExp(of('aside'))])
    await channel.fill('no such channel anywhere')
    await model.click()
    await expect(suggestions(page, 'Model')).toHaveCount(2)
    await expect(channel).toHaveValue('')

    await model.fill('')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Clear Model' })).toHaveCount(0)
    await setup(page).message.fill('Who answers?')
    await expect(model).toHaveValue('')
    await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Send' })).toHaveAccessibleDescription('Select a model first.')
  },
)

test(
  'another token brings its own models; the chosen one stays where it is offered, otherwise the stored one, otherwise the first',
  { tag: ['@C3.21', '@C4.22', '@C4.25', '@C7.9'] },
  async ({ userPage: page, user, workbench }) => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name}-${user.username}`) as [string, string, string]
    await workbench.addChannel([a, b, c], { name: user.username })
    await token(user.api, 'only c', c)
    await token(user.api, 'a and c', `${c},${a}`)
    await token(user.api, 'b and c', `${b},${c}`)
    await token(user.api, 'everything')
    let requests = 0
    page.on('request', (request) => (requests += request.url().includes(availableModels.path) ? 1 : 0))
    await page.goto('/chat')
    const { token: select, model } = setup(page)
    await expect(select.getByRole('option', { selected: true })).toHaveText('everything')
    await model.fill(b)
    await page.keyboard.press('Enter')
    // The stored choice, b, is not in this list, so the first by name is chosen.
    await select.selectOption('a and c')
    await expect(model).toHaveValue(a)
    await model.click()
    await expect(suggestions(page, 'Model')).toHaveText([new RegExp(`^${a}`), new RegExp(`^${c}`)])
    await page.keyboard.press('Escape')
    await select.selectOption('b and c')
    await expect(model).toHaveValue(b)
    await select.selectOption('only c')
    await expect(model).toHaveValue(c)
    await select.selectOption('b and c')
    await expect(model).toHaveValue(c)
    await page.reload()
    await expect(model).toHaveValue(b)
    await select.selectOption('everything')
    await expect(model).toHaveValue(b)
    expect(requests).toBe(2)
  },
)

test(
  'parameters are shown where the model takes them, are stored, and are reset where another does not',
  { tag: ['@C2.47', '@C2.48', '@C3.28', '@C4.24', '@C4.25', '@C9.8'] },
  async ({ userPage: page, user, workbench }) => {
    const [gpt, claude, o3] = ['gpt-4o', 'claude-sonnet-4-5', 'o3'].map((name) => `${name}-${user.username}`) as [
      string,
      string,
      string,
    ]
    await workbench.addChannel([gpt, claude, o3], { name: user.username })
    await token(user.api, 'mine', [gpt, claude, o3].join())
    await page.goto('/chat')
    const { token: select, channel, model, slider, number, thinking, effort, system, reasoning } = setup(page)
    for (const field of [select, channel, model, system, reasoning]) await expect(field).toBeVisible()
    const choose = async (name: string) => {
      await model.fill(name)
      await page.keyboard.press('Enter')
      await expect(model).toHaveValue(name)
    }
    const shown = () =>
      page
        .getByRole('slider')
        .evaluateAll((all) =>
          all.map((each) => [each.getAttribute('min'), each.getAttribute('max'), each.getAttribute('value')].join(' ')),
        )

    await choose(claude)
    await expect(slider('Top K')).toBeVisible()
    await thinking.check()
    expect(await shown()).toEqual(['0 2 0.7', '1 128000 4096', '1 8000 4096', '0 1 1', '1 100 40', '1024 20000 10000'])
    await number('Thinking budget').fill('1100')
    await number('Thinking budget').blur()
    await expect(number('Thinking budget')).toHaveValue('1024')
    await slider('Temperature').press('ArrowRight')
    await expect(number('Temperature')).toHaveValue('0.8')
    await number('Temperature').fill('1,25')
    await number('Temperature').press('Enter')
    await expect(slider('Temperature')).toHaveValue('1.3')
    await number('Top K').fill('7')
    await system.fill('Answer in verse.')
    await reasoning.uncheck()

    await page.reload()
    await expect(number('Top K')).toHaveValue('7')
    await expect(thinking).toBeChecked()
    await expect(system).toHaveValue('Answer in verse.')
    await expect(reasoning).not.toBeChecked()

    await choose(gpt)
    await expect(slider('Frequency penalty')).toHaveAttribute('min', '-2')
    await expect(slider('Presence penalty')).toHaveAttribute('max', '2')
    await expect(slider('Top K')).toHaveCount(0)
    await expect(thinking).toHaveCount(0)
    await choose(o3)
    expect(await options(effort)).toEqual(['None', 'Low', 'Medium', 'High'])
    await expect(effort).toHaveValue('high')
    await choose(claude)
    await expect(number('Top K')).toHaveValue('40')
    await expect(thinking).not.toBeChecked()
    await expect(number('Temperature')).toHaveValue('1.3')
    await page.reload()
    await expect(number('Top K')).toHaveValue('40')
    await expect(thinking).not.toBeChecked()

    await page.getByRole('button', { name: 'Reset to defaults' }).click()
    await expect(number('Temperature')).toHaveValue('0.7')
    await expect(system).toHaveValue(/^You are/)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(system).toHaveValue('Answer in verse.')
  },
)

test(
  'what is set is what is sent, with the key of the chosen token',
  { tag: ['@C3.21', '@C5.8', '@C5.11', '@C6.4', '@C7.16'] },
  async ({ userPage: page, user, workbench }) => {
    const claude = `claude-sonnet-4-5-${user.username}`
    await workbench.addChannel([claude], { name: user.username })
    const { key } = await token(user.api, 'chosen', claude)
    await token(user.api, 'newest', claude)
    await page.goto('/chat')
    const { token: select, number, thinking, system, message } = setup(page)
    await select.selectOption('chosen')
    await number('Temperature').fill('0.2')
    await number('Max tokens').fill('512')
    await number('Top K').fill('9')
    await page.getByRole('textbox', { name: 'Stop sequences' }).fill('END, , STOP ')
    await thinking.check()
    await number('Thinking budget').fill('2048')
    await system.fill('Be brief.')
    await message.fill('Who are you?')
    const sentRequest = page.waitForRequest('**/v1/chat/completions')
    await page.keyboard.press('Enter')
    const request = await sentRequest
    expect(request.headers()['authorization']).toBe(`Bearer ${key}`)
    expect(request.postDataJSON()).toMatchObject({
      model: claude,
      stream: true,
      temperature: 0.2,
      max_tokens: 512,
      top_k: 9,
      stop: ['END', 'STOP'],
      thinking: { type: 'enabled', budget_tokens: 2048 },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Who are you?' },
      ],
    })
    expect(request.postDataJSON()).not.toHaveProperty('frequency_penalty')
    expect(request.postDataJSON()).not.toHaveProperty('reasoning_effort')
  },
)

test(
  'without a usable token the page says why, and how to get one',
  { tag: ['@C2.56', '@C5.5', '@C8.5', '@C8.13', '@C8.14'] },
  async ({ userPage: page, user, workbench }) => {
    await workbench.addChannel([`lone-${user.username}`], { name: user.username })
    await page.route('**/api/token/?*', (route) => route.abort())
    await page.goto('/chat')
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('Failed to load API tokens')
    await page.unroute('**/api/token/?*')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect(alert).toContainText('No API Tokens Available')
    await expect(alert).toContainText(
      'Failed to load models from selected token. Please add an enabled API token to use the playground.',
    )
    await expect(setup(page).token).toHaveText('No enabled tokens found')
    await setup(page).message.fill('Who pays?')
    await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Send' })).toHaveAccessibleDescription('Select a token first.')
    await alert.getByRole('link', { name: 'Create a token' }).click()
    await expect(page).toHaveURL(/\/tokens$/)
    await token(user.api, 'first of all')
    await page.goto('/chat')
    await expect(setup(page).token).toHaveText('first of all')
    await expect(alert).toHaveCount(0)
  },
)

test(
  'what cannot be loaded is reported where the user sends, and can be retried',
  { tag: ['@C8.5', '@C8.11', '@C8.12', '@C8.13'] },
  async ({ userPage: page, user, workbench }) => {
    const [here, there] = [`here-${user.username}`, `there-${user.username}`]
    await workbench.addChannel([here], { name: here })
    await workbench.addChannel([there], { name: there })
    await token(user.api, 'everything')
    const alert = page.getByRole('alert')
    const { model, channel, token: select } = setup(page)
    const fail = (path: string) => page.route(`**${path}?*`, (route) => route.fulfill({ status: 500, body: '{}' }))

    await fail(availableModels.path)
    await fail(modelsDisplay.path)
    await page.goto('/chat')
    await expect(alert).toHaveText(/^Failed to load models from the selected token/)
    await expect(page.getByText('Failed to load channel metadata for model filtering')).toBeVisible()
    await page.unrouteAll()
    await page.route(`**${availableModels.path}?*`, (route) =>
      route.fulfill({ json: { success: true, message: '', data: [] } }),
    )
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect(alert).toContainText('No Models Available')
    await expect(alert).toContainText(
      'Failed to load models from selected token. The selected token has no models configured.',
    )
    await model.click()
    await expect(page.getByRole('listbox', { name: 'Model' })).toHaveText('No models available')

    await page.unrouteAll()
    await token(user.api, 'here alone', here)
    await page.reload()
    await expect(select.getByRole('option')).toHaveText(['here alone', 'everything'])
    await expect(model).toHaveValue(here)
    await channel.fill(there)
    await suggestions(page, 'Channel').click()
    await expect(alert).toContainText('No Models Available')
    await expect(alert).toContainText(
      `No models matched the selected channel (${there}). Adjust the filter or choose another channel.`,
    )
    await alert.getByRole('button', { name: 'Show all channels' }).click()
    await expect(model).toHaveValue(here)
    await expect(alert).toHaveCount(0)
  },
)

test('presets restore model, parameters and system message by name', async ({ userPage: page, user, workbench }) => {
  const [plain, claude] = [`plain-${user.username}`, `claude-sonnet-4-5-${user.username}`]
  await workbench.addChannel([plain, claude], { name: user.username })
  await token(user.api, 'mine', `${plain},${claude}`)
  await page.goto(`/chat?model=${claude}`)
  const { model, number, system } = setup(page)
  const menu = page.getByRole('button', { name: /^(Presets|Poet)/ })
  const pick = async (name: string) => {
    await menu.click()
    await page.getByRole('menu', { name: 'Presets' }).getByText(name, { exact: true }).click()
  }
  await number('Temperature').fill('1.5')
  await number('Top K').fill('80')
  await system.fill('Rhyme.')
  await system.blur()
  await pick('Save as preset…')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Enter a name')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Poet')
  await page.keyboard.press('Enter')
  await expect(menu).toHaveText('Poet')

  await model.fill(plain)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Reset to defaults' }).click()
  await expect(menu).toHaveText('Poet (changed)')
  await page.reload()
  await expect(menu).toHaveText('Presets')
  await pick('Poet')
  await expect(model).toHaveValue(claude)
  await expect(number('Temperature')).toHaveValue('1.5')
  await expect(number('Top K')).toHaveValue('80')
  await expect(system).toHaveValue('Rhyme.')

  await number('Temperature').fill('0.2')
  await pick('Save changes to Poet')
  await expect(menu).toHaveText('Poet')
  await pick('Rename Poet…')
  await page.getByRole('textbox', { name: 'Name' }).fill('Poet laureate')
  await page.keyboard.press('Enter')
  await expect(menu).toHaveText('Poet laureate')
  // On a phone the settings cover the conversation, and a dialog covers the settings.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Show settings' }).click()
  await pick('Rename Poet laureate…')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCount(0)
  await expect(menu).toHaveText('Poet laureate')
  await page.setViewportSize({ width: 1440, height: 900 })
  await pick('Delete Poet laureate')
  await expect(menu).toHaveText('Presets')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(menu).toHaveText('Poet laureate')
})

test('a system message that is typed when it is restored or cleared does not come back', async ({
  userPage: page,
  user,
}) => {
  await token(user.api, 'any')
  await page.clock.install()
  await page.goto('/chat')
  const { system } = setup(page)
  const initial = await system.inputValue()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const [name, text] of [
    ['Default', initial],
    ['Clear', ''],
  ] as const) {
    await system.fill('Half a sen')
    // Pressed as on a phone, where pressing a button leaves the focus in the field.
    const around = system.locator('xpath=ancestor::*[.//button][1]')
    await around.getByRole('button', { name, exact: true }).evaluate((button: HTMLElement) => button.click())
    await page.clock.runFor(1_000)
    await expect(system).toHaveValue(text)
  }
})
