import { randomUUIDv7 } from 'node:crypto'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PLAIN_SETTLED_LOG } from '@sluice/contract/fields/log'
import { createSqliteLedger } from '@sluice/ledger/engines/sqlite'
import type { Settlement } from '@sluice/ledger/operation'
import { charge, type Price } from '@sluice/ledger/pricing'
import { mq } from '@sluice/ledger/units'
import { openSqliteConnection, type SqliteConnection } from '@sluice/store/sqlite/connection'

/**
 * `node bench/settle.ts --data data/large`: the cost of a charge in the ledger's thread for that database, by the size of the
 * commit. The newest requests are charged once more, at the current time. The database is changed; its ledger stays correct.
 */
const { values } = parseArgs({ options: { data: { type: 'string' }, charges: { type: 'string', default: '6400' } } })
if (values.data === undefined) throw new Error('--data names the folder of the database')
const file = join(resolve(values.data), 'sluice.db')
const CHARGES = Number(values.charges)
const PRICE: Price = {
  rates: { input: 10n ** 9n, cachedInput: 10n ** 8n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 4n * 10n ** 9n },
  groupRatio: 1_000_000n,
  source: 'bench',
}

const connection = openSqliteConnection(file)
const ledger = createSqliteLedger(connection)
const requests = readRequests(connection)
apply(64, CHARGES / 4)
console.log('charges in a commit   CPU of a charge, µs   written to the WAL for it, kB')
for (const size of [1, 8, 64]) {
  const count = size === 1 ? CHARGES / 8 : CHARGES
  connection.exec('pragma wal_checkpoint(truncate); pragma wal_autocheckpoint = 0')
  const before = process.cpuUsage()
  apply(size, count)
  const { user, system } = process.cpuUsage(before)
  const written = statSync(`${file}-wal`).size / count / 1_000
  console.log(
    String(size).padStart(19),
    ((user + system) / count).toFixed(1).padStart(21),
    written.toFixed(1).padStart(31),
  )
}
connection.close()

function apply(size: number, count: number): void {
  for (let first = 0; first < count; first += size) {
    const batch = Array.from({ length: size }, (_, at) => {
      const request = requests[(first + at) % requests.length]
      if (request === undefined) throw new Error('the database has no charges')
      return { op: 'settle' as const, settlement: settlementOf(request) }
    })
    const { outcomes } = ledger.apply(batch, 'bench')
    if (outcomes.some(({ outcome }) => outcome !== 'done')) throw new Error(JSON.stringify(outcomes))
  }
}

type Request = Pick<Settlement, 'account' | 'limitAccount' | 'userId' | 'tokenId' | 'channelId' | 'model'> & {
  readonly username: string
  readonly tokenName: string
}

function readRequests(from: SqliteConnection): readonly Request[] {
  const rows = from
    .prepare(`select payer.id as account, "limit".id as limitAccount, user_id as userId, token_id as tokenId,
        channel_id as channelId, model_name as model, username, token_name as tokenName
      from (select * from log where type = 2 order by id desc limit 5000) as charge
      join account payer on payer.kind = 'user' and payer.owner_id = user_id
      join account "limit" on "limit".kind = 'token' and "limit".owner_id = token_id`)
    .all()
  return rows as unknown as readonly Request[]
}

function settlementOf({ username, tokenName, ...request }: Request): Settlement {
  const now = Date.now()
  const requestId = randomUUIDv7().replaceAll('-', '')
  const tokens = { input: 900, cachedInput: 100, cacheWrite5m: 0, cacheWrite1h: 0, output: 250, reasoning: 0 }
  return {
    ...request,
    requestId,
    amount: charge(tokens, PRICE),
    price: PRICE,
    tokens,
    log: {
      ...PLAIN_SETTLED_LOG,
      createdAt: Math.floor(now / 1_000),
      username,
      tokenName,
      channelName: `channel ${request.channelId}`,
      originModel: request.model,
      elapsedMs: 2_000,
      isStream: true,
      ended: 'complete',
      content: 'model rate 2.50, group rate 1.00, completion rate 4.00',
    },
    trace: {
      requestId,
      userId: request.userId,
      url: '/v1/chat/completions',
      method: 'POST',
      status: 200,
      bodySize: 900,
      received: now - 2_000,
      forwarded: now - 1_998,
      firstUpstream: now - 1_500,
      firstClient: now - 1_499,
      upstreamCompleted: now - 2,
      completed: now - 1,
      attempts: '[]',
      held: mq(0n),
      upstreamUsage: '',
      routing: '',
    },
  }
}
