import type { Page } from '@playwright/test'
import { createToken } from '@sluice/contract/routes/tokens'
import { expect, test as base } from '../../tests/console/fixtures.ts'
import { growConversation } from '../../tests/console/grown-conversation.ts'
import { longAnswer } from '../../tests/console/long-answer.ts'
import { longestTasks } from './busy-time.ts'
import { slowness } from './slowness.ts'

/** Repeats the question, 24 characters every 8 ms, like a fast model. */
const MODEL = 'emu-echo-8'
/**
 * Longest task in milliseconds while an answer streams, with a processor four times slower. The promise is 50; the best of three
 * tries took 48 to 92 on a shared machine, so this limit only catches regressions.
 */
const LONGEST_TASK_MS = 100
/** The same while long conversations scroll, at full speed. */
const LONGEST_SCROLL_MS = 50
/** Milliseconds between two frames, at 60 per second. */
const PICTURE_MS = 1_000 / 60
/** Late frames allowed in two seconds, because rows that appear for the first time are laid out then. */
const MOST_LATE = 12
/** A time is the best of this many tries, if the first is not good enough: a busy machine only ever adds to it. */
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
  const reported = tries.map(
    ({ tasks, slower }) =>
      `${tasks
        .slice(0, 6)
        .map((ms) => ms.toFixed(0))
        .join(' ')} ms on a machine x${slower.toFixed(2)}`,
  )
  console.info(`streaming 17 kB, longest tasks: ${reported.join('; ')}`)
  expect(Math.min(...tries.map(({ tasks, slower }) => (tasks[0] ?? 0) / slower))).toBeLessThanOrEqual(LONGEST_TASK_MS)
})

test('two hundred messages scroll without late frames', async ({ chat: page, browser }) => {
  test.slow()
  await question(page).fill('first words')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /^Reply/ })).toHaveText(/first words/)
  await expect(stop(page)).toHaveCount(0)
  // The reply is stored a moment after it appears and overwrites earlier changes, so the conversation is changed only when no page
  // holds it.
  await expect(() => growConversation(page, 2, '')).toPass()
  const address = page.url()
  await page.goto('/about')
  await growConversation(page, 200, longAnswer(1_200))
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
    // After a reload none of the page's rows are laid out, so each try does all the work.
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
})
