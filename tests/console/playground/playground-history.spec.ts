import type { BrowserContext, Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import type { Conversation } from '../../../apps/console/src/features/playground/model/message.ts'
import { expect, test as base } from '../fixtures.ts'

const ECHO = 'emu-echo'
/** One piece of 24 characters every 200 ms. */
const SLOW_ECHO = 'emu-echo-200'

const test = base.extend<{ readonly chat: Page }>({
  /** The playground of a user who has a token, with models that repeat the question. */
  chat: async ({ userPage: page, user, workbench }, use) => {
    await workbench.addChannel([ECHO, SLOW_ECHO])
    await user.api.call(createToken, { body: { name: 'history', unlimited_quota: true } })
    await page.goto(`/chat?model=${ECHO}`)
    await use(page)
  },
})

const thread = (page: Page) => page.getByRole('main')
const title = (page: Page) => page.getByRole('button', { description: 'Conversations' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Conversations' })
const rows = (page: Page) => dialog(page).locator('[data-conversation]')
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const replies = (page: Page, text: string) =>
  thread(page)
    .getByRole('article', { name: /^Reply/ })
    .filter({ hasText: text })

async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text)
  // Models are looked up first; a message sent before that stays in the field.
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await page.keyboard.press('Enter')
}

/** Waits for the reply, which repeats the question. */
async function ask(page: Page, text: string): Promise<void> {
  await send(page, text)
  await expect(replies(page, text)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
}

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).click()
  await expect(title(page)).toHaveText('New conversation')
}

async function openList(page: Page): Promise<void> {
  await title(page).click()
  await expect(dialog(page)).toBeVisible()
}

function stored(page: Page): Promise<readonly Conversation[]> {
  return page.evaluate(
    () =>
      new Promise<Conversation[]>((resolve, reject) => {
        const opening = indexedDB.open('sluice.playground')
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const database = opening.result
          const reading = database.transaction('conversations').objectStore('conversations').getAll()
          reading.addEventListener('success', () => {
            database.close()
            resolve(reading.result)
          })
        })
      }),
  )
}

function traces(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name = '' }) => name)
    const keys = [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage))
    return [...databases, ...keys].filter((name) => name.startsWith('sluice.playground'))
  })
}

async function openTab(context: BrowserContext, address: string): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(address)
  return tab
}

test(
  'a conversation is stored with its fields and shown again after a reload and after another page',
  { tag: ['@C3.22', '@C3.23', '@C4.25'] },
  async ({ chat: page, user }) => {
    const before = Date.now()
    await ask(page, 'How high is the bridge?')
    await expect.poll(async () => (await stored(page))[0]?.messages.length).toBe(2)
    const [kept] = await stored(page)
    expect(kept).toMatchObject({ createdBy: user.username, messages: [{ role: 'user' }, { role: 'assistant' }] })
    expect(kept?.timestamp).toBeGreaterThanOrEqual(before)
    expect(kept?.messages).toMatchObject([
      { content: 'How high is the bridge?', reasoning_content: null },
      { content: 'How high is the bridge?', model: ECHO },
    ])
    await page.reload()
    await expect(replies(page, 'How high is the bridge?')).toBeVisible()
    await expect(title(page)).toHaveText('How high is the bridge?')
    await page.goto('/tokens')
    await page.getByRole('link', { name: 'Playground' }).click()
    await expect(replies(page, 'How high is the bridge?')).toBeVisible()

    await page.getByRole('button', { name: 'Clear conversation' }).click()
    await expect(title(page)).toHaveText('New conversation')
    await expect.poll(() => stored(page)).toEqual([])
    await toasts(page).getByRole('button', { name: 'Undo' }).click()
    await expect(replies(page, 'How high is the bridge?')).toBeVisible()
    await expect.poll(async () => (await stored(page)).map(({ id }) => id)).toEqual([kept?.id])
  },
)

test(
  'signing out leaves nothing of the playground behind, in any tab',
  { tag: ['@S36', '@C4.25'] },
  async ({ chat: page, context }) => {
    await ask(page, 'My secret plan')
    await page.getByRole('textbox', { name: 'System message' }).fill('You know my plan.')
    const other = await openTab(context, `/chat?model=${SLOW_ECHO}`)
    await expect(replies(other, 'My secret plan')).toBeVisible()
    await expect
      .poll(() => traces(page))
      .toEqual(
        expect.arrayContaining([
          'sluice.playground',
          'sluice.playground.conversation',
          'sluice.playground.parameters',
          'sluice.playground.titles',
        ]),
      )
    await expect(other.getByPlaceholder(`Ask ${SLOW_ECHO}`)).toBeVisible()
    await send(other, 'A long story '.repeat(40))
    await expect(other.getByRole('button', { name: 'Stop' })).toBeVisible()

    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
    for (const tab of [page, other]) {
      await expect(tab).toHaveURL(/\/login/)
      await expect.poll(() => traces(tab)).toEqual([])
    }
  },
)

test('a session that is lost leaves nothing behind either', { tag: '@S36' }, async ({ chat: page, context }) => {
  await ask(page, 'My secret plan')
  await context.clearCookies()
  await page.goto('/tokens')
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => traces(page)).toEqual([])
})

test('the list searches what was said, renames, pins, deletes and restores', async ({ chat: page }) => {
  for (const text of ['About bridges', 'About rivers', 'About locks']) {
    await ask(page, text)
    if (text !== 'About locks') await begin(page)
  }
  await openList(page)
  await expect(rows(page)).toContainText(['About locks', 'About rivers', 'About bridges'])
  await expect(dialog(page)).toContainText('3 of 200 conversations')

  const actions = (name: string, action: string) =>
    dialog(page)
      .getByRole('button', { name: `Actions for ${name}` })
      .click()
      .then(() => page.getByRole('menuitem', { name: action, exact: true }).click())
  await actions('About bridges', 'Pin')
  await expect(rows(page)).toContainText(['About bridges', 'About locks', 'About rivers'])
  await actions('About locks', 'Rename')
  const name = dialog(page).getByRole('textbox', { name: 'Title of the conversation' })
  await expect(name).toBeFocused()
  await name.fill('Canals')
  await name.press('Enter')
  await expect(rows(page)).toContainText(['About bridges', 'Canals', 'About rivers'])
  await actions('About rivers', 'Rename')
  await name.press('Escape')
  await expect(dialog(page)).toBeVisible()

  const search = dialog(page).getByRole('textbox', { name: 'Search titles and texts...' })
  await search.fill('LOCKS')
  await search.press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('About locks')
  await search.fill('nowhere')
  await search.press('Enter')
  await expect(dialog(page)).toContainText('Nothing contains “nowhere”.')
  await search.fill('')
  await search.press('Enter')
  await search.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(title(page)).toHaveText('About rivers')
  await expect(replies(page, 'About rivers')).toBeVisible()

  await openList(page)
  await actions('About rivers', 'Delete')
  await expect(title(page)).toHaveText('New conversation')
  await expect(rows(page)).toContainText(['About bridges', 'Canals'])
  await dialog(page).getByRole('button', { name: 'Undo' }).click()
  await expect(title(page)).toHaveText('About rivers')
  await expect(rows(page)).toHaveCount(3)
  await dialog(page).getByRole('button', { name: 'Delete all' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete all' }).click()
  await expect(dialog(page)).toContainText('No conversations yet')
  await expect.poll(() => stored(page)).toEqual([])
})

test('the command palette finds a conversation from any page', async ({ chat: page }) => {
  await ask(page, 'About weirs')
  await begin(page)
  await page.goto('/tokens')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('weirs')
  await page.getByRole('option', { name: /About weirs/ }).click()
  await expect(replies(page, 'About weirs')).toBeVisible()
  await expect(page).toHaveURL(/\/chat$/)
})

test('a temporary conversation is not stored until the user asks for it', async ({ chat: page }) => {
  await openList(page)
  const temporary = dialog(page).getByRole('switch', { name: 'Temporary conversation' })
  await temporary.check()
  await page.keyboard.press('Escape')
  await ask(page, 'Between us')
  await openList(page)
  await expect(dialog(page)).toContainText('No conversations yet')
  expect(await stored(page)).toEqual([])
  await temporary.uncheck()
  await expect(rows(page)).toContainText(['Between us'])
  await temporary.check()
  await page.keyboard.press('Escape')
  await expect(title(page)).toHaveText('New conversation')
  await ask(page, 'Never said')
  await page.reload()
  await expect(title(page)).toHaveText('New conversation')
  expect((await stored(page)).map(({ messages }) => messages[0]?.content)).toEqual(['Between us'])
})

test('two tabs do not overwrite each other, and each sees what the other added', async ({ chat: page, context }) => {
  await ask(page, 'Shared')
  const other = await openTab(context, `/chat?model=${ECHO}`)
  await expect(replies(other, 'Shared')).toBeVisible()
  await ask(other, 'From the other tab')
  await expect(replies(page, 'From the other tab')).toBeVisible()
  await begin(other)
  await ask(other, 'Another one')
  await openList(page)
  await expect(rows(page)).toContainText(['Another one', 'Shared'])
  await page.reload()
  await expect(title(page)).toHaveText('Shared')
})

test('leaving the page or the tab ends a reply and keeps what arrived of it', async ({ chat: page }) => {
  const story = Array.from({ length: 60 }, (_, index) => `part ${index} of a story`).join(', ')
  const reply = thread(page).getByRole('article', { name: /^Reply/ })
  const begun = async () => {
    await page.goto(`/chat?model=${SLOW_ECHO}`)
    await expect(page.getByPlaceholder(`Ask ${SLOW_ECHO}`)).toBeVisible()
    await send(page, story)
    await expect(reply).toContainText('part 1 of')
  }
  await begun()
  await page.getByRole('link', { name: 'Tokens', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tokens' })).toBeVisible()
  await page.getByRole('link', { name: 'Playground' }).click()
  await expect(reply).toContainText('part 1 of')
  await expect(reply).not.toContainText('part 59 of')
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)

  await begin(page)
  await begun()
  await page.reload()
  await expect(reply).toContainText('part 1 of')
  await expect(reply).not.toContainText('part 59 of')
})

test('the oldest conversations are removed when there are too many, and what does not fit the schema is left alone', async ({
  chat: page,
}) => {
  await ask(page, 'The first')
  await expect.poll(async () => (await stored(page)).length).toBe(1)
  await page.evaluate(() => {
    return new Promise<void>((resolve) => {
      const opening = indexedDB.open('sluice.playground')
      opening.addEventListener('success', () => {
        const database = opening.result
        const write = database.transaction(['summaries', 'conversations'], 'readwrite')
        const [summaries, conversations] = [write.objectStore('summaries'), write.objectStore('conversations')]
        const reading = summaries.getAll()
        reading.addEventListener('success', () => {
          const [summary] = reading.result
          for (let index = 1; index < 200; index += 1) {
            const id = `seeded-${index}`
            summaries.put({ ...summary, id, title: `Seeded ${index}`, changedAt: index, pinned: index === 1 }, id)
            conversations.put({ id, timestamp: 1, createdBy: 'x', messages: [], leaves: [null], title: '' }, id)
          }
          conversations.put({ from: 'another version' }, 'seeded-7')
        })
        write.addEventListener('complete', () => {
          database.close()
          resolve()
        })
      })
    })
  })
  await page.reload()
  await begin(page)
  await ask(page, 'The newest')
  await openList(page)
  await expect(dialog(page)).toContainText('200 of 200 conversations')
  await expect(rows(page)).toHaveCount(200)
  await expect(rows(page).nth(0)).toContainText('Seeded 1')
  await expect(rows(page).nth(1)).toContainText('The newest')
  await expect(dialog(page).getByText('Seeded 2', { exact: true })).toHaveCount(0)
  await dialog(page).getByText('Seeded 7', { exact: true }).click()
  await expect(title(page)).toHaveText('The newest')
})

test('without a database the playground works for as long as it is open, and says so', async ({ chat: page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('not here', 'SecurityError')
    }
  })
  await page.reload()
  await ask(page, 'Only now')
  await begin(page)
  await openList(page)
  await expect(rows(page)).toContainText(['Only now'])
  await expect(dialog(page)).toContainText('Conversations are lost when you leave this page.')
})
