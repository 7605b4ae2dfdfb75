import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Page, Route } from '@playwright/test'
import { createToken, updateToken } from '@sluice/contract/routes/tokens'
import { composeAnswer } from '@sluice/testkit/emulator/answer'
import { readChatRequest } from '@sluice/testkit/emulator/chat-request'
import { traitsOf } from '@sluice/testkit/emulator/models'
import type { ManagementClient } from '@sluice/testkit/management-client'
import type { Workbench } from '@sluice/testkit/workbench'
import { expect, test } from '../fixtures.ts'

const CALL = '**/v1/chat/completions'

const addToken = (api: ManagementClient) =>
  api.call(createToken, { body: { name: 'playground', unlimited_quota: true } })

/**
 * Until it has read one whole answer of a model, the gateway does not know that the model has no hidden reasoning, and reads an
 * abandoned call to its end.
 */
const hearWhole = (workbench: Workbench, key: string, model: string) =>
  workbench.chat(key, { model, max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] })

function thread(page: Page) {
  const failure = page.getByRole('article', { name: 'No reply' })
  return {
    questions: page.getByRole('article', { name: 'Your question' }),
    replies: page.getByRole('article', { name: 'Reply from' }),
    failure,
    retry: failure.getByRole('button', { name: 'Retry' }),
    notices: page.getByRole('region', { name: 'Notifications' }),
    stop: page.getByRole('button', { name: 'Stop', exact: true }),
    send: page.getByRole('button', { name: 'Send', exact: true }),
    message: page.getByRole('textbox', { name: 'Message', exact: true }),
  }
}

async function ask(page: Page, model: string, question = 'How does a sluice work?', url = ''): Promise<void> {
  await page.goto(`${url}/chat?model=${model}`)
  await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue(model)
  await say(page, question)
}

async function say(page: Page, question: string): Promise<void> {
  const { message, send } = thread(page)
  await message.fill(question)
  await expect(send).toBeEnabled()
  await message.press('Enter')
}

async function answerOf({ emulator }: Workbench, model: string) {
  const lastBody = () => emulator.journal.calls.at(-1)?.body ?? '{}'
  await expect.poll(() => JSON.parse(lastBody()).model).toBe(model)
  const request = readChatRequest(lastBody())
  if ('problem' in request) throw new Error(request.problem)
  const { reasoning, content } = composeAnswer(request, traitsOf(model))
  // In the middle of a stream, failures come after three words.
  return { reasoning: reasoning.join(''), text: content.join(''), beginning: content.slice(0, 3).join('') }
}

async function choose(page: Page, model: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Model', exact: true })
  await field.fill(model)
  await page.getByRole('option', { name: new RegExp(`^${model}(?!-)`) }).click()
  await expect(field).toHaveValue(model)
}

async function openLine(gatewayUrl: string) {
  const { hostname, port } = new URL(gatewayUrl)
  const ends = new Set<Socket>()
  const server = createServer((browser) => {
    const gateway = connect(Number(port), hostname)
    for (const end of [browser, gateway]) {
      ends.add(end)
      end.on('error', () => end.destroy()).on('close', () => ends.delete(end))
    }
    browser.pipe(gateway).pipe(browser)
  })
  const cut = () => ends.forEach((end) => end.resetAndDestroy())
  await once(server.listen(0, hostname), 'listening')
  const address = server.address() as AddressInfo
  return {
    url: `http://${hostname}:${address.port}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      await once(server.close(), 'close')
    },
  }
}

const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`
const streamed = (route: Route, ...events: readonly string[]) =>
  route.fulfill({ contentType: 'text/event-stream', body: events.join('') })

test(
  'reasoning and text arrive in every form that providers send, and cost what the receipt says',
  { tag: ['@C4.11', '@C7.12', '@C7.17', '@C7.18', '@whole'] },
  async ({ userPage: page, user, workbench }) => {
    await addToken(user.api)
    const models = ['emu-reasoning', 'emu-reasoning-plain', 'emu-thinking', 'emu-parts']
    await workbench.addChannel(models, { name: user.username })
    const { replies } = thread(page)
    for (const [index, model] of models.entries()) {
      if (index === 0) await ask(page, model)
      else {
        await choose(page, model)
        await say(page, 'How does a sluice work?')
      }
      const reply = replies.nth(index)
      await expect(reply.getByRole('list', { name: 'Details of this reply' })).toContainText(model)
      await reply.getByRole('button', { name: 'Reasoning' }).click()
      const { reasoning, text } = await answerOf(workbench, model)
      await expect(reply).toContainText(reasoning)
      await expect(reply).toContainText(text)
      await expect(reply.getByRole('link', { name: /open in the logs/ })).toBeVisible()
    }
  },
)

test(
  'a refusal before the stream is shown in place of the reply and as a notice, and can be retried',
  { tag: ['@C4.15', '@C4.17', '@C8.8'] },
  async ({ userPage: page, user, workbench }) => {
    await addToken(user.api)
    await workbench.addChannel(['emu-fast', 'emu-error-400'], { name: user.username })
    const { failure, notices, retry, replies, questions } = thread(page)
    await ask(page, 'emu-error-400')
    await expect(notices).toContainText('The emulator refuses this request.')
    await expect(failure).toContainText('The emulator refuses this request.')

    const shown = 'The answer in its own words'
    const answers: readonly [body: string, shown: string][] = [
      [JSON.stringify({ error: { message: shown }, message: 'x' }), shown],
      [JSON.stringify({ error: `${shown} as text` }), `${shown} as text`],
      [JSON.stringify({ message: `${shown} beside`, detail: 'x' }), `${shown} beside`],
      [JSON.stringify({ detail: `${shown} in detail` }), `${shown} in detail`],
      ['{"reason":7}', 'HTTP 418: {"reason":7}'],
      ['no healthy upstream', 'no healthy upstream'],
    ]
    let body = ''
    await page.route(CALL, (route) => route.fulfill({ status: 418, body }))
    for (const [answer, shown] of answers) {
      body = answer
      await retry.click()
      await expect(notices.getByText(shown, { exact: true })).toBeVisible()
      await expect(failure.getByText(shown, { exact: true })).toBeVisible()
    }
    await page.unroute(CALL)
    await choose(page, 'emu-fast')
    await retry.click()
    await expect(replies).toContainText((await answerOf(workbench, 'emu-fast')).text)
    await expect(failure).toHaveCount(0)
    await expect(questions).toHaveCount(1)
  },
)

test(
  'a call that reaches no one, or an answer without a body, says what failed',
  { tag: ['@C8.9', '@C8.10'] },
  async ({ userPage: page, user, workbench }) => {
    await addToken(user.api)
    await workbench.addChannel(['emu-fast'], { name: user.username })
    const { failure, notices, retry } = thread(page)
    await page.route(CALL, (route) => route.abort())
    await ask(page, 'emu-fast')
    await expect(notices).toContainText('Failed to send message')
    await expect(failure).toContainText('Failed to send message')
    await retry.click()
    await expect(notices).toContainText('Failed to regenerate message')
    await expect(failure).toContainText('Failed to regenerate message')
    await page.unroute(CALL)
    await page.route(CALL, (route) => route.fulfill({ status: 204 }))
    await retry.click()
    await expect(notices).toContainText('No response body')
    await expect(failure).toContainText('No response body')
  },
)

test(
  'an error inside the stream takes the place of the reply and leaves what had arrived visible',
  { tag: ['@C4.15', '@C8.9'] },
  async ({ userPage: page, user, workbench }) => {
    await addToken(user.api)
    const models = ['emu-error-in-stream', 'emu-cut-mid', 'emu-end-mid', 'emu-malformed']
    await workbench.addChannel(models, { name: user.username })
    const { failure, notices, retry } = thread(page)
    const says = [
      'The emulator had an error.',
      'was interrupted: the connection was closed.',
      'was interrupted: it ended without a finish reason.',
      'The provider sent an incomplete event.',
    ]
    await ask(page, models[0] ?? '')
    for (const [index, text] of says.entries()) {
      await expect(notices).toContainText(text)
      await expect(failure).toContainText(text)
      await expect(failure).toContainText((await answerOf(workbench, models[index] ?? '')).beginning)
      const next = models[index + 1]
      if (next === undefined) break
      await choose(page, next)
      await retry.click()
    }

    const endings: readonly [ending: string, shown: string][] = [
      ['data: {"type":"error","error":"Out of breath"}\n\n', 'Out of breath'],
      [event({ type: 'error' }), 'Stream error'],
      ['', 'The stream ended before the reply was complete.'],
    ]
    let ending = ''
    await page.route(CALL, (route) => streamed(route, event({ content: 'So far so good' }), ending))
    for (const [bytes, shown] of endings) {
      ending = bytes
      await retry.click()
      await expect(failure.getByText(shown, { exact: true })).toBeVisible()
      await expect(failure).toContainText('So far so good')
    }
    await page.unroute(CALL)
  },
)

test('a connection that breaks in the middle leaves what had arrived, after a reload too', async ({
  userPage: page,
  user,
  workbench,
}) => {
  await addToken(user.api)
  await workbench.addChannel(['emu-stall'], { name: user.username })
  const { failure, replies } = thread(page)
  await using line = await openLine(workbench.gateway.url)
  await ask(page, 'emu-stall', 'How does a sluice work?', line.url)
  const { beginning } = await answerOf(workbench, 'emu-stall')
  await expect(replies).toContainText(beginning)
  line.cut()
  await expect(failure).toContainText('The connection was lost before the reply was complete.')
  await expect(failure).toContainText(beginning)
  await page.reload()
  await expect(failure).toContainText(beginning)
})

test(
  'a deleted token fails the question, and nothing else',
  { tag: ['@C6.4', '@C7.15'] },
  async ({ userPage: page, user, workbench }) => {
    const { id, key } = await addToken(user.api)
    await workbench.addChannel(['emu-fast'], { name: user.username })
    const { failure, replies } = thread(page)
    const call = page.waitForRequest(CALL)
    await ask(page, 'emu-fast')
    const headers = await (await call).allHeaders()
    expect(headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    })
    expect(headers).not.toHaveProperty('cookie')
    await expect(replies).toContainText((await answerOf(workbench, 'emu-fast')).text)

    await user.api.call(updateToken, { query: { status_only: '1' }, body: { id, status: 2 } })
    const answer = page.waitForResponse(CALL)
    await say(page, 'And now?')
    expect((await answer).status()).toBe(401)
    await expect(failure).toContainText(/disabled/i)
    await expect(page).toHaveURL(/\/chat/)
    await page.goto('/tokens')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  },
)

test(
  'a slow start waits, a silence of five minutes ends the reply',
  { tag: ['@C4.10', '@C4.13'] },
  async ({ userPage: page, user, workbench }) => {
    await addToken(user.api)
    await workbench.addChannel(['emu-delay-700', 'emu-stall'], { name: user.username })
    await page.clock.install()
    const { failure, replies, stop, retry } = thread(page)
    await ask(page, 'emu-delay-700')
    await expect(replies).toContainText('Waiting for emu-delay-700')
    await expect(page.getByText('Generating', { exact: true })).toBeVisible()
    await expect(replies).toContainText((await answerOf(workbench, 'emu-delay-700')).text)
    await expect(stop).toHaveCount(0)

    await choose(page, 'emu-stall')
    await say(page, 'Are you there?')
    const { beginning } = await answerOf(workbench, 'emu-stall')
    await expect(replies.last()).toContainText(beginning)
    await page.clock.fastForward('05:00')
    await expect(failure).toContainText('Nothing arrived for 5 minutes')
    await expect(failure).toContainText(beginning)
    await expect(retry).toBeEnabled()
  },
)

test(
  'Stop ends the call up to the provider, removes the reply and says so; the next question is accepted',
  { tag: ['@C4.12', '@C4.13', '@C4.14'] },
  async ({ userPage: page, user, workbench }) => {
    const { key } = await addToken(user.api)
    await workbench.addChannel(['emu-echo', 'emu-pace-4000-50'], { name: user.username })
    await hearWhole(workbench, key, 'emu-pace-4000-50')
    const { questions, replies, notices, stop, message, send } = thread(page)
    await ask(page, 'emu-pace-4000-50')
    await expect(replies).toContainText((await answerOf(workbench, 'emu-pace-4000-50')).beginning)
    await message.press('Enter')
    await expect(message).toHaveAttribute('readonly')
    await expect(page.getByText('Generating', { exact: true })).toBeVisible()
    const { abandoned } = workbench.emulator.journal
    await stop.click()
    await expect(notices.getByText('Request Cancelled', { exact: true })).toBeVisible()
    await expect(notices).toContainText('The part that the provider had generated by then may be charged.')
    await expect(replies).toHaveCount(0)
    await expect(questions).toHaveCount(1)
    await expect(send).toBeVisible()
    await expect.poll(() => workbench.emulator.journal.abandoned).toBe(abandoned + 1)

    await choose(page, 'emu-echo')
    await say(page, 'Say this again')
    await expect(replies).toContainText('Say this again')
  },
)

test('leaving the page ends the call and keeps what had arrived', async ({ userPage: page, user, workbench }) => {
  const { key } = await addToken(user.api)
  await workbench.addChannel(['emu-pace-4000-60'], { name: user.username })
  await hearWhole(workbench, key, 'emu-pace-4000-60')
  const { replies } = thread(page)
  await ask(page, 'emu-pace-4000-60')
  const { beginning } = await answerOf(workbench, 'emu-pace-4000-60')
  await expect(replies).toContainText(beginning)
  const { abandoned } = workbench.emulator.journal
  await page.getByRole('link', { name: 'Tokens', exact: true }).click()
  await expect.poll(() => workbench.emulator.journal.abandoned).toBe(abandoned + 1)
  await page.goBack()
  await expect(replies).toContainText(beginning)
  await expect(thread(page).stop).toHaveCount(0)
})

test('huge answers arrive whole, in one piece or in thousands', async ({ userPage: page, user, workbench }) => {
  // A million characters without a space take a busy machine a while to lay out.
  const layout = { timeout: 20_000 }
  await addToken(user.api)
  await workbench.addChannel(['emu-huge-frame', 'emu-n-tokens-4000'], { name: user.username })
  const { replies } = thread(page)
  await ask(page, 'emu-n-tokens-4000')
  const { text } = await answerOf(workbench, 'emu-n-tokens-4000')
  expect(text.length).toBeGreaterThan(17_000)
  await expect(replies).toContainText(text)

  await choose(page, 'emu-huge-frame')
  await say(page, 'And all at once?')
  await expect(replies.last().getByRole('list', { name: 'Details of this reply' })).toContainText(
    'emu-huge-frame',
    layout,
  )
  expect((await replies.last().textContent())?.length).toBeGreaterThan(1 << 20)
})
