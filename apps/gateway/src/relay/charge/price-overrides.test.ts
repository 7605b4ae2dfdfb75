// @module-tag slow
import { CHARGES_CSV_CLASSES, CHARGES_CSV_COLUMNS } from '@sluice/contract/charges-csv'
import { CHARGE_CLASSES, type ExportedCharge } from '@sluice/contract/receipt'
import { channelDefaultPricing } from '@sluice/contract/routes/channels'
import { updateOption } from '@sluice/contract/routes/options'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { exportPriceBook, listCharges, receiptOfRequest } from '@sluice/contract/routes/receipts'
import { explainRouting } from '@sluice/contract/routes/routing'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readPriceBook } from '../../cli/recompute/price-book-file.ts'
import { reAdd } from '../../cli/recompute/re-add.ts'

let emulator: Emulator
let world: GatewayWorld
let key: string
let channel: number

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  channel = await world.addChannel(emulator.url, ['emu-fast', 'gpt-4o'], {
    model_configs: '',
    model_mapping: '{"gpt-4o":"emu-echo"}',
  })
  key = await world.addToken(await world.addUser('ann', 100_000_000))
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const override = (prices: object) =>
  world.root.call(updateOption, { body: { key: 'PriceOverrides', value: JSON.stringify(prices) } })

async function chargeFor(body: object) {
  const reply = await world.chat(key, body)
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
  const requestId = reply.headers.get('x-request-id') ?? ''
  const [row] = await world.rows(`select t.amount, t.input_tokens, t.output_tokens, t.units, p.source
    from transfer t join price p on p.id = t.price_id where t.kind = 'consume' and t.request_id = '${requestId}'`)
  if (row === undefined) throw new Error('nothing was charged')
  const input = Number(row['input_tokens'])
  const output = Number(row['output_tokens'])
  return { requestId, source: row['source'], units: row['units'], amount: Number(row['amount']), input, output }
}

describe('a price override', () => {
  test('prices a model that had none, plain and streamed, and raises no alarm', async () => {
    expect((await world.chat(key, { model: 'emu-fast' })).status).toBe(503)
    await override({ 'emu-fast': { ratio: 3, completion_ratio: 2 } })
    for (const body of [{ model: 'emu-fast' }, { model: 'emu-fast', stream: true }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as the ledger lists them
      const { source, amount, input, output } = await chargeFor(body)
      expect([source, amount]).toEqual(['override', (input * 3 + output * 6) * 1_000])
    }
    await expect
      .poll(() => world.rows('select subject, occurrences from alarm'), { timeout: 10_000 })
      .toEqual([{ subject: 'emu-fast', occurrences: 1 }])
  })

  test('applies to the next request after a change, by the name at the provider', async () => {
    await override({ 'emu-fast': { ratio: 5, completion_ratio: 1 }, 'emu-echo': { ratio: 7 }, 'gpt-4o': { ratio: 9 } })
    const [first, mapped] = [await chargeFor({ model: 'emu-fast' }), await chargeFor({ model: 'gpt-4o' })]
    expect(first.amount).toBe((first.input + first.output) * 5_000)
    expect(mapped.amount).toBe((mapped.input + mapped.output) * 7_000)
  })

  test('of a call is charged exactly, plain and streamed, and nothing by token', async () => {
    await override({ 'emu-fast': { per_call: { usd_per_thousand_calls: 0.0123, only: true } } })
    for (const body of [{ model: 'emu-fast' }, { model: 'emu-fast', stream: true }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as the ledger lists them
      const { amount, units, input } = await chargeFor(body)
      // 0.0000123 dollars are 6.15 quota points.
      expect([amount, units, input > 0]).toEqual([6_150, '{"call":"1"}', true])
    }
  })

  test('comes after what a channel sets itself', async () => {
    await override({ 'emu-fast': { ratio: 5, completion_ratio: 2 } })
    const model_configs = JSON.stringify({ 'emu-fast': { ratio: 1 } })
    await world.changeChannel({ id: channel, model_configs })
    const { source, amount, input, output } = await chargeFor({ model: 'emu-fast' })
    expect([source, amount]).toEqual([`channel:${channel}`, (input + output * 2) * 1_000])
    await world.changeChannel({ id: channel, model_configs: '' })
  })

  test('is what the price list, a route’s explanation and the default pricing of a type show', async () => {
    await override({ 'emu-fast': { ratio: 4, completion_ratio: 2 }, 'gpt-4o': { ratio: 6 } })
    const shown = async () =>
      Object.values(await world.root.call(modelsDisplay, {})).map(({ models }) => models['emu-fast'])
    expect(await shown()).toMatchObject([{ input_price: 8, output_price: 16 }])
    const question = { model: 'emu-fast', group: 'default' }
    expect(JSON.stringify(await world.root.call(explainRouting, { body: question }))).not.toContain('price_missing')
    const { model_configs } = await world.root.call(channelDefaultPricing, { query: { type: '1' } })
    expect(JSON.parse(model_configs)).toMatchObject({ 'gpt-4o': { ratio: 6, completion_ratio: 4 } })
    await override({})
    expect(await shown()).toEqual([])
    expect(JSON.stringify(await world.root.call(explainRouting, { body: question }))).toContain('price_missing')
  })

  test('is named on the receipt, which adds up', async () => {
    await override({ 'emu-fast': { ratio: 2 } })
    const { requestId, amount } = await chargeFor({ model: 'emu-fast' })
    await override({})
    const receipt = await world.root.call(receiptOfRequest, { path: { request_id: requestId } })
    expect(receipt.movements[0]?.calculation).toMatchObject({
      source: { kind: 'override', name: '', channel: 0 },
      total: String(amount / 1_000),
    })
  })
})

test('charges by price overrides can be computed again from their export alone', async () => {
  const charges = await world.root.call(listCharges, { query: { size: '100' } })
  const book = new Map()
  const prices = await world.root.call(exportPriceBook, { query: {} })
  expect(readPriceBook(JSON.stringify({ data: prices }), book)).toBe('')
  const csv = [CHARGES_CSV_COLUMNS.join(','), ...charges.map(csvRow)].join('\r\n')
  expect(reAdd(csv, book)).toMatchObject({ requests: charges.length, movements: charges.length })
  expect(reAdd(csv, book)).not.toHaveProperty('wrong')
  expect(charges.length).toBeGreaterThan(6)
})

function csvRow({ units, ...charge }: ExportedCharge): string {
  const others = CHARGE_CLASSES.filter((name) => !CHARGES_CSV_CLASSES.some((known) => known === name))
  const cells = [
    charge.request_id,
    new Date(charge.at).toISOString(),
    charge.kind,
    charge.username,
    charge.token_name,
    charge.model_name,
    ...CHARGES_CSV_CLASSES.map((name) => units[name] ?? 0),
    others.flatMap((name) => (units[name] === undefined ? [] : [`${name}=${units[name]}`])).join(' '),
    charge.price_id,
    charge.amount,
  ]
  return cells.join(',')
}
