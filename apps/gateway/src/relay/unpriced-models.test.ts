import { updateOption } from '@sluice/contract/routes/system'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key: string
let channel: number

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  channel = await world.addChannel(emulator.url, ['emu-fast'], { model_configs: '' })
  key = await world.addToken(await world.addUser('ann', 100_000_000))
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const set = (option: string, value: string | number) =>
  world.root.call(updateOption, { body: { key: option, value: String(value) } })
const charges = async () =>
  Number((await world.rows(`select count(*) as n from transfer where kind = 'consume'`))[0]?.['n'])

test('a model without a price is refused, and nothing is charged', async () => {
  const reply = await world.chat(key, { model: 'emu-fast' })
  expect(reply.status).toBe(503)
  expect(await reply.json()).toMatchObject({ error: { code: 'model_price_missing' } })
  expect(await charges()).toBe(0)
})

test('the fallback charges the stated ratio for every token, and the price says so', async () => {
  await set('UnpricedModelPolicy', 'fallback')
  await set('UnpricedModelRatio', 2)
  const reply = await world.chat(key, { model: 'emu-fast' })
  expect(reply.status).toBe(200)
  await reply.text()
  const [row] = await world.rows(
    `select t.amount, t.input_tokens + t.output_tokens as tokens, p.source from transfer t
     join price p on p.id = t.price_id where t.kind = 'consume'`,
  )
  expect(row?.['source']).toBe('policy:fallback')
  expect(Number(row?.['amount'])).toBe(Number(row?.['tokens']) * 2 * 1_000)
})

test('what its provider reports is charged on types that report; others refuse', async () => {
  await set('UnpricedModelPolicy', 'reported')
  expect((await world.chat(key, { model: 'emu-fast' })).status).toBe(503)
})

test('whatever the policy, administrators are told which model has no price, once', async () => {
  await world.stop()
  const alarms = await world.rows('select kind, subject, channel_id, occurrences from alarm')
  expect(alarms).toEqual([{ kind: 'unpriced_model', subject: 'emu-fast', channel_id: channel, occurrences: 3 }])
})
