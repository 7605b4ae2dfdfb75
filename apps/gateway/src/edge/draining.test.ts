import { startEmulator, type Emulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let provider: RealtimeProvider
let world: GatewayWorld

beforeAll(async () => {
  emulator = await startEmulator()
  provider = await startRealtimeProvider()
  world = await openGatewayWorld({ SLUICE_DRAIN_DELAY: '1', SLUICE_DRAIN_TIMEOUT: '10' })
  await world.addChannel(emulator.url, ['emu-fast', 'emu-pace-20-80'])
  await world.addChannel(provider.url, ['talk'])
})
afterAll(async () => {
  await world.close()
  await provider.close()
  await emulator.close()
})

test('a stopping gateway finishes streams, closes websockets, takes requests for a while, and loses nothing', async () => {
  const key = await world.addToken(world.root)
  const stream = await world.chat(key, { model: 'emu-pace-20-80', stream: true })
  const session = await openRealtimeClient(`${world.url}/v1/realtime?model=talk`, [], {
    headers: { authorization: `Bearer ${key}` },
  })
  const stopped = world.stop()
  const ready = await fetch(`${world.url}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([503, 'not ready: shutting_down\n'])
  const late = await world.chat(key, { model: 'emu-fast' })
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  expect((await session.ended).code).toBe(1001)
  const text = await stream.text()
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  expect(text.match(/"content":"[^"]+"/g)).toHaveLength(20)
  await stopped
  await expect(fetch(`${world.url}/healthz`)).rejects.toThrow('fetch failed')
  await world.verify()
  const charged = await world.rows('select id from log where type = 2 order by id')
  expect(charged).toHaveLength(2)
})
