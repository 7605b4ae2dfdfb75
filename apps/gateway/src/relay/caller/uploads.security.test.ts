import { connect, type Socket } from 'node:net'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''
const BODY_LIMIT = 65_536
const BODY_MEMORY = 1_048_576
const uploads: Socket[] = []

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld({
    SLUICE_BODY_LIMIT: String(BODY_LIMIT),
    SLUICE_BODY_MEMORY: String(BODY_MEMORY),
    SLUICE_BODY_TIMEOUT: '5',
    SLUICE_TRUSTED_PROXIES: '127.0.0.1',
  })
  await world.addChannel(emulator.url, ['emu-fast'])
  key = await world.addToken(world.root)
})
afterEach(async () => {
  for (const upload of uploads.splice(0)) upload.destroy()
  await world.verify()
})
afterAll(async () => {
  await world.close()
  await emulator.close()
})

interface Upload {
  readonly socket: Socket
  readonly text: () => string
}

/** Sends all but the last byte of the largest body, or nothing of it. */
async function upload(headers: string, path: string, sent = BODY_LIMIT - 1): Promise<Upload> {
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
  uploads.push(socket)
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString())).on('error', () => {})
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}`
  await new Promise((resolve) =>
    socket.write(`${head}Content-Length: ${BODY_LIMIT}\r\n\r\n${' '.repeat(sent)}`, resolve),
  )
  return { socket, text: () => received }
}

const bearer = (token: string) => `Authorization: Bearer ${token}\r\n`
const from = (address: string) => `X-Forwarded-For: ${address}\r\n`
const ask = (token: string) => world.chat(token, { model: 'emu-fast' })

test.each([
  ['no key', '', '/v1/chat/completions', '"code":"missing_key"'],
  ['a wrong key', bearer('sk-wrong'), '/v1/messages', '"type":"authentication_error"'],
  ['no key, for counting', '', '/v1/messages/count_tokens', '"type":"authentication_error"'],
  ['no key, for Google’s clients', '', '/v1beta/models/emu-fast:generateContent', '"UNAUTHENTICATED"'],
  ['no key, for a form', '', '/v1/audio/transcriptions', '"code":"missing_key"'],
  ['no key, for a kept response', '', '/v1/responses/resp_1/cancel', '"type":"authentication_error"'],
])(
  'uploads with %s are refused by their heads, and hold no memory',
  { tags: 'S43' },
  async (_, headers, path, said) => {
    const held = await Promise.all(Array.from({ length: 17 }, () => upload(headers, path)))
    expect((await ask(key)).status).toBe(200)
    for (const { text } of held) await expect.poll(text).toContain(said)
    expect(held[0]?.text()).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[^]*Connection: close/)
  },
)

test(
  'what a key can take of the memory for bodies is bounded, and leaves the others their share',
  { tags: 'S43' },
  async () => {
    const other = await world.addToken(await world.addUser('other', 1_000_000))
    const held = await Promise.all(Array.from({ length: 5 }, () => upload(bearer(key), '/v1/chat/completions', 10)))
    await expect.poll(() => held.filter(({ text }) => text().includes('429 Too Many Requests'))).toHaveLength(1)
    expect(held.map(({ text }) => text()).join('')).toContain(
      '262144 bytes of request bodies at the same time for this account',
    )
    expect((await ask(other)).status).toBe(200)
    expect((await ask(key)).status).toBe(429)
    for (const { socket } of held) socket.destroy()
    await expect.poll(async () => (await ask(key)).status).toBe(200)
  },
)

test('what one address can take with many keys is bounded too', { tags: 'S43' }, async () => {
  const keys: string[] = []
  for (const name of ['a', 'b', 'c', 'd'])
    keys.push(await world.addToken(await world.addUser(`many-${name}`, 1_000_000)))
  const uploadsOf = (token: string, address: string) =>
    Array.from({ length: 3 }, () => upload(bearer(token) + from(address), '/v1/chat/completions', 10))
  const held = await Promise.all(keys.flatMap((token) => uploadsOf(token, '203.0.113.7')))
  await expect.poll(() => held.filter(({ text }) => text().includes('for this address'))).toHaveLength(4)
  expect((await ask(key)).status).toBe(200)
  const ready = await fetch(`${world.url}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([200, 'ok\n'])
  held.push(...(await Promise.all([...uploadsOf(key, '203.0.113.8'), ...uploadsOf(key, '203.0.113.9')])))
  held.push(...(await Promise.all(uploadsOf(keys[0] ?? '', '203.0.113.10'))))
  held.push(...(await Promise.all(uploadsOf(keys[1] ?? '', '203.0.113.11'))))
  held.push(...(await Promise.all(uploadsOf(keys[2] ?? '', '203.0.113.12'))))
  await expect.poll(async () => await (await fetch(`${world.url}/readyz`)).text()).toContain('not ready: overloaded')
})

test('a client that asks first with Expect uploads nothing for a wrong key', { tags: 'S43' }, async () => {
  const expecting = 'Expect: 100-continue\r\n'
  const refused = await upload(expecting + bearer('sk-wrong'), '/v1/chat/completions', 0)
  await expect.poll(refused.text).toContain('401 Unauthorized')
  expect(refused.text()).not.toContain('100 Continue')
  const welcome = await upload(expecting + bearer(key), '/v1/chat/completions', 0)
  await expect.poll(welcome.text).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  welcome.socket.write(' '.repeat(BODY_LIMIT))
  await expect.poll(welcome.text).toContain('400 Bad Request')
})

test.each([
  ['no JSON', '{', {}],
  ['a compressed body', '{}', { 'content-encoding': 'gzip' }],
  ['a body that is too large', ' '.repeat(BODY_LIMIT + 1), {}],
  ['a foreign type', '{}', { 'content-type': 'text/plain' }],
])('with a wrong key, %s is refused for the key', async (_, body, headers) => {
  const reply = await fetch(`${world.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-wrong', ...headers },
    body,
  })
  expect([reply.status, await reply.json()]).toMatchObject([401, { error: { code: 'invalid_key' } }])
})
