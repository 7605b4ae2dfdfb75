import { updateOption } from '@sluice/contract/routes/options'
import { updateUser } from '@sluice/contract/routes/users'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld({ SLUICE_RELAY_RATE_LIMIT: '4' })
  await world.addChannel(emulator.url, ['emu-fast'])
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const call = (key: string, model = 'emu-fast') => world.chat(key, { model })

async function lastCharge() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  if (row === undefined) throw new Error('nothing was charged')
  return { amount: Number(row['amount']), tokens: Number(row['prompt_tokens']) + 2 * Number(row['completion_tokens']) }
}

test('a token may make this many requests and is then told when to come back', async () => {
  const key = await world.addToken(world.root)
  const other = await world.addToken(world.root)
  for (let i = 0; i < 4; i++) expect((await call(key)).status).toBe(200)
  const reply = await call(key)
  expect(reply.status).toBe(429)
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await reply.json()).toMatchObject({ error: { code: 'rate_limited', type: 'rate_limit_error' } })
  expect((await call(other)).status).toBe(200)
})

test('calls that look up what a key has count against the same limit', { tags: 'S28' }, async () => {
  const key = await world.addToken(world.root)
  const look = () => fetch(`${world.url}/api/token/balance`, { headers: { authorization: `Bearer ${key}` } })
  for (let i = 0; i < 4; i++) expect((await look()).status).toBe(200)
  const reply = await look()
  expect(reply.status).toBe(429)
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await reply.json()).toMatchObject({ success: false, code: 'rate_limited' })
  expect((await call(key)).status).toBe(429)
})

test('a channel’s own limit counts per token and hands over to the next channel', async () => {
  await world.addChannel(emulator.url, ['limited'], {
    name: 'limited',
    ratelimit: 2,
    priority: 9,
    model_mapping: '{"limited":"emu-fast"}',
    model_configs: '{"emu-fast":{"ratio":1}}',
  })
  const key = await world.addToken(world.root)
  for (let i = 0; i < 2; i++) expect((await call(key, 'limited')).status).toBe(200)
  expect((await call(key, 'limited')).status).toBe(429)
  await world.addChannel(emulator.url, ['limited'], {
    name: 'spare',
    model_mapping: '{"limited":"emu-fast"}',
    model_configs: '{"emu-fast":{"ratio":1}}',
  })
  expect((await call(key, 'limited')).status).toBe(200)
  expect(await world.rows('select channel_name from log where type = 2 order by id desc limit 1')).toEqual([
    { channel_name: 'spare' },
  ])
})

test('the ratio of the caller’s own group is charged, and a change of it applies at once', async () => {
  await world.addChannel(emulator.url, ['emu-fast'], { name: 'for vip', group: 'vip' })
  const user = await world.addUser('grouped', 1_000_000)
  const key = await world.addToken(user)
  await call(key)
  const plain = await lastCharge()
  expect(plain.amount).toBe(plain.tokens * 1_000)
  const ratios = JSON.stringify({ default: 1, vip: 1.5, svip: 1 })
  await world.root.call(updateOption, { body: { key: 'GroupRatio', value: ratios } })
  const [{ id = 0 } = {}] = await world.rows(`select id from user where username = 'grouped'`)
  await world.root.call(updateUser, { body: { id: Number(id), group: 'vip' } })
  await call(key)
  const dear = await lastCharge()
  expect(dear.amount).toBe(dear.tokens * 1_500)
})

test('a model that costs nothing is charged nothing, and still leaves its row', async () => {
  await world.addChannel(emulator.url, ['emu-n-tokens-7'], { model_configs: '{"emu-n-tokens-7":{"ratio":0}}' })
  const broke = await world.addToken(await world.addUser('broke', 0))
  const reply = await call(broke, 'emu-n-tokens-7')
  expect(reply.status).toBe(200)
  expect(await lastCharge()).toMatchObject({ amount: 0 })
})
