import { updateOption } from '@sluice/contract/routes/options'
import { createToken } from '@sluice/contract/routes/tokens'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key: string

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast', 'emu-no-usage'])
  key = await world.addToken(await world.addUser('ann', 100_000_000))
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const set = (option: string, value: string | number | boolean) =>
  world.root.call(updateOption, { body: { key: option, value } })
const ask = async (model: string): Promise<void> => {
  const reply = await world.chat(key, { model })
  expect(reply.status).toBe(200)
  await reply.text()
}
const logRows = async () => Number((await world.rows('select count(*) as n from log where type = 2'))[0]?.['n'])
const lastCharge = async () =>
  (await world.rows(`select * from transfer where kind = 'consume' order by at_ms desc, request_id desc limit 1`))[0]

test('LogConsumeEnabled off: calls are charged and leave no log row', async () => {
  await ask('emu-fast')
  const before = await logRows()
  await set('LogConsumeEnabled', false)
  await ask('emu-fast')
  expect(await logRows()).toBe(before)
  expect(await lastCharge()).toMatchObject({ reason: 'unlogged' })
  await set('LogConsumeEnabled', true)
  await ask('emu-fast')
  expect(await logRows()).toBe(before + 1)
})

test('ApproximateTokenEnabled on: tokens that no provider reported are counted by size, without a tokenizer', async () => {
  await ask('emu-no-usage')
  const counted = await lastCharge()
  await set('ApproximateTokenEnabled', true)
  await ask('emu-no-usage')
  const bySize = await lastCharge()
  const prompt = '[{"role":"user","content":"Say something."}]'
  expect(bySize?.['input_tokens']).toBe(Math.ceil(prompt.length / 3.8))
  expect(bySize?.['input_tokens']).not.toBe(counted?.['input_tokens'])
  await set('ApproximateTokenEnabled', false)
})

test('GroupRatio multiplies the price of the group’s users', async () => {
  await ask('emu-fast')
  const { amount: single } = (await lastCharge()) ?? {}
  await set('GroupRatio', '{"default":2,"vip":1}')
  await ask('emu-fast')
  const { amount: double } = (await lastCharge()) ?? {}
  expect(double).toBe(2n * BigInt(String(single)))
  await set('GroupRatio', '{"default":1}')
})

test('PreConsumedQuota is what a stream without a limit initially holds for its answer', async () => {
  const user = await world.addUser('poor', 2_000)
  const poor = (await user.call(createToken, { body: { name: 'k', unlimited_quota: true } })).key
  const ask = async () => {
    const reply = await world.chat(poor, { model: 'emu-fast', stream: true })
    await reply.text()
    return reply.status
  }
  expect(await ask()).toBe(200)
  await set('PreConsumedQuota', 100_000)
  expect(await ask()).toBe(403)
  await set('PreConsumedQuota', 500)
  expect(await ask()).toBe(200)
})

test('the balance of a key is returned on the gateway’s own paths, next to the relay', async () => {
  for (const path of [
    '/dashboard/billing/subscription',
    '/v1/dashboard/billing/subscription',
    '/v1/dashboard/billing/subscription/',
  ]) {
    const reply = await fetch(world.url + path, { headers: { authorization: `Bearer ${key}` } })
    expect([path, reply.status]).toEqual([path, 200])
    expect(await reply.json()).toMatchObject({ object: 'billing_subscription' })
  }
  const consumed = await fetch(`${world.url}/api/token/consume`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ add_used_quota: 7 }),
  })
  expect(await consumed.json()).toMatchObject({ success: true, transaction: { final_quota: 7 } })
})
