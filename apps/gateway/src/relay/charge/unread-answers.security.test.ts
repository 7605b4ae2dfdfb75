// @module-tag slow
import { connect, type Socket } from 'node:net'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, beforeAll, expect, test } from 'vitest'

const MIB = 1_048_576
/** Memory share of one user and of one network: twice the largest answer. */
const SHARE = 32 * MIB
/** More than sockets hold on both sides, so that a client that does not read leaves most of it here. */
const TEXT = 'x'.repeat(12 * MIB)
const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'large',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 5, total_tokens: 6 },
})

let world: GatewayWorld
let upstream: RawUpstream
let key = ''
const sockets: Socket[] = []
/** Each sends the end of a large answer whose provider has sent all the rest. */
const held: (() => void)[] = []

beforeAll(async () => {
  upstream = await startRawUpstream((socket, request) => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length:'
    if (!request.includes('"small"')) {
      socket.write(`${head} ${ANSWER.length}\r\n\r\n${ANSWER.slice(0, -1)}`)
      const finish = () => void socket.end(ANSWER.slice(-1))
      if (request.includes('"held"')) held.push(finish)
      else finish()
    } else {
      const small = ANSWER.replace(TEXT, 'short')
      socket.end(`${head} ${small.length}\r\n\r\n${small}`)
    }
  })
  world = await openGatewayWorld({
    SLUICE_ANSWER_LIMIT: String(16 * MIB),
    SLUICE_ANSWER_MEMORY: String(64 * MIB),
    SLUICE_CLIENT_STALL_TIMEOUT: '2',
  })
  await world.addChannel(upstream.url, ['large', 'small', 'held'])
  key = await world.addToken(world.root)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await world.close()
  await upstream.close()
})

/** A client that reads the first bytes of its answer and no more. */
function askAndLeaveUnread(): Promise<Socket> {
  const body = JSON.stringify({ model: 'large', messages: [{ role: 'user', content: 'Hello' }] })
  const { port } = new URL(world.url)
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    )
    sockets.push(socket)
    socket.on('error', reject)
    socket.once('data', () => {
      socket.pause()
      resolve(socket)
    })
  })
}

const ask = async (model: string): Promise<[number, string]> => {
  const reply = await world.chat(key, { model })
  return [reply.status, await reply.text()]
}
const charges = async () => Number((await world.rows('select count(*) as n from transfer'))[0]?.['n'])

test(
  'answers that a user does not read take no more than its share: the next are refused before they cost anything, until those are cut',
  { tags: ['S27', 'S43'], timeout: 60_000 },
  async () => {
    const before = await charges()
    await askAndLeaveUnread()
    await askAndLeaveUnread()
    for (let at = 0; at < 5; at++) {
      const [status, text] = await ask('small')
      expect(status, text).toBe(429)
      const { error } = JSON.parse(text) as { error: { code: string; message: string } }
      expect(error.code).toBe('rate_limited')
      expect(error.message).toContain(`${SHARE} bytes of buffered answers`)
    }
    expect(upstream.requests).toHaveLength(2)
    // A client that does not read is disconnected, and its memory is freed.
    await expect.poll(() => ask('small'), { timeout: 20_000 }).toEqual([200, expect.stringContaining('short')])
    expect((await ask('large'))[0]).toBe(200)
    await expect.poll(charges).toBe(before + 4)
    await world.verify()
  },
)

test(
  'answers that arrive at the same time are refused where the share ends, once each, and no channel is blamed',
  { tags: ['S27', 'S43'], timeout: 60_000 },
  async () => {
    const before = await charges()
    const asked = upstream.requests.length
    const replies = Array.from({ length: 4 }, () => ask('held'))
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(4)
    for (const finish of held.splice(0)) finish()
    const statuses = (await Promise.all(replies)).map(([status]) => status)
    const whole = statuses.filter((status) => status === 200).length
    const refused = statuses.filter((status) => status === 429).length
    // How many fit depends on when their parts arrive: at least one, but never all of them.
    expect([whole + refused, whole > 0, refused > 0], String(statuses)).toEqual([4, true, true])
    expect(upstream.requests).toHaveLength(asked + 4)
    await expect.poll(charges).toBe(before + whole)
    expect((await ask('large'))[0]).toBe(200)
    await world.verify()
  },
)
