// @module-tag slow
import type { Socket } from 'node:net'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let world: GatewayWorld
let key = ''
const opened: RawUpstream[] = []

beforeAll(async () => {
  world = await openGatewayWorld({ SLUICE_FIRST_BYTE_TIMEOUT: '1' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  for (const upstream of opened) await upstream.close()
})

async function rawChannel(model: string, answer: Parameters<typeof startRawUpstream>[0]): Promise<RawUpstream> {
  const upstream = await startRawUpstream(answer)
  opened.push(upstream)
  await world.addChannel(upstream.url, [model])
  return upstream
}

const WHOLE = '{"choices":[{"index":0,"message":{"role":"assistant","content":"All of it."},"finish_reason":"stop"}]}'
const PLAIN = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${WHOLE.length}\r\n\r\n${WHOLE}`
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n'

/** Writes each piece in a separate TCP segment. */
function writeApart(socket: Socket, [piece, ...rest]: readonly string[], ms: number): void {
  if (piece === undefined) return
  socket.setNoDelay(true)
  socket.write(piece)
  setTimeout(() => writeApart(socket, rest, ms), ms)
}

test.each([
  ['one', [CONTINUE + PLAIN]],
  ['several and others', [CONTINUE + HINTS + CONTINUE, CONTINUE + PLAIN]],
  ['one in single bytes', (CONTINUE + PLAIN).split('')],
])('an unrequested "100 Continue" is skipped: %s', async (name, pieces) => {
  const upstream = await rawChannel(`continued ${name}`, (socket) => writeApart(socket, pieces, 1))
  for (let call = 0; call < 2; call++) {
    const reply = await world.chat(key, { model: `continued ${name}` })
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('All of it.')])
  }
  expect(upstream.requests).toHaveLength(2)
})

test('an answer that holds the words of an interim one is left as it is', async () => {
  const body = JSON.stringify(`HTTP/1.1 100 Continue ${CONTINUE}`)
  const whole = `{"choices":[{"index":0,"message":{"role":"assistant","content":${body}},"finish_reason":"stop"}]}`
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${whole.length}\r\n\r\n`
  const at = whole.indexOf('HTTP/1.1')
  await rawChannel('quoted', (socket) => writeApart(socket, [head, whole.slice(0, at), whole.slice(at)], 20))
  const reply = await world.chat(key, { model: 'quoted' })
  expect(await reply.text()).toContain(body)
})

test.each([
  ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['100 Continue', CONTINUE],
  ['a head without an end', 'X-More: 1\r\n'],
])(
  'a provider that keeps sending %s is given up within the time for a first byte',
  { tags: 'S27' },
  async (name, interim) => {
    const upstream = await rawChannel(`interim ${name}`, (socket) => {
      if (interim.startsWith('X-')) socket.write('HTTP/1.1 102 Processing\r\n')
      const again = setInterval(() => socket.write(interim), 100)
      socket.on('close', () => clearInterval(again))
    })
    const reply = await world.chat(key, { model: `interim ${name}` }, { signal: AbortSignal.timeout(4_000) })
    expect([reply.status, await reply.text()]).toEqual([504, expect.stringContaining('upstream_timeout')])
    await expect.poll(() => upstream.closed).toBe(upstream.requests.length)
  },
)

test('a provider that floods with interim answers is given up', { tags: 'S27' }, async () => {
  await rawChannel('interim flood', (socket) => void socket.write(HINTS.repeat(5_000)))
  const reply = await world.chat(key, { model: 'interim flood' })
  expect([reply.status, await reply.text()]).toEqual([502, expect.stringContaining('upstream_')])
})
