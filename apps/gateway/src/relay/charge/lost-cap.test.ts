import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

/** A Coze bot, which accepts no limit on its answer and continues as long as anyone listens. */
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
const EVENT = `event:conversation.message.delta\ndata:${JSON.stringify({
  role: 'assistant',
  type: 'answer',
  content: 'many words '.repeat(1_000),
})}\n\n`
const QUOTA = 5_000

let upstream: RawUpstream
let world: GatewayWorld

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => {
    socket.write(HEAD)
    const talking = setInterval(() => socket.write(EVENT.repeat(10)), 50)
    socket.once('close', () => clearInterval(talking))
  })
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, ['bot-1'], { type: 34 })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
})

test('an answer whose limit the provider was not sent ends when the quota does', async () => {
  const user = await world.addUser('small', QUOTA)
  const reply = await world.chat(await world.addToken(user), { model: 'bot-1', stream: true, max_tokens: 1 })
  expect(reply.headers.get('x-sluice-losses')).toContain('max_tokens dropped')
  expect(await reply.text()).toContain('"code":"stream_quota_exhausted"')
  const id = reply.headers.get('x-request-id')
  expect(await world.rows(`select ended from log where request_id = '${id}'`)).toEqual([{ ended: 'quota_exhausted' }])
})
