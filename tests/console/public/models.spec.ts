import { modelsDisplay } from '@sluice/contract/routes/public'
import { expect, test } from '../fixtures.ts'

const CONFIGS = JSON.stringify({
  'zeta-chat': { ratio: 1.25, completion_ratio: 4, max_tokens: 128_000 },
  'zeta-free': { ratio: 0 },
  'zeta-small': { ratio: 0.02, completion_ratio: 2 },
})
const MODELS = ['zeta-chat', 'zeta-free', 'zeta-small']

test(
  'visitors find models by name and channel, and the address keeps what they chose',
  {
    tag: [
      '@A6.5',
      '@B7.7',
      '@C1.7',
      '@C2.2',
      '@C2.31',
      '@C2.32',
      '@C2.33',
      '@C2.34',
      '@C3.25',
      '@C6.3',
      '@C7.5',
      '@C8.5',
    ],
  },
  async ({ page, workbench }) => {
    await workbench.addChannel(MODELS, { name: 'zeta pool', model_configs: CONFIGS })
    await workbench.addChannel(['zeta-chat', 'eta-chat'], { name: 'zeta spare' })
    await page.goto('/models')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Supported Models')
    const field = page.getByRole('textbox', { name: 'Search models...' })
    await field.fill('ZETA chat')
    await expect(page).toHaveURL(/keyword=ZETA\+chat/)
    const pool = page.getByRole('table', { name: 'Models of zeta pool' })
    const spare = page.getByRole('table', { name: 'Models of zeta spare' })
    await expect(pool.getByRole('rowheader')).toHaveText(['zeta-chat'])
    await expect(spare.getByRole('rowheader')).toHaveText(['zeta-chat'])
    await expect(pool.getByRole('columnheader')).toHaveText([
      'Model',
      'Input',
      'Cached input',
      'Output',
      'Max tokens',
      'Image price',
      'Features',
    ])
    // Twelve channels are offered at first; their total depends on the tests before this one.
    const channels = page.getByRole('group', { name: 'Channels' })
    const others = channels.getByRole('button', { name: /^Show all/ })
    if (await others.isVisible()) await others.click()
    await channels.getByRole('button', { name: 'zeta spare' }).click()
    await expect(pool).toHaveCount(0)
    await expect(page).toHaveURL(/channels=/)
    await page.reload()
    await expect(spare.getByRole('rowheader')).toHaveText(['zeta-chat'])
    await expect(page.getByRole('button', { name: 'zeta spare' })).toHaveAttribute('aria-pressed', 'true')
    await field.fill('no such model anywhere')
    await expect(page.getByText('No models found')).toBeVisible()
    await page.getByRole('button', { name: 'Clear Filters' }).click()
    await expect(page).toHaveURL(/\/models$/)
    await expect(field).toHaveValue('')
    await expect(page.getByRole('heading', { name: 'zeta pool' })).toBeVisible()
  },
)

test(
  'a word that is typed when the filters are cleared does not reappear',
  { tag: '@C3.25' },
  async ({ page, workbench }) => {
    await workbench.addChannel(['lambda-chat'], { name: 'lambda pool' })
    await page.clock.install()
    await page.goto(`/models?channels=${encodeURIComponent('["OpenAI Compatible:lambda pool"]')}`)
    await expect(page.getByRole('table', { name: 'Models of lambda pool' })).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    const field = page.getByRole('textbox', { name: 'Search models...' })
    await field.fill('no such model anywhere')
    await page.getByRole('button', { name: 'Clear Filters' }).click()
    await expect(field).toHaveValue('')
    await page.clock.runFor(1_000)
    await expect(page).toHaveURL(/\/models$/)
    await expect(field).toHaveValue('')
  },
)

test(
  'prices are written as specified, and a model opens by its address, with a request to copy',
  { tag: ['@B2.13', '@C3.17', '@C9.3', '@C9.4', '@C9.6'] },
  async ({ page, workbench, replies }) => {
    await workbench.addChannel(MODELS, { name: 'theta pool', model_configs: CONFIGS })
    await workbench.addChannel(['zeta-chat'], { name: 'theta spare' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/models?keyword=zeta&channels=${encodeURIComponent('["OpenAI Compatible:theta pool"]')}`)
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
    await expect(row('zeta-chat').getByRole('cell').first()).toHaveText('$2.50')
    expect((await row('zeta-chat').getByRole('cell').allTextContents()).slice(0, 4)).toEqual([
      '$2.50',
      '$2.50',
      '$10.00',
      '128K',
    ])
    expect((await row('zeta-free').getByRole('cell').allTextContents()).slice(0, 4)).toEqual([
      'Free',
      'Free',
      'Free',
      'Unlimited',
    ])
    await expect(row('zeta-small').getByRole('cell').first()).toHaveText('$0.0400')
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await row('zeta-chat').getByRole('button', { name: 'Copy zeta-chat' }).click()
    await expect(row('zeta-chat').getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('zeta-chat')
    await page.clock.runFor(1_900)
    await expect(row('zeta-chat').getByRole('button', { name: 'Copied' })).toBeVisible()
    await page.clock.runFor(200)
    await expect(row('zeta-chat').getByRole('button', { name: 'Copy zeta-chat' })).toBeVisible()
    await page.clock.resume()

    await row('zeta-chat').getByRole('link', { name: 'zeta-chat' }).click()
    const panel = page.getByRole('dialog', { name: 'zeta-chat' })
    // Only our own gateway says what input a model accepts.
    const shown = replies === 'whole' ? 1 : 0
    await expect(panel.getByRole('heading', { name: 'Capabilities' })).toHaveCount(shown)
    await expect(panel.getByRole('tabpanel')).toContainText('"model": "zeta-chat"')
    await expect(page).toHaveURL(/model=zeta-chat/)
    await page.reload()
    await panel.getByRole('link', { name: 'theta spare' }).click()
    await expect(panel).toContainText('OpenAI Compatible · theta spare')
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(page).toHaveURL(/keyword=zeta/)
    await page.goto('/models?model=zeta-gone')
    await expect(page.getByRole('dialog', { name: 'zeta-gone' })).toContainText('This model is not offered')
  },
)

test(
  'a phone shows every price of a model, even next to a price per image',
  { tag: '@B2.13' },
  async ({ page, workbench }) => {
    const configs = JSON.stringify({
      'kappa-picture': {
        ratio: 1.25,
        completion_ratio: 4,
        cached_input_ratio: 0.625,
        max_tokens: 128_000,
        image: { price_per_image_usd: 0.04 },
      },
    })
    await workbench.addChannel(['kappa-picture'], { name: 'kappa pool', model_configs: configs })
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto('/models?keyword=kappa-picture')
    const prices = page.getByRole('list', { name: 'Models of kappa pool' }).getByRole('paragraph')
    await expect(prices).toHaveText('In $2.50 · Cached $1.25 · Out $10.00 · Max 128K · $0.0400 per image')
    expect(await prices.evaluate((line) => line.scrollHeight <= line.clientHeight), 'nothing is cut').toBe(true)
  },
)

test('a refused price list is reported and does not end the session', { tag: '@A6.6' }, async ({ userPage: page }) => {
  await page.route('**/api/models/display*', (route) =>
    route.fulfill({ status: 401, json: { success: false, message: 'not logged in' } }),
  )
  await page.goto('/models')
  await expect(page.getByRole('alert')).toHaveText('The models could not be loaded.')
  await page.goto('/about')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About')
})

test('hundreds of models in many channels are drawn as they are scrolled near', async ({ page, workbench }) => {
  await workbench.addChannel(['iota-chat'], { name: 'iota pool' })
  const answer = await workbench.root.call(modelsDisplay, { query: { keyword: 'iota-chat' } })
  const [sample] = Object.values(answer).flatMap(({ models }) => Object.values(models))
  const models = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`many-${index}`, sample]))
  const data = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `Test:pool ${index}`,
      { channel_name: `pool ${index}`, channel_type: 1, models },
    ]),
  )
  await page.route('**/api/models/display*', (route) => route.fulfill({ json: { success: true, message: '', data } }))
  await page.goto('/models')
  await expect(page.getByText('4,000 models in 20 channels')).toBeVisible()
  expect(await page.getByRole('rowheader').count()).toBeLessThan(200)
  const height = () => page.locator('#main').evaluate((main) => main.scrollHeight)
  const before = await height()
  const last = page.getByRole('table', { name: 'Models of pool 19' })
  await last.evaluate((table) => table.scrollIntoView({ block: 'end' }))
  await expect(last.getByRole('rowheader', { name: 'many-199' })).toBeVisible()
  expect(await height()).toBe(before)
  await page.getByRole('textbox', { name: 'Search models...' }).fill('many-199')
  await expect(page.getByText('20 models in 20 channels')).toBeVisible()
})
