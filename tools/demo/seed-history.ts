import { openLedger } from '@sluice/ledger/commit/group-commit'
import { openSqliteEngine, SQLITE_LEDGER_PROGRAM } from '@sluice/ledger/engines/sqlite-remote'
import type { Ledger } from '@sluice/ledger/ledger'
import { mq } from '@sluice/ledger/units'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import { ratesAt } from '@sluice/providers/prices/quote'
import { rates } from '@sluice/providers/prices/rates'
import { openDatabase, type SqliteDatabase } from '@sluice/store/database'
import { addChannelCalls } from '@sluice/store/queries/channels/channel-history'
import { CHANNELS, USERS } from './cast.ts'
import { channelCalls } from './channel-calls.ts'
import { type Consumer, makeHistory, type PastRequest, type Seller } from './history.ts'
import { seededRandom } from './random.ts'
import { DAY_MS } from './rhythm.ts'

const DAYS = 30
const REQUESTS_PER_DAY = 320
const SEED = 51
/** Number of requests that are held, then settled, at the same time. */
const AT_ONCE = 500
/** The group ratio of a group that pays the list price. */
const LIST_PRICE = 1_000_000n

/**
 * Writes thirty days of use through the ledger, so that every past sum and receipt is as if it had happened. The gateway must not
 * run meanwhile. Returns the number of requests written.
 *
 * @param now unix milliseconds
 */
export async function seedHistory(sqliteFile: string, now: number): Promise<number> {
  const database = await openDatabase({ sqliteFile })
  if (database.engine !== 'sqlite') throw new Error('the demo runs on SQLite')
  const host = await database.openProgram(SQLITE_LEDGER_PROGRAM)
  const ledger = await openLedger({
    engine: openSqliteEngine(host),
    replica: 'demo-history',
    alone: true,
    now: () => Date.now(),
    maxBacklog: 10 * AT_ONCE,
    drainMs: 10_000,
    onDead: () => {},
    onFailure: (error) => {
      throw error
    },
  })
  try {
    const requests = makeHistory({
      now,
      days: DAYS,
      requestsPerDay: REQUESTS_PER_DAY,
      consumers: await findConsumers(database, ledger),
      sellersOf: await findSellers(database),
      random: seededRandom(SEED),
    })
    await addChannelCalls(database.kysely, channelCalls(requests))
    for (let at = 0; at < requests.length; at += AT_ONCE) await post(ledger, requests.slice(at, at + AT_ONCE))
    await backdate(database, Math.floor((now - (DAYS + 1) * DAY_MS) / 1_000))
    return requests.length
  } finally {
    await ledger.close()
    await database.close()
  }
}

async function post(ledger: Ledger, requests: readonly PastRequest[]): Promise<void> {
  const held = await Promise.all(
    requests.map((request) => {
      const { requestId, account, limitAccount } = request.outcome === 'charged' ? request.settlement : request
      const amount = request.outcome === 'charged' ? request.settlement.amount : mq(1_000n)
      return ledger.hold({ requestId, account, limitAccount, amount: amount > 0n ? amount : mq(1n), durable: false })
    }),
  )
  const refused = held.find((answer) => answer !== 'held')
  if (refused !== undefined) throw new Error(`the demo's history does not fit its balances: ${JSON.stringify(refused)}`)
  await Promise.all(
    requests.map((request) =>
      request.outcome === 'charged' ? ledger.settle(request.settlement) : ledger.void(request.requestId, request.trace),
    ),
  )
}

async function findConsumers({ kysely }: SqliteDatabase, ledger: Ledger): Promise<Consumer[]> {
  const rows = await kysely
    .selectFrom('token')
    .innerJoin('user', 'user.id', 'token.user_id')
    .select(['user.id as userId', 'user.username', 'token.id as tokenId', 'token.name as tokenName', 'token.unlimited'])
    .orderBy('token.id')
    .execute()
  const consumers: Consumer[] = []
  for (const { unlimited, ...row } of rows) {
    const tokens = USERS.find((user) => user.username === row.username)?.tokens
    const use = tokens?.find((token) => token.name === row.tokenName)?.use
    if (use === undefined) continue
    const account = await ledger.openAccount('user', row.userId, false)
    const limitAccount = await ledger.openAccount('token', row.tokenId, unlimited === 1)
    if (account === 'unavailable' || limitAccount === 'unavailable') throw new Error('the ledger does not answer')
    consumers.push({ ...row, use, account, limitAccount })
  }
  return consumers
}

async function findSellers({ kysely }: SqliteDatabase): Promise<(model: string) => readonly Seller[]> {
  const rows = await kysely
    .selectFrom('channel')
    .selectAll()
    .where('status', '=', 1)
    .orderBy('priority', 'desc')
    .execute()
  const channels = rows.map((row) => ({ row, models: row.models.split(','), seller: sellerOf(row) }))
  const byModel = new Map<string, readonly Seller[]>()
  for (const model of CHANNELS.flatMap((channel) => channel.models)) {
    byModel.set(
      model,
      channels.filter(({ models }) => models.includes(model)).map(({ seller }) => seller),
    )
  }
  return (model) => byModel.get(model) ?? []
}

function sellerOf(row: {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly model_configs: string | null
}): Seller {
  const configs = parseModelConfigs(row.model_configs)
  if ('problem' in configs) throw new Error(`channel ${row.name}: ${configs.problem}`)
  return {
    channelId: row.id,
    channelName: row.name,
    priceOf: (model, promptTokens) => {
      const quote = rates(row.type, model, configs, 0)
      if (quote === 'missing') return undefined
      const source = quote.source === 'channel' ? `channel:${row.id}` : quote.source
      return { rates: ratesAt(quote, promptTokens, 0), groupRatio: LIST_PRICE, source }
    },
  }
}

/** Nothing in the cast may be newer than its history. */
async function backdate({ kysely }: SqliteDatabase, seconds: number): Promise<void> {
  const created_time = seconds
  await kysely.updateTable('user').set({ created_time }).execute()
  await kysely.updateTable('token').set({ created_time }).execute()
  await kysely.updateTable('channel').set({ created_time }).execute()
  await kysely.updateTable('log').set({ created_at: seconds }).where('type', '<>', 2).execute()
}
