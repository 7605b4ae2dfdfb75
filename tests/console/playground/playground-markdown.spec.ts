import type { Locator, Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test as base } from '../fixtures.ts'
import { longAnswer } from '../long-answer.ts'

const ECHO = 'emu-echo'
/** 24 characters every 40 ms. */
const SLOW_ECHO = 'emu-echo-40'

const test = base.extend<{ readonly chat: Page }>({
  /** The playground of a user who has a token, with models that repeat the question. */
  chat: async ({ userPage: page, user, workbench }, use) => {
    await workbench.addChannel([ECHO, SLOW_ECHO])
    await user.api.call(createToken, { body: { name: 'markdown', unlimited_quota: true } })
    await page.goto(`/chat?model=${ECHO}`)
    await use(page)
  },
})

const reply = (page: Page) => page.getByRole('article', { name: /^Reply/ }).last()
const stop = (page: Page) => page.getByRole('button', { name: 'Stop' })
const list = (page: Page) => page.getByRole('region', { name: 'Messages' })

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text)
  // Models are looked up first; a message sent before that stays in the field.
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await page.keyboard.press('Enter')
}

async function ask(page: Page, text: string): Promise<void> {
  await send(page, text)
  await expect(reply(page)).toBeVisible()
  await expect(stop(page)).toHaveCount(0)
}

/** Pixels between the visible part and the end of the content. */
const leftBelow = (scroller: Locator) =>
  scroller.evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop))

test('a reply shows its code highlighted and its formulas typeset, and both are readable', async ({ chat: page }) => {
  await ask(
    page,
    [
      '## Title',
      'Costs $5 and $10, and $x^2$ in a line.',
      '```ts\n// remark\nconst a: string = "b" + 1\n```',
      '```unknown\nplain\n```',
      String.raw`$$\int_0^1 x\,dx = \frac{1}{2}$$`,
      String.raw`$$\unknown{$$`,
      '| a | b |\n|---|---|\n| 1 | 2 |',
    ].join('\n\n'),
  )
  const program = reply(page).locator('pre').first()
  await expect(program.getByText('const', { exact: true })).toHaveClass(/text-accent/)
  await expect(program.getByText('"b"', { exact: true })).toHaveClass(/text-good/)
  await expect(program).toHaveText('// remark\nconst a: string = "b" + 1')
  await expect(reply(page).locator('pre').last().locator('span')).toHaveCount(0)
  await expect(reply(page).locator('math')).toHaveCount(2)
  await expect(reply(page).locator('math[display=block] mfrac')).toHaveText('12')
  await expect(reply(page).getByText('Costs $5 and $10, and')).toBeVisible()
  await expect(reply(page).getByText(String.raw`\unknown{`)).toBeVisible()
  await expect(reply(page).getByRole('heading', { level: 2, name: 'Title' })).toBeVisible()
  await expectAccessible(page)

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await reply(page).getByRole('button', { name: 'Copy code' }).first().click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('// remark\nconst a: string = "b" + 1')
})

test(
  'what a model writes creates no element of its own, loads nothing and links nowhere unsafe',
  { tag: '@S14' },
  async ({ chat: page, address }) => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.evaluate(() => Reflect.set(globalThis, 'alert', () => Reflect.set(globalThis, 'alerted', true)))
    await ask(
      page,
      [
        '<img src=x onerror=alert(1)><script>alert(1)</script>',
        '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
        '[click](javascript:alert(1)) ![spy](https://tracker.test/x.png) <b onclick=alert(1)>bold</b>',
        '[![spy](https://tracker.test/y.png)](https://safe.test)',
        '<style>body { display: none }</style>',
        String.raw`$\href{javascript:alert(1)}{x}$ $$\includegraphics{https://tracker.test/z.png}$$`,
        '```html\n<script>alert(1)</script>\n```',
        '[a]: javascript:alert(1)\n\n[a]',
        'The end.',
      ].join('\n\n'),
    )
    await expect(reply(page).getByText('The end.')).toBeVisible()
    await expect(reply(page).locator('pre').getByText('script', { exact: true }).first()).toHaveClass(/text-accent/)
    await expect(
      reply(page).locator('script, style, iframe, img, b, object, embed, form, [onclick], [onerror]'),
    ).toHaveCount(0)
    const addresses = await reply(page)
      .locator('[href]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(addresses.filter((address) => !/^(https:\/\/|\/)/.test(address ?? ''))).toEqual([])
    expect(requested.filter((url) => !url.startsWith(address))).toEqual([])
    expect(await page.evaluate(() => Reflect.get(globalThis, 'alerted'))).toBeUndefined()
  },
)

test('the end of a growing reply stays visible until the reader scrolls up, and comes back on request', async ({
  chat: page,
}) => {
  await page.goto(`/chat?model=${SLOW_ECHO}`)
  await expect(page.getByPlaceholder(`Ask ${SLOW_ECHO}`)).toBeVisible()
  await send(page, longAnswer(4_000))
  await expect(reply(page).getByRole('heading', { name: 'Part 1' })).toBeVisible()
  const place = () => list(page).evaluate((element) => Math.round(element.scrollTop))
  await expect.poll(place).toBeGreaterThan(600)
  await expect.poll(() => leftBelow(list(page))).toBeLessThan(30)
  const jump = page.getByRole('button', { name: 'Jump to newest' })
  await expect(jump).toHaveCount(0)

  await list(page).hover()
  await page.mouse.wheel(0, -500)
  await expect(jump).toBeVisible()
  const before = await place()
  const grown = await list(page).evaluate((element) => element.scrollHeight)
  await expect.poll(() => list(page).evaluate((element) => element.scrollHeight)).toBeGreaterThan(grown)
  expect(await place()).toBe(before)

  await jump.click()
  await expect(jump).toHaveCount(0)
  await expect.poll(() => leftBelow(list(page))).toBeLessThan(30)
  await expect(list(page)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(jump).toBeVisible()
  await expect.poll(place).toBe(0)
  await page.keyboard.press('End')
  await expect(jump).toHaveCount(0)
  await page.keyboard.press('Escape')
})
