import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { listRunningCalls, stopRunningCall } from '@sluice/contract/routes/running-calls'
import { listTokenPauses, releaseTokenPause } from '@sluice/contract/routes/token-pauses'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** Stop and guard where the calls run in two threads beside the ledger; every request comes on a connection of its own. */
const MANY = 12
/** 5 tokens read and 10 made, at 1 and 2 quota. */
const COST = 25

let world: GatewayWorld
let upstream: RawUpstream
/** Connections of the calls that the provider leaves unanswered: those of the model `held`. */
let held: Socket[] = []

beforeAll(async () => {
  upstream = await startRawUpstream((socket, asked) => {
    if (asked.includes('"model":"held"')) held.push(socket)
    else socket.write(reply(ANSWER))
  })
  world = await openGatewayWorld({ SLUICE_RELAY_THREADS: '2', SLUICE_LOG_LEVEL: 'warn' })
  await world.addChannel(upstream.url, ['m', 'held'])
})
afterEach(async () => {
  held = []
  await world.verify()
})
afterAll(async () => {
  await world.close()
  await upstream.close()
})

const ANSWER = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 },
}
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
const say = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

function reply(body: object): string {
  const text = JSON.stringify(body)
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

interface Reply {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | undefined
}

function chat(key: string, body: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
    const options = { method: 'POST', headers: all, agent: false }
    const sent = request(`${world.url}/v1/chat/completions`, options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      const { statusCode: status = 0 } = answer
      answer.on('end', () => resolve({ status, text, retryAfter: answer.headers['retry-after'] }))
    })
    const asked = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Really?' }], ...body }
    sent.on('error', reject).end(JSON.stringify(asked))
  })
}

let turns = 0
/** A further turn of a session: no two have the same body. */
const turn = (key: string, more: object = {}) =>
  chat(key, { messages: [{ role: 'user', content: `turn ${(turns += 1)}` }], ...more }, { 'x-session-id': 'one' })
const many = <Result>(make: () => Result): Result[] => Array.from({ length: MANY }, make)
const statusesOf = async (replies: readonly Promise<Reply>[]) =>
  (await Promise.all(replies)).map(({ status }) => status).toSorted((a, b) => a - b)
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

it('streams of both threads are stopped, and what was delivered of each is charged', async () => {
  const key = await world.addToken(world.root)
  const replies = many(() => chat(key, { model: 'held', stream: true }))
  await expect.poll(() => held.length).toBe(MANY)
  const closed = held.map((socket) => once(socket, 'close'))
  for (const socket of held) socket.write(HEAD + say('Once upon a time'))
  const running = () => world.root.call(listRunningCalls)
  // By its size: 16 bytes.
  await expect.poll(async () => (await running()).map(({ tokens }) => tokens)).toEqual(times(MANY, 5))
  const ids = (await running()).map(({ request_id }) => request_id)
  await Promise.all(ids.map((request_id) => world.root.call(stopRunningCall, { body: { request_id } })))
  await Promise.all(closed)
  for (const { text } of await Promise.all(replies)) expect(text).toContain('"code":"call_stopped"')
  expect(await running()).toEqual([])
  const rows = await world.rows(`select request_id, ended, amount, prompt_tokens, completion_tokens from log
    where type = 2 order by request_id`)
  expect(rows.map((row) => row['request_id'])).toEqual(ids.toSorted())
  for (const { ended, amount, prompt_tokens: prompt, completion_tokens: made } of rows) {
    expect(ended).toBe('stopped')
    // Nothing is known yet of what the model hides, so its time counts, too.
    expect(Number(made)).toBeGreaterThanOrEqual(4)
    expect(Number(amount)).toBe((Number(prompt) + 2 * Number(made)) * 1_000)
  }
})

describe('the guard of a token counts both threads together', () => {
  it('the amount of a session, over calls at the same time and one after the other, until it is released', async () => {
    // Four turns, each of which holds 54, or a little more.
    const key = await world.addToken(world.root, { name: 'amount', session_quota: 3 * COST + 60 })
    let over = 0
    const replies = many(() => turn(key, { model: 'held' }).finally(() => (over += 1)))
    await expect.poll(() => [held.length, over], { timeout: 10_000 }).toEqual([2, MANY - 2])
    for (const socket of held) socket.write(reply(ANSWER))
    expect(await statusesOf(replies)).toEqual([...times(2, 200), ...times(MANY - 2, 429)])
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      // oxlint-disable-next-line no-await-in-loop -- an agent sends one turn after the other
      statuses.push((await turn(key)).status)
    }
    expect(statuses).toEqual([200, 200, 429])
    await expect.poll(async () => (await world.root.call(listTokenPauses)).length).toBe(1)
    const [pause] = await world.root.call(listTokenPauses)
    if (pause === undefined) throw new Error('nothing is paused')
    const { token_id, rule, subject } = pause
    expect([rule, pause.token_name]).toEqual(['session', 'amount'])
    await world.root.call(releaseTokenPause, { body: { token_id, rule, subject } })
    expect(await statusesOf([turn(key)])).toEqual([200])
  })

  it('the same body', async () => {
    const key = await world.addToken(world.root, { repeat_rpm: 5 })
    expect(await statusesOf(many(() => chat(key)))).toEqual([...times(5, 200), ...times(MANY - 5, 429)])
    expect(await chat(key)).toMatchObject({ status: 429, text: expect.stringContaining('session_paused') as string })
  })

  it('its quiet hours', async () => {
    const at = (shift: number) => new Date(Date.now() + shift * 3_600_000).toISOString().slice(11, 16)
    const key = await world.addToken(world.root, { quiet_hours: `${at(-1)}-${at(2)} UTC` })
    for (const { status, text, retryAfter } of await Promise.all(many(() => chat(key)))) {
      expect([status, text]).toEqual([429, expect.stringContaining('quiet hours')])
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
  })
})
