import { listLedgerChecks, startLedgerCheck } from '@sluice/contract/routes/ledger'
import { listLogs } from '@sluice/contract/routes/logs'
import { createUser, listUsers } from '@sluice/contract/routes/users'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const MODEL = 'emu-n-tokens-30'
/** Takes seconds to count. */
const ROWS = 400_000

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

/** Much to count, all of it without an account or a price: the proof will say so, at its end. */
async function addTransfers(): Promise<void> {
  await sql`
    with recursive serial(n) as (select 1 union all select n + 1 from serial where n < ${ROWS})
    insert into transfer (request_id, kind, debit, credit, amount, input_tokens, cached_tokens, cache_write_5m_tokens,
      cache_write_1h_tokens, output_tokens, channel_id, model, actor, reason, at_ms)
    select printf('01a0%028x', n), 'consume', n % 5000 + 1000, 2, 1, 0, 0, 0, 0, 1, 1, 'gpt-4o-mini', 0, 'unlogged', 1763640000000
    from serial`.execute(world.database.kysely)
}

const latest = async () => (await world.root.call(listLedgerChecks, { query: {} }))[0]

test('calls, changes and pages are answered while the books are being verified', { timeout: 60_000 }, async () => {
  const key = await world.addToken(world.root)
  await addTransfers()
  await world.root.call(startLedgerCheck, { body: { mode: 'full' } })
  for (let n = 0; n < 10; n += 1) {
    const reply = await world.chat(key, { model: MODEL, stream: n % 2 === 0 })
    expect([reply.status, (await reply.text()).length > 0]).toEqual([200, true])
    await world.root.call(createUser, { body: { username: `beside${n}`, password: 'beside-password', quota: 100 } })
    await world.root.call(listUsers, { query: {} })
    await world.root.call(listLogs, { query: {} })
  }
  expect(await latest()).toMatchObject({ outcome: 'running' })
  // A stop does not wait for the rest of it either.
  await world.stop()
  const { rows } = await sql<{ outcome: string }>`select outcome from ledger_check`.execute(world.database.kysely)
  expect(rows).toEqual([{ outcome: 'stopped' }])
})
