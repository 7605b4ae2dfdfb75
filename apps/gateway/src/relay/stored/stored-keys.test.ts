import { listChannelKeys, setChannelKeyStatus } from '@sluice/contract/routes/channels'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type ResponsesUpstream, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

describe('responses that a provider stores under one of several keys', () => {
  let provider: ResponsesUpstream
  let world: GatewayWorld
  let token = ''
  let channel = 0
  beforeAll(async () => {
    provider = await startResponsesUpstream()
    world = await openGatewayWorld()
    const keys = { key: 'k1\nk2\nk3', keys_in_one: true, config: '{"api_format":"response"}' }
    channel = await world.addChannel(provider.url, ['gpt'], keys)
    token = await world.addToken(world.root)
  })
  afterEach(() => world.verify())
  afterAll(async () => {
    await world.close()
    await provider.close()
  })

  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${world.url}/v1/responses${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
    const last = provider.calls.at(-1)
    return { id: last?.answered ?? '', key: last?.authorization ?? '' }
  }
  const make = (fields: object = {}) => call('POST', '', { model: 'gpt', input: 'Say something.', ...fields })

  test('are continued, read and deleted with that key: the others might belong to other accounts', async () => {
    const used = new Set<string>()
    for (let i = 0; i < 12; i++) {
      const made = await make()
      used.add(made.key)
      expect((await make({ previous_response_id: made.id })).key).toBe(made.key)
      expect((await call('GET', `/${made.id}`)).key).toBe(made.key)
      expect((await call('DELETE', `/${made.id}`)).key).toBe(made.key)
    }
    expect(used.size).toBeGreaterThan(1)
  })

  test('are requested with another key when that one is switched off: it might belong to the same account', async () => {
    const made = await make()
    const position = Number(made.key.at(-1))
    const keys = await world.root.call(listChannelKeys, { path: { id: channel } })
    const fingerprint = keys.find((key) => key.position === position)?.fingerprint ?? ''
    await world.root.call(setChannelKeyStatus, { path: { id: channel, fingerprint }, body: { status: 2 } })
    expect((await make({ previous_response_id: made.id })).key).not.toBe(made.key)
    expect((await call('GET', `/${made.id}`)).key).not.toBe(made.key)
  })
})
