import type { Socket } from 'node:net'
import { listChannelKeys, setChannelKeyStatus } from '@sluice/contract/routes/channels'
import { listChannelHealth } from '@sluice/contract/routes/routing'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { startRawUpstream } from '@sluice/testkit/raw-upstream'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let provider: RealtimeProvider
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  provider = await startRealtimeProvider()
  // On a busy machine a refusal can take tenths of a second, and must still arrive before the deadline.
  world = await openGatewayWorld({ SLUICE_FIRST_BYTE_TIMEOUT: '1.5', SLUICE_RETRY_DEADLINE: '1' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await provider.close()
})

async function addBoth(model: string, answer: (socket: Socket) => void) {
  const first = await startRawUpstream(answer)
  const id = await world.addChannel(first.url, [model], { priority: 9 })
  await world.addChannel(provider.url, [model])
  return { id, first }
}

const open = (model: string) =>
  openRealtimeClient(`${world.url}/v1/realtime?model=${model}`, [], { headers: { authorization: `Bearer ${key}` } })

describe('a session that a channel does not open', () => {
  test('is tried elsewhere; the channel is left alone for as long as it asks', async () => {
    const body = '{"error":{"message":"slow down"}}'
    const { id, first } = await addBoth('limited', (socket) => {
      socket.end(`HTTP/1.1 429 Too Many Requests\r\nretry-after: 70\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    })
    const before = Date.now()
    const client = await open('limited')
    await client.take('session.created')
    await client.close()
    const [channel] = await world.root.call(listChannelHealth, { query: { channel: String(id) } })
    expect(channel?.lanes[0]).toMatchObject({ standing: 'resting', cause: 'limited' })
    expect(channel?.lanes[0]?.until).toBeGreaterThanOrEqual(before + 70_000)
    await first.close()
  })

  test('is not tried elsewhere after the deadline', async () => {
    const { first } = await addBoth('late', () => {})
    const requests = provider.handshakes.length
    await expect(open('late')).rejects.toThrow('504')
    expect(provider.handshakes).toHaveLength(requests)
    await first.close()
  })
})

test('a session ends with the response in which its key was switched off', async () => {
  const id = await world.addChannel(provider.url, ['keyed'], { key: 'k1\nk2', keys_in_one: true })
  const client = await open('keyed')
  await client.take('session.created')
  const used = provider.handshakes.at(-1)?.headers.authorization ?? ''
  const keys = await world.root.call(listChannelKeys, { path: { id } })
  const fingerprint = keys.find(({ position }) => used.endsWith(`k${position}`))?.fingerprint ?? ''
  await world.root.call(setChannelKeyStatus, { path: { id, fingerprint }, body: { status: 2 } })
  client.send({ type: 'response.create', response: { metadata: { behave: '' } } })
  await client.take('response.done')
  expect(await client.take('error')).toMatchObject({ error: { code: 'no_channel' } })
  await client.ended
})
