import { get } from 'node:http'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''
beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast'])
  key = await world.addToken(world.root)
})
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const messages = [{ role: 'user', content: 'Hi' }]

test('clients of Anthropic find the request id where Anthropic has it, also on errors', async () => {
  for (const model of ['emu-fast', 'none']) {
    const reply = await ask('/v1/messages', { model, max_tokens: 9, messages }, { 'anthropic-version': '2023-06-01' })
    expect(reply.headers.get('request-id')).toBe(reply.headers.get('x-request-id'))
  }
  const chat = await ask('/v1/chat/completions', { model: 'emu-fast', messages })
  expect(chat.headers.has('request-id')).toBe(false)
})

test('an error that a retry cannot fix says not to retry; one that might pass says nothing', async () => {
  const retried = async (reply: Promise<Response>) => {
    const { status, headers } = await reply
    return [status, headers.get('x-should-retry')]
  }
  expect(await retried(ask('/v1/videos', {}))).toEqual([501, 'false'])
  expect(await retried(ask('/v1/chat/completions', { model: 'none', messages }))).toEqual([404, 'false'])
  expect(await retried(ask('/v1/chat/completions', { model: 'emu-fast', messages, stream: 'true' }))).toEqual([
    400,
    'false',
  ])
  const [channel] = await world.rows('select id from channel')
  await world.changeChannel({ id: Number(channel?.['id']), status: 2 })
  await expect.poll(() => retried(ask('/v1/chat/completions', { model: 'emu-fast', messages }))).toEqual([503, null])
})

test('a page of another origin can read what was lost, and whether to retry', async () => {
  const reply = await ask('/v1/chat/completions', { model: 'none', messages }, { origin: 'https://example.com' })
  const exposed = reply.headers.get('access-control-expose-headers')?.split(', ')
  expect(exposed).toEqual(expect.arrayContaining(['X-Sluice-Losses', 'X-Should-Retry', 'Request-Id', 'X-Request-Id']))
})

test('a websocket is opened at the paths of websockets, and at no other', async () => {
  const headers = {
    authorization: `Bearer ${key}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  const status = (path: string) =>
    new Promise((resolve, reject) => {
      get(world.url + path, { headers }, (reply) => resolve(reply.resume().statusCode)).on('error', reject)
    })
  expect(await status('/v1/chat/completions')).toBe(405)
  expect(await status('/v1/models')).toBe(400)
})

test('the head of the refusal of a plain request there names the protocol to change to (RFC 9110, 15.5.22)', async () => {
  for (const path of ['/v1/responses', '/v1/realtime?model=emu-fast']) {
    const plain = await fetch(world.url + path, { headers: { authorization: `Bearer ${key}` } })
    const { status, headers } = plain
    expect([path, status, headers.get('upgrade'), headers.get('connection')]).toEqual([
      path,
      426,
      'websocket',
      'Upgrade',
    ])
    expect(await plain.json()).toMatchObject({ error: { code: 'upgrade_required' } })
  }
})
