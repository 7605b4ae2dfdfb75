// @module-tag slow
import { once } from 'node:events'
import type { Socket } from 'node:net'
import {
  listOwnRunningCalls,
  listRunningCalls,
  stopOwnRunningCall,
  stopRunningCall,
} from '@sluice/contract/routes/running-calls'
import { logout } from '@sluice/contract/routes/session'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import type { ManagementClient } from '@sluice/testkit/management-client'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** Maximum listeners, such as browser tabs, of one user. */
const LISTENERS = 5
/** A stop reaches the provider in a few milliseconds; machines that run tests can be slow. */
const SOON_MS = 5_000
const MODEL = 'emu-n-tokens-4'
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'
const say = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
/** An event that lists no calls, with the gateway's time. */
const NONE = /^data: \{"data":\[\],"now":\d{13}\}\n\n$/
const END = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":4,"total_tokens":9}}\n\ndata: [DONE]\n\n`

let world: GatewayWorld
let upstream: RawUpstream
let user: ManagementClient
let other: ManagementClient
let key: string
let asked: Socket[]
let answers: boolean

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => {
    asked.push(socket)
    if (answers) socket.end(HEAD + say('Once upon a time') + END)
  })
  world = await openGatewayWorld()
  asked = []
  await world.addChannel(upstream.url, [MODEL])
  user = await world.addUser('caller', 100_000_000)
  other = await world.addUser('other', 100_000_000)
  key = await world.addToken(user)
  // After one complete answer, the gateway knows that the model hides nothing.
  answers = true
  await (await world.chat(key, { model: MODEL, stream: true })).text()
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

async function begin(body: object = {}, path = '/v1/chat/completions') {
  asked = []
  answers = false
  const reply = fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: 'Say something.' }],
      ...body,
    }),
  })
  await expect.poll(() => asked.length).toBe(1)
  const socket = asked[0]
  if (socket === undefined) throw new Error('nothing was asked')
  const closed = once(socket, 'close')
  const call = (await own()).at(-1)
  if (call === undefined) throw new Error('no call runs')
  return { reply, socket, closed, call }
}

const own = () => user.call(listOwnRunningCalls)
const stop = (request_id: string) => user.call(stopOwnRunningCall, { body: { request_id } })
const lastCharge = async () => {
  const [row] = await world.rows(
    `select prompt_tokens, completion_tokens, amount, ended from log where type = 2 order by id desc limit 1`,
  )
  return row
}

async function within<Value>(work: Promise<Value>): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`it took longer than ${SOON_MS} ms`)), SOON_MS).unref()
  })
  return await Promise.race([work, late])
}

describe('a stream', () => {
  test('is listed with what has arrived, and ends with what was delivered charged', async () => {
    const { reply, socket, closed, call } = await begin()
    expect(call).toMatchObject({ stage: 'asking', tokens: 0, quota: 0, model_name: MODEL, is_stream: true })
    socket.write(HEAD + say('Once upon'))
    const response = await reply
    socket.write(say(' a time'))
    // Estimated from its 16 bytes.
    await expect.poll(async () => (await own())[0]?.tokens).toBe(5)
    expect((await own())[0]).toMatchObject({ stage: 'streaming', username: 'caller', channel: 0, channel_name: '' })
    const [seen] = await world.root.call(listRunningCalls)
    expect(seen).toMatchObject({ username: 'caller', channel_name: 'upstream' })

    const text = response.text()
    await stop(call.request_id)
    await within(closed)
    expect(await text).toContain('"code":"call_stopped"')
    await expect.poll(lastCharge).toMatchObject({ ended: 'stopped', completion_tokens: 4 })
    const { prompt_tokens: prompt, amount } = (await lastCharge()) ?? {}
    expect(Number(amount)).toBe((Number(prompt) + 2 * 4) * 1_000)
    expect(await own()).toEqual([])
  })

  test.for([
    ['/v1/messages', { max_tokens: 100 }, '"type":"error"'],
    ['/v1/responses', { input: 'Say something.' }, '"type":"error"'],
  ] as const)('of %s ends with an error event of its dialect', async ([path, body, mark]) => {
    const { reply, socket, closed, call } = await begin(body, path)
    socket.write(HEAD + say('Once upon'))
    const text = (await reply).text()
    await stop(call.request_id)
    await within(closed)
    expect(await text).toContain(mark)
    expect(await text).toContain('This call was stopped')
  })

  test('that has brought nothing yet costs nothing', async () => {
    const before = await lastCharge()
    const { reply, closed, call } = await begin()
    await stop(call.request_id)
    await within(closed)
    expect((await reply).status).toBe(400)
    expect(await lastCharge()).toEqual(before)
  })
})

test('a plain call is stopped with a status that no client takes for a reason to try again', async () => {
  const { reply, closed, call } = await begin({ stream: false })
  expect(call).toMatchObject({ stage: 'asking', is_stream: false })
  await stop(call.request_id)
  await within(closed)
  const response = await reply
  expect([response.status, response.headers.get('retry-after')]).toEqual([400, null])
  expect(await response.json()).toMatchObject({ error: { code: 'call_stopped' } })
})

test('a call of another user is neither seen nor stopped', { tags: 'S11' }, async () => {
  const { reply, closed, call } = await begin()
  expect(await other.call(listOwnRunningCalls)).toEqual([])
  const { request_id } = call
  await expect(other.call(stopOwnRunningCall, { body: { request_id } })).rejects.toThrow('not found')
  await expect(other.call(listRunningCalls)).rejects.toThrow()
  await expect(other.call(stopRunningCall, { body: { request_id } })).rejects.toThrow()
  expect(await own()).toHaveLength(1)
  await world.root.call(stopRunningCall, { body: { request_id } })
  await within(closed)
  await (await reply).text()
  await expect(stop(request_id)).rejects.toThrow('not found')
})

describe('the list as events', () => {
  const listen = (as: ManagementClient, signal?: AbortSignal) =>
    fetch(`${world.url}/api/log/self/in-flight`, {
      headers: { cookie: as.cookie, accept: 'text/event-stream' },
      ...(signal === undefined ? {} : { signal }),
    })

  test('shows a call that begins and one that has ended', async () => {
    const abort = new AbortController()
    const reader = (await listen(user, abort.signal)).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toMatch(NONE)
    const { reply, call } = await begin()
    expect((await reader?.read())?.value).toContain(call.request_id)
    await stop(call.request_id)
    await reply
    expect((await reader?.read())?.value).toMatch(NONE)
    abort.abort()
  })

  test('is bounded for each user', { tags: 'S28' }, async () => {
    const abort = new AbortController()
    for (let i = 0; i < LISTENERS; i++) {
      // oxlint-disable-next-line no-await-in-loop -- the last one is too many
      expect((await listen(other, abort.signal)).status).toBe(200)
    }
    expect((await listen(other)).status).toBe(503)
    abort.abort()
    await expect
      .poll(async () => {
        const again = new AbortController()
        const { status } = await listen(other, again.signal)
        again.abort()
        return status
      })
      .toBe(200)
  })

  test('ends when its listener signs out', { tags: 'S17' }, async () => {
    const text = (await listen(other)).text()
    await other.call(logout)
    expect(await text).toContain('event: end')
  })
})
