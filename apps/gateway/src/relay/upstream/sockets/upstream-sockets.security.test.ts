import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient, type RealtimeClient } from '@sluice/testkit/realtime-client'
import { type FramedProvider, startFramedProvider } from '@sluice/testkit/servers/framed-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** Part of every caller's key in these tests, and of nothing else. */
const CANARY = 'c4n4rYc4n4rYc4n4rY'
const OPENAI = 1

let vendor: FramedProvider
let elsewhere: FramedProvider
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  vendor = await startFramedProvider()
  elsewhere = await startFramedProvider()
  world = await openGatewayWorld({ SLUICE_LOG_LEVEL: 'trace', SLUICE_CALLER_KEY_ORIGINS: vendor.url })
  const callers = JSON.stringify({ credentials: 'caller_or_own', websocket: 'on' })
  const paid = { type: OPENAI, config: callers, key: 'sk-of-the-channel', priority: 9 }
  await world.addChannel(vendor.url, ['paid'], paid)
  await world.addChannel(vendor.url, ['moved'], { ...paid, key: 'sk-moved' })
  await world.addChannel(elsewhere.url, ['paid', 'moved'], { type: OPENAI, config: '{"websocket":"on"}' })
  key = await world.addToken(await world.addUser('ann', 1_000_000))
})
afterEach(async () => {
  vendor.refusing = undefined
  vendor.finish()
  await world.verify()
  expect(JSON.stringify([elsewhere.asked, elsewhere.handshakes])).not.toContain(CANARY)
  expect(world.log.join('\n')).not.toContain(CANARY)
})
afterAll(async () => {
  await world.close()
  await vendor.close()
  await elsewhere.close()
})

const open = (credential: string): Promise<RealtimeClient> =>
  openRealtimeClient(`${world.url}/v1/responses`, [], {
    headers: { 'x-sluice-key': key, ...(credential === '' ? {} : { authorization: `Bearer ${credential}` }) },
  })
const ask = (more: object = {}) => ({ type: 'response.create', model: 'paid', input: 'Hi', store: false, ...more })

async function respond(client: RealtimeClient, request: object): Promise<string> {
  client.send(request)
  const event = await client.take('response.completed', 'error')
  expect(event).toMatchObject({ type: 'response.completed' })
  return (event['response'] as { readonly id: string }).id
}

describe('a caller’s own key on a provider’s websocket', { tags: 'S1' }, () => {
  test('is sent with the upgrade, to the vendor, and nothing of the gateway’s with it', async () => {
    const before = vendor.handshakes.length
    const client = await open(`sk-proj-${CANARY}`)
    const id = await respond(client, ask())
    await respond(client, ask({ previous_response_id: id }))
    await client.close()
    expect(vendor.handshakes.length - before).toBe(1)
    const shake = vendor.handshakes.at(-1) ?? {}
    expect(shake.authorization).toBe(`Bearer sk-proj-${CANARY}`)
    expect(shake).not.toHaveProperty('x-sluice-key')
    expect(JSON.stringify([shake, vendor.asked])).not.toMatch(new RegExp(`sk-of-the-channel|${key.replace('sk-', '')}`))
    expect((await world.rows('select amount from log where type = 2')).at(-1)).toEqual({ amount: 0n })
  })

  test('opens a websocket of its own, which no other caller uses', async () => {
    const before = vendor.handshakes.length
    const clients = [await open(`sk-proj-${CANARY}-a`), await open(`sk-proj-${CANARY}-b`), await open('')]
    for (const client of clients) await respond(client, ask())
    const keys = vendor.handshakes.slice(before).map(({ authorization }) => authorization)
    expect(keys).toEqual([`Bearer sk-proj-${CANARY}-a`, `Bearer sk-proj-${CANARY}-b`, 'Bearer sk-of-the-channel'])
    for (const client of clients) await client.close()
  })

  test('follows no redirect of the upgrade; the POST that takes over goes to the vendor', async () => {
    vendor.refusing = 307
    vendor.location = `${elsewhere.url}/v1/responses`
    const client = await open(`sk-proj-${CANARY}`)
    await respond(client, ask({ model: 'moved' }))
    await client.close()
    expect(vendor.asked.at(-1)).toMatchObject({ transport: 'POST', authorization: `Bearer sk-proj-${CANARY}` })
    expect([elsewhere.handshakes, elsewhere.asked]).toEqual([[], []])
  })
})
