import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const add = (model: string, upstream: string) =>
  world.addChannel(emulator.at(model), [model], {
    model_mapping: JSON.stringify({ [model]: upstream }),
    model_configs: JSON.stringify({ [upstream]: { ratio: 1 } }),
  })

const fallbacks = (value: object) =>
  world.root.call(updateOption, { body: { key: 'ModelFallbacks', value: JSON.stringify(value) } })

async function lastAttempts() {
  const [row] = await world.rows('select attempts from trace order by request_id desc limit 1')
  return JSON.parse(String(row?.['attempts'])) as readonly Readonly<Record<string, unknown>>[]
}

describe('a request that its fallback cannot take', () => {
  test('goes to the next fallback', async () => {
    await add('big', 'emu-error-500')
    await add('small', 'emu-error-400')
    await add('other', 'emu-fast')
    await fallbacks({ big: ['small', 'other'] })
    const reply = await world.chat(key, { model: 'big' })
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
    await world.verify()
    expect(await lastAttempts()).toMatchObject([
      { status: 500, cause: 'provider' },
      { status: 400, cause: 'request' },
      { status: 200 },
    ])
  })

  test('is told what happened to the model that it requested: it is not a mistake of the client', async () => {
    await add('long', 'emu-error-503')
    await add('short', 'emu-error-400')
    await fallbacks({ long: ['short'] })
    const reply = await world.chat(key, { model: 'long' })
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('The emulator had an error.')])
  })

  test('is told what the fallback says where nothing else was called', async () => {
    await add('only', 'emu-error-400')
    await fallbacks({ absent: ['only'] })
    const reply = await world.chat(key, { model: 'absent' })
    expect([reply.status, await reply.text()]).toEqual([400, expect.any(String)])
  })
})

test('a 403 might be about the request: it puts a key into cooldown only when nothing else is answered', async () => {
  const upstreams = { shut: 'emu-error-403', open: 'emu-fast' }
  await world.addChannel(emulator.at('shut'), ['shut', 'open'], {
    model_mapping: JSON.stringify(upstreams),
    model_configs: '{"emu-error-403":{"ratio":1},"emu-fast":{"ratio":1}}',
  })
  const ask = async (model: string) => {
    const reply = await world.chat(key, { model })
    await reply.arrayBuffer()
    await world.verify()
    return (await lastAttempts())[0]
  }
  const denied = { status: 403, error: 'upstream_rejected', cause: 'account' }
  for (const model of ['shut', 'shut', 'open', 'shut', 'shut']) {
    const attempt = await ask(model)
    expect(attempt).toMatchObject(model === 'open' ? { status: 200 } : denied)
    expect(attempt).not.toHaveProperty('rest')
  }
  expect(await ask('shut')).toMatchObject({ ...denied, rest: { cause: 'account' } })
})

test('a provider that is called too often, and does not say for how long to wait, still serves when there is no other', async () => {
  await add('narrow', 'emu-limited')
  const ask = async () => {
    const reply = await world.chat(key, { model: 'narrow' })
    await reply.arrayBuffer()
    return reply.status
  }
  for (let n = 0; n < 3; n++) expect(await ask()).toBe(429)
  const sent = emulator.journal.received
  emulator.faults.switchOn({ at: 'narrow', as: 'emu-fast' })
  expect(await ask()).toBe(200)
  expect(emulator.journal.received).toBe(sent + 1)
})

test('a model that is down does not use up the retries of others', async () => {
  for (let n = 0; n < 3; n++) await add('down', 'emu-error-500')
  const ask = async (model: string) => {
    const reply = await world.chat(key, { model })
    await reply.arrayBuffer()
    return reply.status
  }
  await Promise.all(Array.from({ length: 40 }, () => ask('down')))
  expect(await ask('down')).toBe(500)
  await add('hiccup', 'emu-fast')
  await world.addChannel(emulator.at('hiccup'), ['hiccup'], {
    model_mapping: '{"hiccup":"emu-error-500"}',
    model_configs: '{"emu-error-500":{"ratio":1}}',
    priority: 9,
  })
  expect(await ask('hiccup')).toBe(200)
})

test('a caller who cannot pay for a dearer fallback is served by the requested model', async () => {
  await add('plenty', 'emu-fast')
  await world.addChannel(emulator.at('luxury'), ['luxury'], {
    model_mapping: '{"luxury":"emu-fast"}',
    model_configs: '{"emu-fast":{"ratio":100000}}',
  })
  await fallbacks({ plenty: ['luxury'] })
  const poor = await world.addToken(await world.addUser('poor', 100_000))
  const reply = await world.chat(poor, { model: 'plenty', max_tokens: 10 })
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
  await world.verify()
  const [row] = await world.rows('select held from trace order by request_id desc limit 1')
  expect(Number(row?.['held'])).toBeLessThan(100_000_000)
})

describe('a stream that ends with an error of the provider', () => {
  let provider: RawUpstream
  let reported: object = {}
  beforeAll(async () => {
    provider = await startRawUpstream((socket) => {
      const chunk = { id: '1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Yes' } }] }
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
      socket.end(`${head}data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify({ error: reported })}\n\n`)
    })
  })
  afterAll(() => provider.close())

  const ask = async (model: string) => {
    const reply = await world.chat(key, { model, stream: true })
    const text = await reply.text()
    await world.verify()
    return { text, attempt: (await lastAttempts())[0] }
  }

  test('about the request leaves its lane in use, however often', async () => {
    reported = { message: 'No.', type: 'invalid_request_error', code: 'content_policy_violation' }
    await world.addChannel(provider.url, ['filtered'])
    for (let n = 0; n < 11; n++) {
      const { text, attempt } = await ask('filtered')
      expect(text).toContain('content_policy_violation')
      expect(attempt).toMatchObject({ error: 'upstream_broken', cause: 'request' })
      expect(attempt).not.toHaveProperty('rest')
    }
  })

  test('about its account puts its key into cooldown; the client is not told of an account that is not its own', async () => {
    reported = { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' }
    await world.addChannel(provider.url, ['spent'])
    const { text, attempt } = await ask('spent')
    expect(text).toContain('The provider rejected this channel’s credentials or account.')
    expect(text).not.toContain('quota')
    expect(attempt).toMatchObject({ error: 'upstream_broken', cause: 'account', rest: { cause: 'account' } })
  })
})
