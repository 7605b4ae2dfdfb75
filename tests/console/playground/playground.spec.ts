import type { Locator, Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, expectAccessible, test as base } from '../fixtures.ts'
import { type HeldUpstream, startHeldUpstream } from '../held-upstream.ts'

const test = base.extend<{ readonly chat: Page; readonly held: HeldUpstream }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern here
  held: async ({}, use) => {
    const upstream = await startHeldUpstream()
    await use(upstream)
    await upstream.close()
  },
  /** The playground of a user with a token, a model that the test speaks for, and one that repeats the question. */
  chat: async ({ userPage: page, user, workbench, held }, use) => {
    await workbench.addChannel([`held-${user.username}`], { name: `held ${user.username}`, base_url: held.url })
    await workbench.addChannel(['emu-echo'])
    await user.api.call(createToken, { body: { name: 'thread', unlimited_quota: true } })
    await page.goto(`/chat?model=held-${user.username}`)
    await expect(page.getByPlaceholder(`Ask held-${user.username}`)).toBeFocused()
    await use(page)
  },
})

const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const questions = (page: Page) => page.getByRole('article', { name: 'Your question' })
const replies = (page: Page) => page.getByRole('article', { name: /^Reply/ })
const toast = (page: Page, text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text)

/** Asks by keyboard; the model answers at once. */
async function ask(page: Page, held: HeldUpstream, text: string, answer: string): Promise<void> {
  await message(page).fill(text)
  await page.keyboard.press('Enter')
  const reply = await held.next()
  reply.say(answer)
  reply.end()
  await expect(button(page, 'Stop')).toHaveCount(0)
  await expect(replies(page).last()).toContainText(answer)
}

test(
  'a reply grows visibly: reasoning first, which folds once there is an answer, and its cost at the end',
  { tag: ['@C1.11', '@C2.49', '@C2.51', '@C4.13', '@C4.18', '@C5.5', '@C5.6', '@whole'] },
  async ({ chat: page, held }) => {
    await expect(button(page, 'Send')).toBeDisabled()
    await message(page).fill('  ')
    await expect(button(page, 'Send')).toBeDisabled()
    await message(page).fill('One')
    await expect(button(page, 'Send')).toBeEnabled()
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('two')
    await expect(message(page)).toHaveValue('One\ntwo')
    await page.keyboard.press('Enter')
    await expect(questions(page)).toHaveText('One\ntwo')
    await expect(message(page)).toHaveValue('')
    await expect(message(page)).toBeDisabled()
    await expect(page.getByText('Generating', { exact: true })).toBeVisible()
    await expect(button(page, 'Stop')).toBeVisible()
    await expect(button(page, 'Send')).toHaveCount(0)
    await expect(replies(page)).toContainText('Waiting for held-')

    const reply = await held.next()
    reply.reason('First I count.')
    const reasoning = replies(page).getByRole('button', { name: 'Reasoning...' })
    await expect(reasoning).toHaveAttribute('aria-expanded', 'true')
    await expect(replies(page)).toContainText('First I count.')
    reply.say('It is **three**.')
    await expect(replies(page).getByText('three')).toBeVisible()
    await expect(reasoning).toHaveAttribute('aria-expanded', 'false')
    await expect(replies(page)).not.toContainText('First I count.')
    await reasoning.click()
    await expect(replies(page)).toContainText('First I count.')

    reply.end()
    await expect(button(replies(page), 'Reasoning')).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByText('Generating', { exact: true })).toHaveCount(0)
    await expect(message(page)).toBeEnabled()
    const figures = replies(page).getByRole('list', { name: 'Details of this reply' })
    await expect(figures).toContainText(/^held-.+ to first token.*20 in, 30 out/)
    const cost = figures.getByRole('link', { name: '$0.000160, open in the logs' })
    await expect(cost).toHaveText('$0.000160')
    await expectAccessible(page)
    await cost.click()
    await expect(page.getByRole('row').filter({ hasText: 'held-' })).toHaveCount(1)
  },
)

test(
  'a question and its reply are copied, edited and deleted, and deleting can be undone',
  { tag: ['@C2.49', '@C2.54', '@C4.20', '@C4.21', '@C8.6', '@C8.7'] },
  async ({ chat: page, held, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await expect(button(page, 'Clear conversation')).toBeVisible()
    await expect(button(page, 'Export conversation')).toBeVisible()
    await ask(page, held, 'Name a colour', 'Blue')
    await expect(button(replies(page), 'Regenerate')).toBeEnabled()
    await button(replies(page), 'Copy message').click()
    await expect(toast(page, 'Copied!')).toBeVisible()
    await expect(toast(page, 'Message copied to clipboard')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Blue')
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await button(replies(page), 'Copy message').click()
    await expect(toast(page, 'Copy failed')).toBeVisible()
    await expect(toast(page, 'Failed to copy message to clipboard')).toBeVisible()

    const dialog = page.getByRole('dialog', { name: 'Edit message' })
    const text = dialog.getByRole('textbox', { name: 'Text of the message' })
    await button(replies(page), 'Edit message').click()
    await expect(text).toBeFocused()
    await expect(button(dialog, 'Save')).toBeDisabled()
    await text.fill('Red')
    await expect(button(dialog, 'Save')).toBeEnabled()
    await text.fill('Blue')
    await expect(button(dialog, 'Save')).toBeDisabled()
    await text.fill('Red')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(replies(page)).toContainText('Blue')
    await button(replies(page), 'Edit message').click()
    await text.fill('Red')
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await expect(toast(page, 'Message edited')).toBeVisible()
    await expect(toast(page, 'Message has been updated successfully')).toBeVisible()
    await expect(replies(page)).toContainText('Red')

    await button(replies(page), 'Delete message').click()
    const asked = page.getByRole('alertdialog', { name: 'Delete this message?' })
    await button(asked, 'Cancel').click()
    await expect(replies(page)).toHaveCount(1)
    await button(replies(page), 'Delete message').click()
    await button(asked, 'Delete').click()
    await expect(replies(page)).toHaveCount(0)
    await expect(message(page)).toBeFocused()
    await expect(toast(page, 'Message deleted')).toBeVisible()
    await expect(toast(page, 'Message has been removed from conversation')).toBeVisible()
    await button(page, 'Undo').click()
    await expect(replies(page)).toContainText('Red')
  },
)

test('replies and questions have versions, and a new version of a question is answered again', async ({
  chat: page,
  held,
}) => {
  await ask(page, held, 'Name a colour', 'Blue')
  await button(replies(page), 'Regenerate').click()
  const second = await held.next()
  second.say('Green')
  await expect(message(page)).toBeFocused()
  await expect(button(questions(page), 'Edit message')).toHaveAccessibleDescription('A reply is being generated.')
  // By keyboard, a question can be edited meanwhile, but not sent again. Leaving the dialog does not end the reply.
  await page.keyboard.press('ArrowUp')
  const dialog = page.getByRole('dialog', { name: 'Edit message' })
  await dialog.getByRole('textbox').fill('Name a plant')
  await expect(button(dialog, 'Ask as a new version')).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button(page, 'Stop')).toBeVisible()
  second.end()
  const versions = replies(page).getByRole('group', { name: 'Versions' })
  await expect(versions).toContainText('2/2')
  await button(versions, 'Previous version').click()
  await expect(replies(page)).toContainText('Blue')
  await expect(button(versions, 'Previous version')).toBeDisabled()

  await button(questions(page), 'Edit message').click()
  await dialog.getByRole('textbox').fill('Name an animal')
  await button(dialog, 'Ask as a new version').click()
  const third = await held.next()
  expect(third.asked.messages.at(-1)).toMatchObject({ role: 'user', content: 'Name an animal' })
  third.say('Otter')
  third.end()
  await expect(replies(page)).toContainText('Otter')
  await expect(questions(page).getByRole('group', { name: 'Versions' })).toContainText('2/2')
  await button(questions(page), 'Previous version').click()
  await expect(replies(page)).toContainText('Green')

  await page.getByRole('combobox', { name: 'Model', exact: true }).fill('')
  await button(questions(page), 'Edit message').click()
  await dialog.getByRole('textbox').fill('Name a river')
  await expect(button(dialog, 'Ask as a new version')).toBeDisabled()
  await expect(button(dialog, 'Save')).toBeEnabled()
  await page.keyboard.press('Escape')
  await button(replies(page), 'Regenerate').click()
  await expect(toast(page, 'Select a model first.')).toBeVisible()
  await expect(replies(page)).toContainText('Green')
})

test('what arrived of a broken reply stays above the reason, and a retry takes its place', async ({
  chat: page,
  held,
}) => {
  await message(page).fill('Tell me all')
  await page.keyboard.press('Enter')
  const reply = await held.next()
  reply.reason('Where to begin')
  reply.say('Once upon a')
  await expect(replies(page)).toContainText('Once upon a')
  reply.cut()
  const failure = page.getByRole('article', { name: 'No reply' })
  await expect(failure).toContainText('Once upon a')
  await expect(button(failure, 'Reasoning')).toBeVisible()
  await expectAccessible(page)
  await button(failure, 'Retry').click()
  const again = await held.next()
  expect(again.asked.messages.filter(({ role }) => role !== 'system')).toEqual([
    { role: 'user', content: 'Tell me all' },
  ])
  again.say('Once upon a time.')
  again.end('length')
  await expect(replies(page)).toContainText('Cut off at the token limit')
})

test('everything can be done by keyboard', async ({ chat: page, held }) => {
  await ask(page, held, 'Name a colour', 'Blue')
  await expect(message(page)).toBeFocused()
  await page.keyboard.press('Control+Shift+Enter')
  const second = await held.next()
  second.say('Gre')
  await expect(replies(page)).toContainText('Gre')
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Request Cancelled')).toBeVisible()
  await expect(replies(page)).toContainText('Blue')
  await page.keyboard.press('Control+Shift+Enter')
  const third = await held.next()
  third.say('Green')
  third.end()
  await expect(replies(page)).toContainText('Green')
  await expect(button(page, 'Stop')).toHaveCount(0)
  await page.keyboard.press('Control+Shift+C')
  await expect(toast(page, 'Copied!').or(toast(page, 'Copy failed'))).toBeVisible()

  await expect(message(page)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('dialog', { name: 'Edit message' }).getByRole('textbox')).toHaveValue('Name a colour')
  await page.keyboard.press('Escape')
  await expect(message(page)).toBeFocused()
  await message(page).blur()
  await page.keyboard.press(',')
  await expect(replies(page)).toContainText('Blue')
  await page.keyboard.press('.')
  await expect(replies(page)).toContainText('Green')
  const settings = page.getByRole('complementary', { name: 'Playground settings' })
  await page.keyboard.press('s')
  await expect(settings).toHaveCount(0)
  await page.reload()
  await expect(button(page, 'Show settings')).toBeVisible()
  await expect(settings).toHaveCount(0)
  await message(page).blur()
  await page.keyboard.press('s')
  await expect(settings).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('Half a thought')
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('link', { name: 'Playground' }).click()
  await expect(message(page)).toHaveValue('Half a thought')
  await page.keyboard.press('Control+Shift+O')
  await expect(page.getByRole('heading', { name: 'What would you like to try?' })).toBeVisible()
})

test('two models answer side by side, on a phone one behind the other', async ({ chat: page, held }) => {
  await button(page, 'Compare two models').click()
  await page.getByRole('combobox', { name: 'Second model' }).fill('emu-echo')
  await page.keyboard.press('Enter')
  await message(page).fill('Say it')
  await page.keyboard.press('Enter')
  const reply = await held.next()
  reply.say('I do')
  const [first, second] = [page.getByRole('region', { name: /^held-/ }), page.getByRole('region', { name: 'emu-echo' })]
  await expect(first.getByRole('article', { name: /^Reply/ })).toContainText('I do')
  await expect(second.getByRole('article', { name: /^Reply/ })).toContainText('Say it')
  await expect(second.getByRole('list', { name: 'Details of this reply' })).toContainText('$')
  await expect(page.getByText('Generating', { exact: true })).toBeVisible()
  reply.end()
  await expect(button(first, 'Regenerate')).toBeEnabled()
  await expect(page.getByRole('group', { name: 'Versions' })).toHaveCount(0)
  await expectAccessible(page)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(first).toBeVisible()
  await expect(second).toBeHidden()
  await button(page.getByRole('group', { name: 'Compared models' }), 'emu-echo').click()
  await expect(second).toBeVisible()
  await expect(first).toBeHidden()
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await button(page, 'Keep only emu-echo').click()
  await expect(page.getByPlaceholder('Ask emu-echo')).toBeVisible()
  await expect(replies(page)).toContainText('Say it')
  await expect(page.getByRole('group', { name: 'Versions' })).toContainText('1/2')
})

test(
  'a phone shows the settings over the conversation and the composer always',
  { tag: ['@C2.47', '@C2.53'] },
  async ({ chat: page, held }) => {
    await page.setViewportSize({ width: 390, height: 700 })
    await ask(page, held, 'Long, please', 'word '.repeat(800))
    await expect(message(page)).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(700)
    await expect(page.getByRole('complementary', { name: 'Playground settings' })).toHaveCount(0)
    await button(page, 'Show settings').click()
    const sheet = page.getByRole('dialog', { name: 'Playground settings' })
    await expect(sheet.getByRole('combobox', { name: 'Model' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(button(page, 'Show settings')).toBeFocused()
    await button(page, 'More actions').click()
    await expect(page.getByRole('menuitemradio', { name: 'Focus mode' })).toBeChecked()
  },
)

test(
  'focus mode shows the buttons of earlier messages on hover or focus, and can be switched off',
  { tag: '@C2.52' },
  async ({ chat: page, held }) => {
    await ask(page, held, 'One', 'First')
    await ask(page, held, 'Two', 'Second')
    const focus = button(page, 'Focus mode')
    const copy = button(replies(page).first(), 'Copy message')
    const opacity = () =>
      copy.evaluate((element) => getComputedStyle(element.parentElement?.parentElement ?? element).opacity)
    await expect(focus).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(opacity).toBe('0')
    await copy.focus()
    await expect.poll(opacity).toBe('1')
    await message(page).focus()
    await expect.poll(opacity).toBe('0')
    await replies(page).first().hover()
    await expect.poll(opacity).toBe('1')
    const width = async () => (await replies(page).first().boundingBox())?.width ?? 0
    const calm = await width()
    await focus.click()
    await expect(focus).toHaveAttribute('aria-pressed', 'false')
    await expect.poll(opacity).toBe('1')
    expect(await width()).toBeGreaterThan(calm)
    await page.reload()
    await expect(focus).toHaveAttribute('aria-pressed', 'false')
  },
)

test('a cleared conversation is back after Undo, and suggestions only fill the composer', async ({
  chat: page,
  held,
}) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Clear conversation')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await ask(page, held, 'Name a colour', 'Blue')
  await expect(toast(page, 'Conversation cleared')).toHaveCount(0)
  await button(page, 'Clear conversation').click()
  await expect(replies(page)).toHaveCount(0)
  await page.getByRole('list', { name: 'Suggestions' }).getByRole('button').first().click()
  await expect(message(page)).toHaveValue(/^Summarise this text/)
  await expect(message(page)).toBeFocused()
  await button(page, 'Undo').click()
  await expect(replies(page)).toContainText('Blue')
  await expect(message(page)).toHaveValue(/^Summarise this text/)
})

test('screen readers hear a reply sentence by sentence', async ({ chat: page, held }) => {
  await message(page).fill('Read to me')
  await page.keyboard.press('Enter')
  const reply = await held.next()
  const said = page.locator('main p[aria-live=polite]')
  reply.say('The **first** sentence. And half')
  await expect(said).toHaveText('The first sentence.')
  reply.say(' of the second.')
  reply.end()
  await expect(said).toHaveText(/^And half of the second\. Reply from held-\S+ is complete$/)
})
