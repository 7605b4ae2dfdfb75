import {
  deleteChannelKey,
  listChannelKeys,
  setChannelKeyStatus,
  testChannel,
  updateChannel,
} from '@sluice/contract/routes/channels'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const REPLY = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: '4' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}
/** Enough to draw every participating key: the chance of missing one of three is one in two million. */
const MANY = 36

describe('a channel with several keys', () => {
  let world: GatewayWorld
  let provider: Site
  let token = ''
  let made = 0
  beforeAll(async () => {
    world = await openGatewayWorld()
    provider = await startSite(async () => ({ body: REPLY }))
    token = await world.addToken(world.root)
  })
  afterEach(() => world.verify())
  afterAll(async () => {
    await world.close()
    await provider.close()
  })

  const add = async (key: string) => {
    const model = `keyed-${++made}`
    return { model, id: await world.addChannel(provider.url, [model], { key, keys_in_one: true }) }
  }
  const keysUsed = async (model: string): Promise<readonly string[]> => {
    const before = provider.seen.length
    const calls = Array.from({ length: MANY }, async (_, sent) => {
      const reply = await world.chat(token, { model, messages: [{ role: 'user', content: `${sent}` }] })
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('chatcmpl-1')])
    })
    await Promise.all(calls)
    const headers = provider.seen.slice(before).map((request) => request.headers.authorization ?? '')
    return [...new Set(headers)].toSorted()
  }
  const fingerprints = async (id: number) =>
    (await world.root.call(listChannelKeys, { path: { id } })).map(({ fingerprint }) => fingerprint)

  test('uses them all, and none from the moment it is switched off, deleted or replaced', async () => {
    const { id, model } = await add('k1\nk2\nk3')
    expect(await keysUsed(model)).toEqual(['Bearer k1', 'Bearer k2', 'Bearer k3'])
    const [first = '', second = ''] = await fingerprints(id)
    await world.root.call(setChannelKeyStatus, { path: { id, fingerprint: first }, body: { status: 2 } })
    expect(await keysUsed(model)).toEqual(['Bearer k2', 'Bearer k3'])
    await world.root.call(deleteChannelKey, { path: { id, fingerprint: second } })
    expect(await keysUsed(model)).toEqual(['Bearer k3'])
    await world.root.call(setChannelKeyStatus, { path: { id, fingerprint: first }, body: { status: 1 } })
    await world.root.call(updateChannel, { query: {}, body: { id, key: 'k4', key_mode: 'append' } })
    expect(await keysUsed(model)).toEqual(['Bearer k1', 'Bearer k3', 'Bearer k4'])
    await world.root.call(updateChannel, { query: {}, body: { id, key: 'k5\nk6', keys_in_one: true } })
    expect(await keysUsed(model)).toEqual(['Bearer k5', 'Bearer k6'])
  })

  test('is tested with the first that is switched on', async () => {
    const { id } = await add('t1\nt2')
    const [first = ''] = await fingerprints(id)
    await world.root.call(setChannelKeyStatus, { path: { id, fingerprint: first }, body: { status: 2 } })
    await world.root.call(testChannel, { path: { id }, query: {} })
    expect(provider.seen.at(-1)?.headers.authorization).toBe('Bearer t2')
  })
})
