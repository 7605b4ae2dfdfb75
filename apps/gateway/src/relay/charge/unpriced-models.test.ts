// @module-tag slow
import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
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

async function startCounting(usage: object): Promise<RawUpstream> {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Found.' }, finish_reason: 'stop' }]
  const body = JSON.stringify({ id: 'x', object: 'chat.completion', model: 'm', choices, usage })
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  return await startRawUpstream((socket) => socket.write(head + body))
}

const chargeOf = async (model: string) =>
  (
    await world.rows(`select t.amount, t.units, t.input_tokens, p.source from transfer t
      join price p on p.id = t.price_id where t.model = '${model}'`)
  )[0]

test('the provider’s reported cost is charged on types that can report it; others refuse', async () => {
  await set('UnpricedModelPolicy', 'reported')
  await world.addChannel(emulator.url, ['emu-slow'], { type: 1, model_configs: '' })
  expect((await world.chat(key, { model: 'emu-slow' })).status).toBe(503)
  const reporting = await startCounting({ prompt_tokens: 10, completion_tokens: 5, cost: 0.0012 })
  await world.addChannel(reporting.url, ['some/new-model'], { model_configs: '' })
  await (await world.chat(key, { model: 'some/new-model' })).text()
  await reporting.close()
  // 0.0012 dollars are 600 quota points.
  expect(await chargeOf('some/new-model')).toMatchObject({
    amount: 600_000n,
    units: '{"reported_nano_usd":"1200000"}',
    input_tokens: 10,
    source: 'policy:reported',
  })
})

test('a search without a price is not charged, but is reported', async () => {
  const searching = await startCounting({
    prompt_tokens: 10,
    completion_tokens: 5,
    server_tool_use_details: { web_search_requests: 2 },
  })
  const id = await world.addChannel(searching.url, ['searching'])
  await (await world.chat(key, { model: 'searching' })).text()
  await searching.close()
  expect(await chargeOf('searching')).toMatchObject({ amount: 20_000n, units: null })
  await expect
    .poll(() => world.rows(`select subject, channel_id from alarm where kind = 'unpriced_unit'`), { timeout: 10_000 })
    .toEqual([{ subject: 'searching: search', channel_id: id }])
})

test('whatever the policy, administrators are notified once of a model without a price', async () => {
  await world.stop()
  const alarms = await world.rows(
    `select kind, subject, channel_id, occurrences from alarm where channel_id = ${channel}`,
  )
  expect(alarms).toEqual([{ kind: 'unpriced_model', subject: 'emu-fast', channel_id: channel, occurrences: 2 }])
})
