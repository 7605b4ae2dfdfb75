import { updateOption } from '@sluice/contract/routes/options'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

test('a gateway that stops while providers count tokens says so', async () => {
  const silent = await startRawUpstream(() => {})
  const world = await openGatewayWorld({ SLUICE_DRAIN_TIMEOUT: '0.2' })
  for (const priority of [1, 2]) await world.addChannel(silent.url, ['claude'], { type: 14, priority })
  const key = await world.addToken(world.root)
  const reply = fetch(`${world.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await expect.poll(() => silent.requests.length).toBe(1)
  await world.stop()
  const refused = await reply
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { type: 'error', error: { type: 'overloaded_error' } },
  ])
  await world.close()
  await silent.close()
})

describe('tokens of a prompt', () => {
  let world: GatewayWorld
  let provider: Site
  let key = ''
  let answer: SiteReply = {}
  beforeAll(async () => {
    provider = await startSite(async () => answer)
    world = await openGatewayWorld()
    key = await world.addToken(world.root)
  })
  afterAll(async () => {
    await world.close()
    await provider.close()
  })

  const ask = (path: string, more: object = {}) =>
    fetch(`${world.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], ...more }),
    })

  test('are counted here while all providers ask to be left alone', async () => {
    await world.addChannel(provider.url, ['busy'], { type: 14 })
    answer = { status: 429, headers: { 'retry-after': '60' } }
    expect((await ask('/v1/messages', { model: 'busy', max_tokens: 9 })).status).toBe(429)
    const requests = provider.seen.length
    const counted = await ask('/v1/messages/count_tokens', { model: 'busy' })
    expect([counted.status, await counted.json()]).toEqual([200, { input_tokens: expect.any(Number) }])
    expect(provider.seen).toHaveLength(requests)
  })

  test('are not counted as those of a fallback', async () => {
    await world.addChannel(provider.url, ['main'], { type: 14 })
    await world.addChannel(provider.url, ['spare'], { type: 14 })
    await world.root.call(updateOption, { body: { key: 'ModelFallbacks', value: '{"main":["spare"]}' } })
    answer = { status: 503 }
    const requests = provider.seen.length
    expect((await ask('/v1/messages/count_tokens', { model: 'main' })).status).toBe(200)
    expect(provider.seen.slice(requests).map(({ body }) => (JSON.parse(body) as { model: string }).model)).toEqual([
      'main',
    ])
  })
})
