import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: GatewayWorld

beforeAll(async () => {
  world = await openGatewayWorld()
  await world.addChannel('http://127.0.0.1:1', ['emu-fast'])
})
afterAll(() => world.close())

test('a key in the query opens Google’s paths, and is kept out of logs and traces', { tags: 'S20' }, async () => {
  const key = await world.addToken(world.root)
  const list = await fetch(`${world.url}/v1/models?key=${key}`)
  expect(list.status).toBe(200)
  const call = `/v1beta/models/emu-fast:generateContent?key=${key}`
  await fetch(world.url + call, { method: 'POST', body: '{"contents":[{"role":"user","parts":[{"text":"x"}]}]}' })
  const bare = key.replace(/^sk-/, '')
  expect(world.log.join('\n')).not.toContain(bare)
  expect(JSON.stringify(await world.rows('select url, attempts, upstream_usage from trace'))).not.toContain(bare)
  expect(JSON.stringify(await world.rows('select content from log'))).not.toContain(bare)
})

test('elsewhere a key in the query does not count as one', async () => {
  const key = await world.addToken(world.root)
  for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/realtime', '/v1/oneapi/proxy/1/x']) {
    const reply = await fetch(`${world.url}${path}?key=${key}`, {
      method: path.includes('realtime') ? 'GET' : 'POST',
      ...(path.includes('realtime') ? {} : { body: '{"model":"emu-fast","messages":[]}' }),
    })
    expect([path, reply.status >= 400 && reply.status !== 404]).toEqual([path, true])
    expect([path, await reply.text()]).toEqual([path, expect.not.stringContaining(key)])
  }
})

test('an empty credential in one position does not hide one in another, and two are not joined', async () => {
  const key = await world.addToken(world.root)
  const status = async (headers: Record<string, string>) => (await fetch(`${world.url}/v1/models`, { headers })).status
  expect(await status({ 'x-goog-api-key': key })).toBe(200)
  expect(await status({ 'x-api-key': '', 'x-goog-api-key': key })).toBe(200)
  expect(await status({ 'x-api-key': 'sk-wrong', 'x-goog-api-key': key })).toBe(401)
  expect(await status({ 'x-goog-api-key': '' })).toBe(401)
})
