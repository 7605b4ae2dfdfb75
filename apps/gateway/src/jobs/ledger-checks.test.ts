import { listLedgerChecks, startLedgerCheck } from '@sluice/contract/routes/ledger'
import { listLogs } from '@sluice/contract/routes/logs'
import { updateOption } from '@sluice/contract/routes/options'
import { listUsers } from '@sluice/contract/routes/users'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const MODEL = 'emu-n-tokens-30'

let emulator: Emulator
let world: GatewayWorld

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, [MODEL])
})
afterAll(async () => {
  await world.close()
  await emulator.close()
})

/** Adds so many codes that counting them takes a hundred times as long as the calls made meanwhile. */
async function addCodes(): Promise<void> {
  const db = world.database.kysely
  await sql`alter table redemption rename to redemption_before`.execute(db)
  await sql`create view redemption as
    with recursive serial(id) as (select 1 union all select id + 1 from serial where id < 60000000)
    select id, 1 as status, 0 as amount, 0 as redeemed_by, 0 as used_before from serial`.execute(db)
}

const latest = async () => (await world.root.call(listLedgerChecks, { query: {} }))[0]

test('calls, changes and pages are answered while the ledger is being verified', { timeout: 60_000 }, async () => {
  const key = await world.addToken(world.root)
  await addCodes()
  await world.root.call(startLedgerCheck, { body: { mode: 'full' } })
  await expect.poll(async () => (await latest())?.results.length).toBe(7)
  for (let n = 0; n < 5; n += 1) {
    const reply = await world.chat(key, { model: MODEL, stream: n % 2 === 0 })
    expect([reply.status, (await reply.text()).length > 0]).toEqual([200, true])
    await world.root.call(updateOption, { body: { key: 'SystemName', value: `Name ${n}` } })
    await world.root.call(listUsers, { query: {} })
    await world.root.call(listLogs, { query: {} })
  }
  expect(await latest()).toMatchObject({ outcome: 'running', results: { length: 7 } })
  // Stopping does not wait for the rest of the check either.
  await world.stop()
  const { rows } = await sql<{ outcome: string }>`select outcome from ledger_check`.execute(world.database.kysely)
  expect(rows).toEqual([{ outcome: 'stopped' }])
})
