import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import type { Conversation } from '../../apps/console/src/features/playground/model/message.ts'
import { longestTasks } from './busy-time.ts'
import { expect, test as base } from './fixtures.ts'
import { longAnswer } from './long-answer.ts'
import { slowness } from './slowness.ts'

/** Says back what it is asked, 24 characters every 8 ms: a fast model. */
const MODEL = 'emu-echo-8'
/**
 * Milliseconds of a task while an answer streams, with a processor four times slower. The promise is 50; the best of three tries took
 * 48 to 92 when this was written, on a machine that others use too, so this gate only keeps it from growing.
 */
const LONGEST_TASK_MS = 100
/** The same while long conversations scroll, at full speed. */
const LONGEST_SCROLL_MS = 50
/** Milliseconds between two pictures, at 60 a second. */
const PICTURE_MS = 1_000 / 60
/** Pictures of two seconds that may come late: rows that are seen for the first time are laid out then. */
const MOST_LATE = 12
/** A time is the best of so many tries, if the first is not good enough: a busy machine only ever adds to it. */
const TRIES = 3

const test = base.extend<{ readonly chat: Page }>({
  chat: async ({ userPage: page, user, workbench }, use) => {
    await workbench.addChannel([MODEL])
    await user.api.call(createToken, { body: { name: 'speed', unlimited_quota: true } })
    await page.goto(`/chat?model=${MODEL}`)
    await use(page)
  },
})

const question = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const stop = (page: Page) => page.getByRole('button', { name: 'Stop' })

test('a long answer streams without holding anything up', async ({ chat: page, browser }) => {
  test.slow()
  const text = longAnswer(17_000)
  const session = await page.context().newCDPSession(page)
  const tries: { readonly tasks: readonly number[]; readonly slower: number }[] = []
  for (let run = 0; run < TRIES; run++) {
    await page.getByLabel('New conversation', { exact: true }).click()
    await question(page).fill(text)
    await expect(question(page)).toHaveValue(text)
    const before = await slowness(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const tasks = await longestTasks(browser, page, 'article .prose', async () => {
      await page.keyboard.press('Enter')
      await expect(stop(page)).toBeVisible()
      await expect(stop(page)).toHaveCount(0, { timeout: 60_000 })
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await expect(page.getByRole('article').getByRole('heading', { name: 'The end' })).toBeVisible()
    const slower = Math.max(before, await slowness(page))
    tries.push({ tasks, slower })
    if ((tasks[0] ?? 0) / slower <= LONGEST_TASK_MS) break
  }
  const told = tries.map(
    ({ tasks, slower }) =>
      `${tasks
        .slice(0, 6)
        .map((ms) => ms.toFixed(0))
        .join(' ')} ms on a machine x${slower.toFixed(2)}`,
  )
  console.info(`streaming 17 kB, longest tasks: ${told.join('; ')}`)
  expect(Math.min(...tries.map(({ tasks, slower }) => (tasks[0] ?? 0) / slower))).toBeLessThanOrEqual(LONGEST_TASK_MS)
})

test('two hundred messages open at their end and scroll without late pictures', async ({ chat: page, browser }) => {
  test.slow()
  await question(page).fill('first words')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /^Reply/ })).toHaveText(/first words/)
  await expect(stop(page)).toHaveCount(0)
  // It is stored a moment after it is there, in place of what was written meanwhile: so it is changed once nobody holds it any more.
  await expect(() => grow(page, 2, '')).toPass()
  const address = page.url()
  await page.goto('/about')
  await grow(page, 200, longAnswer(1_200))
  await page.goto(address)
  const list = page.getByRole('region', { name: 'Messages' })
  await expect(list.getByRole('article')).toHaveCount(200, { timeout: 30_000 })
  await expect(list.getByRole('article').last()).toBeInViewport()
  const tries: { readonly tasks: readonly number[]; readonly late: number; readonly slower: number }[] = []
  for (let run = 0; run < TRIES; run++) {
    const before = await slowness(page)
    await list.hover()
    const tasks = await longestTasks(browser, page, 'article .prose', async () => {
      for (let turn = 0; turn < 120; turn++) await page.mouse.wheel(0, turn < 90 ? -400 : 400)
    })
    const slower = Math.max(before, await slowness(page))
    const late = tasks.filter((ms) => ms > PICTURE_MS * slower).length
    tries.push({ tasks, late, slower })
    if ((tasks[0] ?? 0) / slower <= LONGEST_SCROLL_MS && late <= MOST_LATE) break
    // A page that was read again has laid none of its rows out: each try does all of the work.
    await page.reload()
    await expect(list.getByRole('article')).toHaveCount(200, { timeout: 30_000 })
    await expect(list.getByRole('article').last()).toBeInViewport()
  }
  console.info(
    `scrolling 200 messages: ${tries
      .map(
        ({ tasks, late, slower }) =>
          `longest tasks ${tasks
            .slice(0, 4)
            .map((ms) => ms.toFixed(0))
            .join(' ')} ms, ${late} pictures late, machine x${slower.toFixed(2)}`,
      )
      .join('; ')}`,
  )
  expect(Math.min(...tries.map(({ tasks, slower }) => (tasks[0] ?? 0) / slower))).toBeLessThanOrEqual(LONGEST_SCROLL_MS)
  expect(Math.min(...tries.map(({ late }) => late))).toBeLessThanOrEqual(MOST_LATE)
  // Everything stands in the document: the browser's own search and screen readers find it.
  expect(await page.evaluate(() => document.body.textContent?.split('The end').length ?? 0)).toBeGreaterThanOrEqual(99)
})

/** Makes the stored conversation of this browser longer: the same question and a long reply, again and again. */
async function grow(page: Page, count: number, reply: string): Promise<void> {
  await page.evaluate(
    async ([most, text]) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result))
          request.addEventListener('error', () => reject(request.error ?? new Error('no database')))
        })
      const database = await done(indexedDB.open('sluice.playground'))
      const records = database.transaction('conversations', 'readwrite').objectStore('conversations')
      const [id] = await done(records.getAllKeys())
      const [kept] = (await done(records.getAll())) as Conversation[]
      if (id === undefined || kept === undefined) throw new Error('nothing is kept')
      const [question, answer] = kept.messages
      if (question === undefined || answer?.content !== 'first words') throw new Error('not all is kept yet')
      const messages = [...kept.messages]
      while (messages.length < most) {
        const parent = messages.at(-1)?.id ?? null
        const asks = messages.length % 2 === 0
        messages.push({ ...(asks ? question : { ...answer, content: text }), id: `grown-${messages.length}`, parent })
      }
      await done(records.put({ ...kept, messages, leaves: [messages.at(-1)?.id ?? null] }, id))
      database.close()
    },
    [count, reply] as const,
  )
}
