import { KEPT_AWAY_MS, REMEMBER_DEAD_MS } from '../engine.ts'
import { LEASE_PREFIX } from '../operation.ts'
import { LOG_TYPE } from '../rules/rows.ts'
import { ADD_TO_USAGE, LOG, LOG_CORRECTED_COLUMNS, LOG_CORRECTION, REPLACE_TRACE, TRACE, USAGE } from './log-tables.ts'
import type { PostgresRow } from './postgres-connection.ts'
import { ACCOUNT_CHANGE, BUDGET, EVENT, HOLD, PRICE, REDEEMED, TRANSFER } from './tables.ts'
import type { ColumnType, SqlValue, WrittenTable } from './written-table.ts'

const POSTGRES_TYPE: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  int: 'integer',
  safe: 'double precision',
  int8: 'bigint',
}

/** `unnest($n::type[], …) as name (column, …)`: the parameters of many rows, one array per column. */
function rowsFrom(name: string, { columns, types }: WrittenTable<never>, firstParameter: number): string {
  const arrays = types.map((type, i) => `$${firstParameter + i}::${POSTGRES_TYPE[type]}[]`)
  return `unnest(${arrays.join(', ')}) as ${name} (${columns.join(', ')})`
}

function insertFrom(table: WrittenTable<never>, firstParameter: number, onConflict = ''): string {
  const columns = table.columns.join(', ')
  return `insert into ${table.name} (${columns}) select ${columns} from ${rowsFrom('given', table, firstParameter)} ${onConflict}`
}

/** Everything that a batch writes to different tables, in one statement: one round trip instead of six. */
function writeBatchSql(): string {
  let next = 1
  const from = ({ columns }: WrittenTable<never>): number => {
    const first = next
    next += columns.length
    return first
  }
  const hold = `on conflict (request_id) do update
    set amount = excluded.amount, progress = excluded.progress, touched_ms = excluded.touched_ms`
  return `
    with holds as (${insertFrom(HOLD, from(HOLD), hold)}),
      transfers as (${insertFrom(TRANSFER, from(TRANSFER))}),
      logs as (${insertFrom(LOG, from(LOG))}),
      traces as (${insertFrom(TRACE, from(TRACE), REPLACE_TRACE)}),
      sums as (${insertFrom(USAGE, from(USAGE), ADD_TO_USAGE)})
    update account set posted = account.posted + change.posted, held = account.held + change.held,
      spent = account.spent + change.spent, requests = account.requests + change.requests,
      unlimited = change.unlimited, last_ms = greatest(account.last_ms, change.last_ms)
    from ${rowsFrom('change', ACCOUNT_CHANGE, from(ACCOUNT_CHANGE))}
    where account.id = change.id`
}

function correctLogsSql(): string {
  return `update log set ${LOG_CORRECTED_COLUMNS.map((column) => `${column} = late.${column}`).join(', ')}
    from ${rowsFrom('late', LOG_CORRECTION, 1)}
    where log.created_at = late.created_at and log.request_id = late.request_id and log.type = ${LOG_TYPE.consume}`
}

const ACCOUNT_COLUMNS =
  'id, kind, owner_id, posted, held, spent, requests, credit_floor, unlimited, last_ms, budgeted, reminded'
/** The replica clock is the database's, so replicas need not agree on the time. */
const NOW_MS = `floor(extract(epoch from clock_timestamp()) * 1000)::double precision`

/** Every statement of the engine, by the name under which a connection prepares it. */
export const STATEMENTS = {
  begin: 'begin isolation level read committed',
  commit: 'commit',
  commitSoon: 'set local synchronous_commit to off',
  rollback: 'rollback',
  openAccounts: `insert into account (kind, owner_id)
    select kind, owner_id from unnest($1::text[], $2::integer[]) as wanted (kind, owner_id) order by kind, owner_id
    on conflict (kind, owner_id) do nothing`,
  findAccounts: `select account.id, account.kind, account.owner_id from account
    join unnest($1::text[], $2::integer[]) as wanted (kind, owner_id)
      on wanted.kind = account.kind and wanted.owner_id = account.owner_id`,
  findHolds: `select request_id, account, limit_account, progress from hold where request_id = any ($1::text[])`,
  findCharges: `select debit, limit_account from transfer where request_id = any ($1::text[]) and kind = 'consume'`,
  storePrices: insertFrom(PRICE, 1, 'on conflict (content) do nothing'),
  findPrices: `select id, content from price where content = any ($1::text[])`,
  /** In id order, so that two replicas never wait for each other. */
  lockAccounts: `select ${ACCOUNT_COLUMNS} from account where id = any ($1::integer[]) order by id for update`,
  readHolds: `select ${HOLD.columns.join(', ')} from hold where request_id = any ($1::text[])`,
  /** Id by id, so that only the months of these ids are searched. */
  readTransfers: `select request_id, kind, debit, credit, limit_account, amount, input_tokens, cached_tokens,
      cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, units, channel_id, model, actor, at_ms, refers_to
    from unnest($1::text[]) as wanted (id)
      cross join lateral (select * from transfer where transfer.request_id = wanted.id offset 0) as found`,
  readRefunds: `select refers_to, sum(amount)::bigint as refunded from transfer
    where refers_to = any ($1::text[]) group by refers_to`,
  /** Run after `lockAccounts`, in id order. Other statements that change a code lock no account. */
  lockRedemptions: `select id, amount, status, altered_by, redeemed_by, redeemed_ms, expired_time, used_before
    from redemption where id = any ($1::integer[]) order by id for update`,
  /** Run once their accounts are locked. */
  readBudgets: `select ${BUDGET.columns.join(', ')} from budget where account = any ($1::integer[])`,
  readDailySums: `select wanted.account, usage_daily.day, sum(usage_daily.amount)::bigint as amount
    from unnest($1::integer[], $2::integer[], $3::integer[]) as wanted (account, user_id, day)
    join account on account.id = wanted.account
    join usage_daily on usage_daily.user_id = wanted.user_id and usage_daily.day >= wanted.day
      and (account.kind = 'user' or usage_daily.token_id = account.owner_id)
    group by wanted.account, usage_daily.day`,
  removeBudgets: `delete from budget using unnest($1::integer[], $2::text[]) as old (account, period)
    where budget.account = old.account and budget.period = old.period`,
  writeBudgets: insertFrom(
    BUDGET,
    1,
    `on conflict (account, period) do update
      set amount = excluded.amount, window_start_ms = excluded.window_start_ms, spent = excluded.spent`,
  ),
  flagBudgets: `update account set budgeted = flag.budgeted
    from unnest($1::integer[], $2::integer[]) as flag (id, budgeted) where account.id = flag.id`,
  closeHolds: `delete from hold where request_id = any ($1::text[])`,
  writeBatch: writeBatchSql(),
  redeem: `update redemption set status = used.status, redeemed_by = used.redeemed_by, redeemed_ms = used.redeemed_ms
    from ${rowsFrom('used', REDEEMED, 1)} where redemption.id = used.id`,
  correctLogs: correctLogsSql(),
  writeEvents: insertFrom(EVENT, 1),
  markReminded: `update account set reminded = mark.reminded
    from unnest($1::integer[], $2::integer[]) as mark (id, reminded) where account.id = mark.id`,
  heartbeat: `insert into replica (id, heartbeat_ms, started_ms, dead) values ($1, ${NOW_MS}, ${NOW_MS}, 0)
    on conflict (id) do update set heartbeat_ms = excluded.heartbeat_ms, started_ms = case
      when excluded.heartbeat_ms - replica.heartbeat_ms between 0 and ${KEPT_AWAY_MS} then replica.started_ms
      else excluded.heartbeat_ms end
    where replica.dead = 0
    returning id`,
  leave: `delete from replica where id = $1`,
  declareDead: `update replica set dead = 1
    where dead = 0 and (id = any ($2::text[]) or heartbeat_ms <= ${NOW_MS} - $1::double precision and ($3::text is null
      or exists (select 1 from replica own where own.id = $3 and own.started_ms <= ${NOW_MS} - $1::double precision)))`,
  forgetDead: `delete from replica where dead = 1 and heartbeat_ms < ${NOW_MS} - ${REMEMBER_DEAD_MS}
    and not exists (select 1 from hold where hold.replica = replica.id)`,
  findLeases: `select 1 from hold where request_id like '${LEASE_PREFIX}%' and replica <> $2
    and (account = any ($1::integer[]) or limit_account = any ($1::integer[])) limit 1`,
  findOrphans: `select hold.request_id from hold left join replica on replica.id = hold.replica
    where replica.id is null or replica.dead = 1 order by hold.request_id limit $1`,
} as const satisfies Readonly<Record<string, string>>

export type StatementName = keyof typeof STATEMENTS

export type Query = (name: StatementName, values?: readonly unknown[]) => Promise<PostgresRow[]>

/** Rows as the arrays that `unnest` takes: one per column. PostgreSQL text cannot hold NUL. */
export function columnArrays<Row>({ types, valuesOf }: WrittenTable<Row>, rows: readonly Row[]): SqlValue[][] {
  return valuesOf.map((valueOf, i) => {
    const values = rows.map(valueOf)
    return types[i] === 'text' ? values.map(withoutNul) : values
  })
}

function withoutNul(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}
