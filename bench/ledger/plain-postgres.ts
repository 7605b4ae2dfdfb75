import { HOLD } from '@sluice/ledger/engines/tables'
import { insertInto } from '@sluice/ledger/engines/written-table'
import type { PostgresDatabase } from '@sluice/store/database'
import type { PostgresClient } from '@sluice/store/postgres/client'
import { chargeStatements, holdRow, type PlainLedger, type PlainRows } from './plain.ts'

const place = (at: number): string => `$${at}`
const LOCK = 'select id, posted, held, unlimited from account where id = any ($1::integer[]) order by id for update'
const RESERVE = 'update account set held = held + $2 where id = any ($1::integer[])'
const CHARGE = `update account set held = held - $2, posted = posted - $3, spent = spent + $3, requests = requests + 1
  where id = any ($1::integer[])`
const CLOSE_HOLD = 'delete from hold where request_id = $1 returning amount'
const OPEN_HOLD = insertInto(HOLD, place)

/**
 * With row locks and a connection for each concurrent request. Statements are prepared, and independent ones are sent together: two
 * round trips for a hold, two for a charge.
 */
export async function openPlainPostgres(
  database: PostgresDatabase,
  connections: number,
  kept: PlainRows,
): Promise<PlainLedger> {
  const charge = chargeStatements(kept, place)
  const clients = Array.from({ length: connections }, () => database.openClient())
  await Promise.all(clients.map((client) => run(client, 'ping', 'select 1')))
  const clientOf = (slot: number): PostgresClient => {
    const client = clients[slot]
    if (client === undefined) throw new Error(`there is no connection ${slot}`)
    return client
  }
  return {
    hold: async (slot, operation) => {
      const client = clientOf(slot)
      const accounts = [operation.account, operation.limitAccount]
      const begun = run(client, 'begin', 'begin')
      const [, { rows }] = await Promise.all([begun, run(client, 'lock', LOCK, [accounts])])
      const isCovered = rows.every(
        ({ posted, held, unlimited }) => unlimited === 1 || (posted as bigint) - (held as bigint) >= operation.amount,
      )
      if (!isCovered) {
        await run(client, 'rollback', 'rollback')
        throw new Error('the account of the bench ran dry')
      }
      await Promise.all([
        run(client, 'reserve', RESERVE, [accounts, operation.amount]),
        run(client, 'open_hold', OPEN_HOLD, HOLD.values(holdRow(operation))),
        run(client, 'commit', 'commit'),
      ])
    },
    settle: async (slot, settlement) => {
      const client = clientOf(slot)
      const accounts = [settlement.account, settlement.limitAccount]
      const [, , { rows }] = await Promise.all([
        run(client, 'begin', 'begin'),
        run(client, 'lock', LOCK, [accounts]),
        run(client, 'close_hold', CLOSE_HOLD, [settlement.requestId]),
      ])
      await Promise.all([
        run(client, 'charge', CHARGE, [accounts, rows[0]?.['amount'] ?? 0n, settlement.amount]),
        ...charge.map(({ name, text, values }) => run(client, name, text, values(settlement))),
        run(client, 'commit', 'commit'),
      ])
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

function run(client: PostgresClient, name: string, text: string, values: readonly unknown[] = []) {
  return client.query({ name: `plain_${name}`, text, values })
}
