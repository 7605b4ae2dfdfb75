// @module-tag slow
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { updateOption } from '@sluice/contract/routes/options'
import { listRunningCalls, stopRunningCall } from '@sluice/contract/routes/running-calls'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { openRealtimeClient, type RealtimeClient } from '@sluice/testkit/realtime-client'
import { type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** Stopping a call in any other state; `in-flight.test.ts` covers streams and plain calls. */
const SLOTS = 3
const REPLICATE = 46
const PROXY = 43

let world: GatewayWorld
let realtime: RealtimeProvider
let upstream: RawUpstream
let key: string
let proxy: number
let asked: { readonly request: string; readonly socket: Socket }[] = []

beforeAll(async () => {
  realtime = await startRealtimeProvider()
  upstream = await startRawUpstream((socket, request) => {
    if (request.startsWith('POST') && request.includes('/predictions')) socket.write(reply(PREDICTION))
    else asked.push({ request, socket })
  })
  world = await openGatewayWorld({ SLUICE_MAX_REQUESTS: String(SLOTS), SLUICE_QUEUE_TIMEOUT: '60' })
  await world.addChannel(realtime.url, ['talk'])
  await world.addChannel(upstream.url, ['held'])
  await world.addChannel(`${upstream.url}/v1/models/`, ['owner/picture'], {
    type: REPLICATE,
    model_configs: JSON.stringify({ 'owner/picture': { ratio: 1, image: { price_per_image_usd: 0.04 } } }),
  })
  proxy = await world.addChannel(upstream.url, ['any'], {
    type: PROXY,
    model_configs: JSON.stringify({ 'raw-proxy': { per_call: { usd_per_thousand_calls: 2 } } }),
  })
  key = await world.addToken(world.root)
})
beforeEach(() => {
  asked = []
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await Promise.all([realtime.close(), upstream.close()])
})

const PREDICTION = { id: 'p1', status: 'processing', urls: { get: 'https://api.replicate.com/v1/predictions/p1' } }

function reply(body: object): string {
  const text = JSON.stringify(body)
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

const post = (path: string, body: object) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const running = () => world.root.call(listRunningCalls)
async function onlyCall() {
  const [call, second] = await running()
  if (call === undefined || second !== undefined) throw new Error('exactly one call should run')
  return call
}
const stop = (request_id: string) => world.root.call(stopRunningCall, { body: { request_id } })
const rowOf = async (id: string) => (await world.rows(`select * from log where type = 2 and request_id = '${id}'`))[0]
const traceOf = async (id: string) => (await world.rows(`select * from trace where request_id = '${id}'`))[0]
const setEarlyPolicy = (value: string) =>
  world.root.call(updateOption, { body: { key: 'ClientLeftEarlyPolicy', value } })

async function takeAsked(): Promise<{ readonly request: string; readonly closed: Promise<unknown>; socket: Socket }> {
  await expect.poll(() => asked.length, { timeout: 5_000 }).toBe(1)
  const [first] = asked
  if (first === undefined) throw new Error('nothing was asked')
  return { ...first, closed: once(first.socket, 'close') }
}

/** A stopped call is answered with a status after which no client retries. */
async function expectStopped(replied: Promise<Response>): Promise<void> {
  const response = await replied
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'call_stopped' } }])
}

describe('a realtime session', () => {
  const open = (): Promise<RealtimeClient> =>
    openRealtimeClient(`${world.url}/v1/realtime?model=talk`, [], { headers: { authorization: `Bearer ${key}` } })
  const ask = (behave: string) => ({ type: 'response.create', response: { metadata: { behave } } })

  async function expectEnded(client: RealtimeClient): Promise<void> {
    expect(await client.take('error')).toMatchObject({ error: { code: 'call_stopped' } })
    expect(await client.ended).toEqual({ code: 1008, reason: 'call_stopped' })
    await expect.poll(() => realtime.open).toBe(0)
    expect(await running()).toEqual([])
  }

  test('ends in the middle of a response, of which what was made is charged', async () => {
    const client = await open()
    client.send(ask('hang'))
    await client.take('response.output_audio_transcript.delta')
    const { request_id: id, ...call } = await onlyCall()
    expect(call).toMatchObject({ stage: 'streaming', model_name: 'talk', channel_name: 'upstream' })
    await stop(id)
    await expectEnded(client)
    // Half a second of audio is ten tokens.
    expect(await rowOf(id)).toMatchObject({ ended: 'stopped', estimated: 1, completion_tokens: 10 })
    expect(await traceOf(id)).toMatchObject({ status: 400 })
  })

  test('ends between two responses without a further charge', async () => {
    const client = await open()
    client.send(ask(''))
    await client.take('response.done')
    const before = (await world.rows('select id from log where type = 2')).length
    await stop((await onlyCall()).request_id)
    await expectEnded(client)
    await world.verify()
    expect(await world.rows('select id from log where type = 2')).toHaveLength(before)
  })

  test('that has brought nothing yet costs as much as one that its client leaves', async () => {
    const session = async () => {
      const client = await open()
      client.send({ type: 'conversation.item.create', item: { content: 'word '.repeat(100) } })
      client.send(ask('think'))
      await client.take('response.created')
      const { request_id: id } = await onlyCall()
      await stop(id)
      await expectEnded(client)
      await world.verify()
      return await rowOf(id)
    }
    expect(await session()).toBeUndefined()
    await setEarlyPolicy('prompt')
    try {
      const row = await session()
      expect(row).toMatchObject({ ended: 'stopped_early', estimated: 1, completion_tokens: 0 })
      expect(Number(row?.['prompt_tokens'])).toBeGreaterThan(100)
    } finally {
      await setEarlyPolicy('void')
    }
  })
})

describe('a job that is polled', () => {
  const begin = () => post('/v1/images/generations', { model: 'owner/picture', prompt: 'A gate', n: 1 })

  test('is polled no more, and costs nothing', async () => {
    const replied = begin()
    const { request, closed } = await takeAsked()
    expect(request).toMatch(/^GET .*\/v1\/predictions\/p1 /)
    const { request_id: id, stage } = await onlyCall()
    expect(stage).toBe('asking')
    await stop(id)
    await closed
    await expectStopped(replied)
    await world.verify()
    expect(await rowOf(id)).toBeUndefined()
    expect(await traceOf(id)).toMatchObject({ status: 400 })
    expect(asked).toHaveLength(1)
  })

  test('costs its prompt where a client that leaves pays for it', async () => {
    await setEarlyPolicy('prompt')
    try {
      const replied = begin()
      await takeAsked()
      const { request_id: id } = await onlyCall()
      await stop(id)
      await expectStopped(replied)
      expect(await rowOf(id)).toMatchObject({ ended: 'stopped_early', completion_tokens: 0 })
    } finally {
      await setEarlyPolicy('void')
    }
  })
})

describe('a call of the raw proxy', () => {
  const begin = () => post(`/v1/oneapi/proxy/${proxy}/anything`, { x: 1 })

  test('that has no answer yet costs nothing', async () => {
    const replied = begin()
    const { closed } = await takeAsked()
    const { request_id: id, stage } = await onlyCall()
    expect(stage).toBe('asking')
    await stop(id)
    await closed
    await expectStopped(replied)
    await world.verify()
    expect(await rowOf(id)).toBeUndefined()
    expect(await traceOf(id)).toMatchObject({ status: 400 })
  })

  test('whose answer has begun is charged, and does not look whole', async () => {
    const replied = begin()
    const { closed, socket } = await takeAsked()
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n5\r\nbegun\r\n')
    const response = await replied
    const { request_id: id, stage } = await onlyCall()
    expect(stage).toBe('streaming')
    const text = expect(response.text()).rejects.toThrow('terminated')
    await stop(id)
    await closed
    await text
    expect(await rowOf(id)).toMatchObject({ ended: 'stopped', amount: 1_000_000n })
    expect(await traceOf(id)).toMatchObject({ status: 200 })
  })
})

describe('a call that waits for its turn', () => {
  const chat = () => post('/v1/chat/completions', { model: 'held', messages: [{ role: 'user', content: 'x' }] })

  test.each([
    ['with a model', chat],
    ['of the raw proxy', () => post(`/v1/oneapi/proxy/${proxy}/anything`, { x: 1 })],
  ])('%s leaves the queue, nobody is asked, and those before it go on', async (_, begin) => {
    const before = Array.from({ length: SLOTS }, chat)
    await expect.poll(() => asked.length).toBe(SLOTS)
    const replied = begin()
    await expect.poll(async () => (await running()).length).toBe(SLOTS + 1)
    const waiting = (await running()).filter(({ stage }) => stage === 'waiting')
    expect(waiting).toMatchObject([{ channel: 0 }])
    const id = waiting[0]?.request_id ?? ''
    await stop(id)
    await expectStopped(replied)
    for (const { socket } of asked) socket.write(reply(ANSWER))
    expect((await Promise.all(before)).map(({ status }) => status)).toEqual(before.map(() => 200))
    expect(asked).toHaveLength(SLOTS)
    expect([await rowOf(id), await running()]).toEqual([undefined, []])
    // The stopped call did not cost the next one its turn.
    asked = []
    const next = Array.from({ length: SLOTS }, chat)
    await expect.poll(() => asked.length).toBe(SLOTS)
    for (const { socket } of asked) socket.write(reply(ANSWER))
    expect((await Promise.all(next)).map(({ status }) => status)).toEqual(next.map(() => 200))
  })
})

const ANSWER = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'held',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 },
}
