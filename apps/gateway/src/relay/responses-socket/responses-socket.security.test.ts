// @module-tag slow
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient, type RealtimeClient } from '@sluice/testkit/realtime-client'
import { startSteppedUpstream, type SteppedUpstream } from '@sluice/testkit/stepped-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let emulator: Emulator
let stepped: SteppedUpstream
let world: GatewayWorld
let key = ''

const BODY_LIMIT = 1_048_576

beforeAll(async () => {
  emulator = await startEmulator()
  stepped = await startSteppedUpstream()
  world = await openGatewayWorld({
    SLUICE_BODY_LIMIT: String(BODY_LIMIT),
    SLUICE_BODY_MEMORY: String(8 * BODY_LIMIT),
    SLUICE_CLIENT_STALL_TIMEOUT: '1',
  })
  await world.addChannel(emulator.url, ['emu-fast'])
  await world.addChannel(stepped.url, ['held'])
  key = await world.addToken(world.root)
})
afterEach(async () => {
  // Requests left running by a failed test must not fail the next one.
  while (stepped.open > 0) await stepped.finish()
  await world.verify()
})
afterAll(async () => {
  await world.close()
  await emulator.close()
  await stepped.close()
})

const open = (withKey = key, headers: Readonly<Record<string, string>> = {}): Promise<RealtimeClient> =>
  openRealtimeClient(`${world.url}/v1/responses`, [], {
    headers: { ...(withKey === '' ? {} : { authorization: `Bearer ${withKey}` }), ...headers },
  })
const ask = (model: string, more: object = {}) => ({
  type: 'response.create',
  model,
  input: 'Hi',
  store: false,
  ...more,
})
const done = (client: RealtimeClient) => client.take('response.completed')

async function refusal(opening: Promise<RealtimeClient>): Promise<string> {
  try {
    await (await opening).close()
  } catch (error) {
    const { status, body } = error as { status: number; body: string }
    return `${status} ${(JSON.parse(body) as { error: { code: string } }).error.code}`
  }
  throw new Error('the connection was let in')
}

test('a caller without a good key is refused before the handshake', { tags: 'S25' }, async () => {
  for (const [withKey, expected] of [
    ['', '401 missing_key'],
    ['sk-nobody', '401 invalid_key'],
    [await world.addToken(world.root, { expired_time: 1 }), '401 token_expired'],
    [await world.addToken(world.root, { unlimited_quota: false, remain_quota: 0 }), '401 token_exhausted'],
    [await world.addToken(world.root, { subnet: '203.0.113.0/24' }), '403 subnet_not_allowed'],
  ] as const) {
    expect(await refusal(open(withKey))).toBe(expected)
  }
})

test('a proxy that takes the upgrade away is told by the status on which Codex goes on with POST', async () => {
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(`${world.url}/v1/responses`, { headers })
  expect(reply.status).toBe(426)
  expect(await reply.json()).toMatchObject({ error: { code: 'upgrade_required' } })
})

describe('each request is held to the limits of its key', { tags: 'S25' }, () => {
  test('the models that it may use, and its budgets', async () => {
    const client = await open(
      await world.addToken(world.root, { models: 'held', budgets: [{ period: 'day', quota: 1 }] }),
    )
    client.send(ask('emu-fast'))
    expect(await client.take('error')).toMatchObject({ status: 403, error: { code: 'model_not_allowed' } })
    client.send(ask('held'))
    expect(await client.take('error')).toMatchObject({ status: 403, error: { code: 'token_budget_exhausted' } })
    await client.close()
  })

  test('requests at the same time, and tokens per minute', async () => {
    const client = await open(await world.addToken(world.root, { concurrency: 1, tpm: 30 }))
    client.send(ask('held', { stream_id: 'a' }))
    await client.take('response.created')
    client.send(ask('held', { stream_id: 'b' }))
    expect(await client.take('error')).toMatchObject({ status: 429, error: { code: 'rate_limited' }, stream_id: 'b' })
    for (const _ of [1, 2]) {
      await stepped.finish()
      await done(client)
      client.send(ask('held', { stream_id: 'a' }))
    }
    expect(await client.take('error')).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
    await client.close()
  })

  test('quota, however many streams ask for it at once', { tags: 'S23' }, async () => {
    const user = await world.addUser('crowd', 80)
    const client = await open(await world.addToken(user))
    const before = stepped.bodies.length
    for (let i = 0; i < 8; i++) client.send(ask('held', { stream_id: String(i), max_output_tokens: 10 }))
    for (let i = 0; i < 6; i++)
      expect(await client.take('error')).toMatchObject({ error: { type: 'insufficient_quota' } })
    await expect.poll(() => stepped.bodies.length - before).toBe(2)
    await stepped.finish()
    await stepped.finish()
    await done(client)
    await done(client)
    await client.close()
  })
})

test('a connection remembers nothing for others, even of the same user', { tags: 'S11' }, async () => {
  const client = await open()
  client.send(ask('emu-fast'))
  const { id } = (await done(client))['response'] as { id: string }
  const stranger = await open(await world.addToken(await world.addUser('stranger', 1_000_000)))
  stranger.send(ask('emu-fast', { previous_response_id: id }))
  expect(await stranger.take('error')).toMatchObject({ error: { code: 'previous_response_not_found' } })
  await stranger.close()
  await client.close()
})

test('the key that opened a connection reaches no provider and no log', { tags: 'S20' }, async () => {
  const secret = await world.addToken(world.root)
  const client = await open('', { cookie: 'session=1', 'x-api-key': secret })
  client.send(ask('emu-fast'))
  await done(client)
  await client.close()
  const bare = secret.replace(/^sk-/, '')
  const { headers, body } = emulator.journal.calls.at(-1) ?? {}
  expect(JSON.stringify([headers, body])).not.toMatch(new RegExp(`${bare}|session=1`))
  expect(world.log.join('\n')).not.toContain(bare)
})

describe('frames and memory', { tags: ['S27', 'S43'] }, () => {
  test('a frame that is larger than a body may be is refused, and the connection stays', async () => {
    const client = await open()
    client.send(ask('emu-fast', { input: 'x'.repeat(3 * BODY_LIMIT) }))
    client.send(ask('emu-fast'))
    expect(await client.take('error')).toMatchObject({ status: 413, error: { code: 'body_too_large' } })
    await done(client)
    await client.close()
  })

  test('a conversation that has become larger than a body may be is refused', async () => {
    const client = await open()
    client.send(ask('emu-fast', { input: 'x'.repeat(600_000) }))
    const { id } = (await done(client))['response'] as { id: string }
    client.send(ask('emu-fast', { input: 'x'.repeat(600_000), previous_response_id: id }))
    expect(await client.take('error')).toMatchObject({ status: 413, error: { code: 'body_too_large' } })
    client.send(ask('emu-fast', { previous_response_id: id }))
    await done(client)
    await client.close()
  })

  test('bodies of frames count against the share of their owner, from the announced length on', async () => {
    const client = await open()
    // A user's share is two million bytes here. Bodies are also remembered, so only two of six fit.
    for (let i = 0; i < 6; i++) client.send(ask('held', { stream_id: String(i), input: 'x'.repeat(500_000) }))
    const refused = await client.take('error')
    expect(refused).toMatchObject({ status: 429, error: { code: 'rate_limited' } })
    expect(JSON.stringify(refused)).toContain('bytes of request bodies')
    for (const _ of [1, 2]) {
      await stepped.finish()
      await done(client)
    }
    client.send(ask('emu-fast', { input: 'x'.repeat(500_000) }))
    await done(client)
    await client.close()
  })

  test('frames that arrive in one piece are read one by one', async () => {
    const client = await open()
    for (let i = 0; i < 20; i++) client.send('{}')
    for (let i = 0; i < 20; i++) await client.take('error')
    expect(client.events).toEqual([])
    await client.close()
  })

  test('concurrent responses on one connection have a limit', async () => {
    const client = await open()
    for (let i = 0; i < 9; i++) client.send(ask('held', { stream_id: String(i) }))
    expect(await client.take('error')).toMatchObject({ status: 429, stream_id: '8' })
    for (let i = 0; i < 8; i++) {
      await stepped.finish()
      await done(client)
    }
    await client.close()
  })

  test('a client that reads nothing holds its providers back, and is cut off in the end', async () => {
    const before = (await world.rows('select id from log where type = 2')).length
    const client = await open()
    client.send(ask('held'))
    await client.take('response.output_text.delta')
    client.pause()
    const text = 'x'.repeat(1_000_000)
    for (let i = 0; i < 60; i++) stepped.say(text)
    await expect.poll(() => stepped.open).toBe(0)
    client.cut()
    await expect.poll(async () => (await world.rows('select id from log where type = 2')).length).toBe(before + 1)
    const [row] = await world.rows('select ended from log where type = 2 order by id desc limit 1')
    expect(row).toEqual({ ended: 'client_gone' })
  })

  test('a client that leaves its errors unread is read no further', async () => {
    const { host, hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    const head = `GET /v1/responses HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`
    const keys = `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer ${key}\r\n`
    socket.write(`${head}${keys}\r\n`)
    await once(socket, 'data')
    socket.pause()
    socket.on('error', () => {})
    // A masked frame with `{}`, which is answered with about two hundred bytes.
    const frames = Buffer.concat(
      Array.from({ length: 10_000 }, () => Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d])),
    )
    let written = 0
    for (; !socket.destroyed && written < 1_000; written++) {
      if (!socket.write(frames)) {
        await new Promise<void>((resolve) => socket.once('drain', resolve).once('close', () => resolve()))
      }
    }
    expect(written).toBeLessThan(1_000)
    socket.destroy()
  })
})
