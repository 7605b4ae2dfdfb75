import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHARGES_CSV_CLASSES, CHARGES_CSV_COLUMNS } from '@sluice/contract/charges-csv'
import { updateOption } from '@sluice/contract/routes/options'
import { exportPriceBook, listCharges } from '@sluice/contract/routes/receipts'
import { startEmulator } from '@sluice/testkit/emulator/server'
import { openGatewayWorld } from '@sluice/testkit/gateway-world'
import { expect, test } from 'vitest'
import { recompute } from './recompute.ts'

test('an export of charges by several groups of one token is recomputed to the same sum', async () => {
  const emulator = await startEmulator()
  const world = await openGatewayWorld()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-recompute-'))
  try {
    const groups = { default: {}, cheap: { ratio: 0.25, usable_by: ['*'] }, dear: { ratio: 3.5, usable_by: ['*'] } }
    await world.root.call(updateOption, { body: { key: 'Groups', value: JSON.stringify(groups) } })
    await world.addChannel(emulator.at('a'), ['emu-fast'], { group: 'cheap' })
    await world.addChannel(emulator.at('b'), ['emu-fast', 'emu-cached'], { group: 'dear' })
    const key = await world.addToken(await world.addUser('ann', 100_000_000), { groups: ['cheap', 'dear'] })
    const answered: (string | null)[] = []
    for (const model of ['emu-fast', 'emu-cached', 'emu-fast']) {
      const reply = await world.chat(key, { model })
      await reply.text()
      answered.push(reply.headers.get('x-sluice-group'))
    }
    expect(answered).toEqual(['cheap', 'dear', 'cheap'])
    await world.verify()
    const charges = await world.root.call(listCharges, {})
    expect(charges).toHaveLength(3)
    const rows = charges.map((charge) => [
      charge.request_id,
      new Date(charge.at).toISOString(),
      charge.kind,
      charge.username,
      charge.token_name,
      charge.model_name,
      ...CHARGES_CSV_CLASSES.map((name) => charge.units[name] ?? 0),
      '',
      charge.price_id,
      charge.amount,
    ])
    const [csv, book] = [join(folder, 'charges.csv'), join(folder, 'prices.json')]
    await writeFile(csv, [CHARGES_CSV_COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join(''))
    const prices = await world.root.call(exportPriceBook, {})
    expect(new Set(prices.prices.map(({ group_ratio }) => group_ratio))).toEqual(new Set(['0.25', '3.5']))
    await writeFile(book, JSON.stringify(prices))
    const lines: string[] = []
    expect([await recompute({ csv, book: [book] }, (line) => lines.push(line)), lines]).toEqual([0, expect.any(Array)])
  } finally {
    await world.close()
    await emulator.close()
    await rm(folder, { recursive: true, force: true })
  }
})
