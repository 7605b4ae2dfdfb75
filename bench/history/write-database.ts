import { PLAIN_LOG } from '@sluice/contract/fields/log'
import { LOG, USAGE } from '@sluice/ledger/engines/log-tables'
import { SYSTEM_OWNER } from '@sluice/ledger/engines/system-accounts'
import { PRICE, TRANSFER } from '@sluice/ledger/engines/tables'
import { insertInto, type WrittenTable } from '@sluice/ledger/engines/written-table'
import { countColumns } from '@sluice/ledger/rules/charges'
import type { LogRow } from '@sluice/ledger/rules/rows'
import { mq } from '@sluice/ledger/units'
import { COLUMN_TYPES } from '@sluice/store/column-types'
import { fillRollUps } from '@sluice/store/fill-roll-ups'
import { openSqliteConnection, type SqliteConnection } from '@sluice/store/sqlite/connection'
import type { Random } from '../../tools/demo/random.ts'
import { makePopulation, type Population } from './population.ts'
import { DAY, type PastRequest, requestsOfDay, rowsPerDay } from './requests.ts'

const DAYS = 365
/** Share of rows that are not charges: tests of channels, management, top-ups. */
const PLAIN_SHARE = 0.01
const NO_TOKENS = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }
const CONTENT = 'model rate 2.50, group rate 1.00, completion rate 4.00'

/** The result is that of a commit per row, but much faster; the file is useless if this is interrupted. */
const FAST =
  'pragma journal_mode = delete; pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000; pragma foreign_keys = off'

/**
 * Fills a migrated, otherwise empty SQLite file with a year of log rows, ending at `now` (unix seconds), and everything else that
 * the ledger needs: users, tokens, channels, accounts, transfers, prices, daily sums. `sluice ledger verify` finds nothing wrong
 * with it. Requests have no timeline (`trace`). Returns the number of rows in `log`.
 */
export function writeHistory(file: string, rows: number, now: number, random: Random): number {
  const connection = openSqliteConnection(file)
  connection.exec(FAST)
  const population = makePopulation(random)
  const restore = dropDerived(connection)
  connection.exec('begin')
  writePeople(connection, population, now - DAYS * DAY)
  const spent = writeRequests(connection, population, random, rows, now)
  writeAccounts(connection, population, spent, now - DAYS * DAY)
  connection.exec('commit')
  restore()
  for (const statement of fillRollUps(COLUMN_TYPES.sqlite)) connection.exec(statement)
  const [[count = 0] = []] = connection.prepare('select count(*) from log').values()
  connection.exec('pragma journal_mode = wal')
  connection.close()
  return Number(count)
}

/** Indexes and triggers of the large tables are recreated at the end, which is faster than maintaining them. */
function dropDerived(connection: SqliteConnection): () => void {
  const derived = connection
    .prepare(`select type, name, sql from sqlite_schema
      where tbl_name in ('log', 'transfer', 'usage_daily') and type in ('index', 'trigger') and sql is not null`)
    .values()
  for (const [type, name] of derived) connection.exec(`drop ${String(type)} ${String(name)}`)
  return () => {
    for (const [, , sql] of derived) connection.exec(String(sql))
  }
}

function inserter<Row>(connection: SqliteConnection, table: WrittenTable<Row>): (row: Row) => void {
  const statement = connection.prepare(insertInto(table))
  return (row) => statement.run(...table.values(row))
}

function writePeople(connection: SqliteConnection, population: Population, since: number): void {
  const addUser = connection.prepare(`insert into "user"
    (id, username, password_hash, display_name, role, status, email, group_name, created_time)
    values (?, ?, '', ?, ?, 1, '', 'default', ?)`)
  const addToken = connection.prepare(`insert into token
    (id, user_id, name, key_hash, key_sealed, status, created_time, expired_time, unlimited)
    values (?, ?, ?, ?, '', 1, ?, -1, 1)`)
  const addChannel = connection.prepare(`insert into channel
    (id, name, type, key_sealed, base_url, other, models, group_names, priority, weight, ratelimit, status, response_time,
      test_time, created_time, config) values (?, ?, 1, '', '', '', '', 'default', 0, 1, 0, 2, 0, 0, ?, '')`)
  for (const [at, { username }] of population.users.entries()) {
    addUser.run(at + 1, username, username, at === 0 ? 100 : 1, since)
  }
  for (const [at, { userAt, name }] of population.tokens.entries()) {
    addToken.run(at + 1, userAt + 1, name, `no key ${at}`, since)
  }
  for (const [at, name] of population.channels.entries()) addChannel.run(at + 1, name, since)
  const addPrice = inserter(connection, PRICE)
  for (const { price } of population.models) addPrice(price)
}

/** mq and requests by position. */
interface Spent {
  readonly byUser: BigInt64Array
  readonly byToken: BigInt64Array
  readonly userRequests: Float64Array
  readonly tokenRequests: Float64Array
}

function writeRequests(
  connection: SqliteConnection,
  population: Population,
  random: Random,
  rows: number,
  now: number,
): Spent {
  const spent: Spent = {
    byUser: new BigInt64Array(population.users.length),
    byToken: new BigInt64Array(population.tokens.length),
    userRequests: new Float64Array(population.users.length),
    tokenRequests: new Float64Array(population.tokens.length),
  }
  const ids = accountIds(population)
  const addLog = inserter(connection, LOG)
  const addTransfer = inserter(connection, TRANSFER)
  const addUsage = inserter(connection, USAGE)
  const today = Math.floor(now / DAY)
  const firstDay = today - DAYS + 1
  let serial = 0
  for (const [dayAt, count] of rowsPerDay(rows, firstDay, DAYS).entries()) {
    const day = firstDay + dayAt
    const usage = new Map<number, Parameters<typeof addUsage>[0]>()
    for (const request of requestsOfDay(population, random, { start: day * DAY, end: now, count })) {
      serial += 1
      const id = requestId(request.at, serial)
      const row = logRow(population, request, id)
      if (random.unit() < PLAIN_SHARE) {
        addLog(plainRow(row, serial))
        continue
      }
      addLog(row)
      addTransfer({
        requestId: id,
        kind: 'consume',
        debit: ids.user(request.userAt),
        credit: ids.revenue,
        limitAccount: ids.token(request.tokenAt),
        amount: row.amount,
        priceId: request.modelAt + 1,
        tokens: request.tokens,
        channelId: row.channelId,
        model: row.model,
        actor: 0,
        reason: '',
        atMs: request.at * 1_000,
        refersTo: null,
      })
      const key = (request.tokenAt * 64 + request.modelAt) * 64 + request.channelAt
      const sum = usage.get(key) ?? { ...row, day, requests: 0, promptTokens: 0, completionTokens: 0, amount: 0n }
      usage.set(key, sum)
      sum.requests += 1
      sum.promptTokens += row.promptTokens
      sum.completionTokens += row.completionTokens
      sum.amount += row.amount
      spent.byUser[request.userAt] = (spent.byUser[request.userAt] ?? 0n) + row.amount
      spent.byToken[request.tokenAt] = (spent.byToken[request.tokenAt] ?? 0n) + row.amount
      spent.userRequests[request.userAt] = (spent.userRequests[request.userAt] ?? 0) + 1
      spent.tokenRequests[request.tokenAt] = (spent.tokenRequests[request.tokenAt] ?? 0) + 1
    }
    for (const row of usage.values()) addUsage(row)
  }
  return spent
}

function logRow(population: Population, request: PastRequest, id: string): LogRow {
  const user = population.users[request.userAt]
  const token = population.tokens[request.tokenAt]
  const model = population.models[request.modelAt]
  const channelName = population.channels[request.channelAt]
  if (user === undefined || token === undefined || model === undefined || channelName === undefined) {
    throw new RangeError('a request of nobody')
  }
  return {
    ...PLAIN_LOG,
    createdAt: request.at,
    type: 2,
    userId: request.userAt + 1,
    username: user.username,
    tokenId: request.tokenAt + 1,
    tokenName: token.name,
    model: model.name,
    originModel: model.name,
    channelId: request.channelAt + 1,
    channelName,
    amount: request.amount,
    ...countColumns(request.tokens),
    requestId: id,
    elapsedMs: request.elapsedMs,
    isStream: request.isStream,
    ended: 'complete',
    content: CONTENT,
  }
}

/** The same moment and user, but not a charge. */
function plainRow(row: LogRow, serial: number): LogRow {
  const plain = {
    ...row,
    tokenId: 0,
    tokenName: '',
    amount: mq(0n),
    ...countColumns(NO_TOKENS),
    elapsedMs: 0,
    ended: '',
  }
  const nothing = { model: '', originModel: '', channelId: 0, channelName: '' }
  if (serial % 10 === 0) return { ...plain, ...nothing, type: 1, content: 'Topped up 500000 quota' }
  if (serial % 10 < 3) return { ...plain, ...nothing, type: 3, content: `User ${row.username} enabled, by root` }
  return { ...plain, type: 5, content: `Channel ${row.channelName} answered`, elapsedMs: row.elapsedMs }
}

/** UUIDv7 as 32 hex characters, from the second and a serial number. */
function requestId(at: number, serial: number): string {
  return `${(at * 1_000).toString(16).padStart(12, '0')}70008${serial.toString(16).padStart(15, '0')}`
}

function accountIds(population: Population) {
  const users = population.users.length
  return {
    issuance: 1,
    revenue: 2,
    user: (at: number) => 3 + at,
    token: (at: number) => 3 + users + at,
  }
}

/** Every user was initially funded with twice what they spent. */
function writeAccounts(connection: SqliteConnection, population: Population, spent: Spent, since: number): void {
  const ids = accountIds(population)
  const add = connection.prepare(
    'insert into account (id, kind, owner_id, posted, spent, requests, unlimited) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const addTransfer = inserter(connection, TRANSFER)
  let revenue = 0n
  for (const [at, amount] of spent.byUser.entries()) {
    revenue += amount
    const funded = amount * 2n + 1_000_000n
    add.run(ids.user(at), 'user', at + 1, funded - amount, amount, spent.userRequests[at] ?? 0, 0)
    addTransfer({
      requestId: requestId(since, 2 ** 40 + at),
      kind: 'fund',
      debit: ids.issuance,
      credit: ids.user(at),
      limitAccount: null,
      amount: funded,
      priceId: null,
      tokens: NO_TOKENS,
      channelId: 0,
      model: '',
      actor: 0,
      reason: 'opening balance',
      atMs: since * 1_000,
      refersTo: null,
    })
  }
  for (const [at, amount] of spent.byToken.entries()) {
    add.run(ids.token(at), 'token', at + 1, -amount, amount, spent.tokenRequests[at] ?? 0, 1)
  }
  const issued = revenue * 2n + 1_000_000n * BigInt(population.users.length)
  add.run(ids.issuance, 'system', SYSTEM_OWNER.issuance, -issued, 0n, 0, 0)
  add.run(ids.revenue, 'system', SYSTEM_OWNER.revenue, revenue, 0n, 0, 0)
}
