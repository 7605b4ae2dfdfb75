// @module-tag slow
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient, type RealtimeClient } from '@sluice/testkit/realtime-client'
import { startSteppedUpstream, type SteppedUpstream } from '@sluice/testkit/stepped-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let stepped: SteppedUpstream
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  stepped = await startSteppedUpstream()
  world = await openGatewayWorld()
  await world.addChannel(stepped.url, ['held'])
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await stepped.close()
})

const open = (): Promise<RealtimeClient> =>
  openRealtimeClient(`${world.url}/v1/responses`, [], { headers: { authorization: `Bearer ${key}` } })
const ask = (model: string, more: object = {}) => ({ type: 'response.create', model, input: 'Hi', ...more })
const done = (client: RealtimeClient) => client.take('response.completed')
const rows = () => world.rows('select * from log where type = 2 order by id')

describe('a connection that ends', () => {
  test('in the middle of a response: its client pays for what it got, and the provider is cancelled', async () => {
    const client = await open()
    // After one complete answer, the gateway knows that the model shows every token that it counts.
    client.send(ask('held'))
    await stepped.finish()
    await done(client)
    const before = (await rows()).length
    client.send(ask('held'))
    await client.take('response.output_text.delta')
    client.cut()
    await expect.poll(async () => (await rows()).length).toBe(before + 1)
    await expect.poll(() => stepped.open).toBe(0)
    expect((await rows()).at(-1)).toMatchObject({ ended: 'client_gone', estimated: 1 })
  })

  test.each([
    ['after its response', '30', true],
    ['when the time to finish is over', '0.3', false],
  ])('because the gateway stops: %s', async (_, drainSeconds, finishes) => {
    const other = await openGatewayWorld({ SLUICE_DRAIN_TIMEOUT: drainSeconds })
    await other.addChannel(stepped.url, ['held'])
    const headers = { authorization: `Bearer ${await other.addToken(other.root)}` }
    const client = await openRealtimeClient(`${other.url}/v1/responses`, [], { headers })
    client.send(ask('held'))
    await client.take('response.output_text.delta')
    const stopped = other.stop()
    if (finishes) {
      client.send(ask('held', { stream_id: 'late' }))
      expect(await client.take('error')).toMatchObject({ status: 503, error: { code: 'shutting_down' } })
      await stepped.finish()
      await done(client)
    } else expect(await client.take('error')).toMatchObject({ status: 503, code: 'shutting_down' })
    expect(await client.ended).toEqual({ code: 1001, reason: 'shutting_down' })
    await stopped
    const [row] = await other.rows('select ended from log where type = 2 order by id desc limit 1')
    expect(row).toEqual({ ended: finishes ? 'complete' : 'gateway_stopped' })
    await other.verify()
    await other.close()
  })

  test('an idle one is closed at once by a gateway that stops', async () => {
    const other = await openGatewayWorld({ SLUICE_DRAIN_TIMEOUT: '30' })
    const headers = { authorization: `Bearer ${await other.addToken(other.root)}` }
    const client = await openRealtimeClient(`${other.url}/v1/responses`, [], { headers })
    const stopped = other.stop()
    expect((await client.ended).code).toBe(1001)
    await stopped
    await other.close()
  })
})
