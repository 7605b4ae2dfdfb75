import type { Account } from '../rules/rows.ts'
import type { AccountSlot, WorkingSet } from '../rules/working-set.ts'
import { LOG, LOG_CORRECTION, TRACE, USAGE } from './log-tables.ts'
import { readBudgets, readDailySums, type WantedSums, wantedBy, writeBudgets } from './postgres-budgets.ts'
import type { PostgresRow } from './postgres-connection.ts'
import type { PreparedBatch } from './postgres-prepare.ts'
import {
  accountKey,
  ChangedMeanwhile,
  PostgresSource,
  readAccount,
  readHold,
  readRedemption,
  unlockedSystemAccount,
} from './postgres-source.ts'
import { columnArrays, type Query, type StatementName } from './postgres-statements.ts'
import { SYSTEM_OWNER } from './system-accounts.ts'
import { ACCOUNT_CHANGE, EVENT, HOLD, REDEEMED, TRANSFER } from './tables.ts'

/** Reads that only a few batches need. */
export interface ReadMore {
  readonly lockSystem: boolean
  /** First day of the daily sums that the rules need for accounts with budgets. Days since 1970-01-01. */
  readonly sumsSince: number | undefined
}

/** Locks the accounts of a batch, then reads its rows, which no one else can change until the commit. */
export async function readBatch(
  query: Query,
  prepared: PreparedBatch,
  { lockSystem, sumsSince }: ReadMore,
): Promise<PostgresSource> {
  const issuance = systemId(prepared, SYSTEM_OWNER.issuance)
  const revenue = systemId(prepared, SYSTEM_OWNER.revenue)
  const equity = prepared.imports ? systemId(prepared, SYSTEM_OWNER.equity) : undefined
  // The server runs these in order in one round trip: the locks are taken before the other rows are read.
  const [locked, lockedSystem, redemptions, holds, transfers, dailySums] = await Promise.all([
    readFor(query, 'lockAccounts', prepared.accounts),
    // Last in every batch, so that no batch waits for an account while it holds these locks.
    readFor(query, 'lockAccounts', lockSystem ? [issuance, revenue, ...(equity === undefined ? [] : [equity])] : []),
    readFor(query, 'lockRedemptions', prepared.redemptions),
    readFor(query, 'readHolds', prepared.holds),
    readFor(query, 'readTransfers', prepared.transfers),
    readDailySums(query, [...prepared.budgets.values()].map(wantedBy)),
  ])
  const charged = transfers.filter((row) => row['kind'] === 'consume').map((row) => row['request_id'] as string)
  const refunded = await readFor(query, 'readRefunds', charged)
  const budgets = await readBudgets(query, locked)
  const wanted = sumsSince === undefined ? [] : wantedOf(locked, prepared, sumsSince)
  const accounts = new Map(
    [...locked, ...lockedSystem].map((row) => {
      const id = row['id'] as number
      return [id, readAccount(row, budgets.get(id))]
    }),
  )
  const system = (id: number, owner: number): Account => accounts.get(id) ?? unlockedSystemAccount(id, owner)
  return new PostgresSource({
    accounts,
    holds: new Map(holds.map((row) => [row['request_id'] as string, readHold(row)])),
    transfers: Map.groupBy(transfers, (row: PostgresRow) => row['request_id'] as string),
    refunded: new Map(refunded.map((row) => [row['refers_to'] as string, row['refunded'] as bigint])),
    redemptions: new Map(redemptions.map((row) => [row['id'] as number, readRedemption(row)])),
    dailySums: wanted.length === 0 ? dailySums : await readDailySums(query, wanted),
    accountIds: prepared.accountIds,
    priceIds: prepared.priceIds,
    issuance: system(issuance, SYSTEM_OWNER.issuance),
    revenue: system(revenue, SYSTEM_OWNER.revenue),
    equity: equity === undefined ? undefined : system(equity, SYSTEM_OWNER.equity),
  })
}

/** The daily sums of the batch's accounts that have budgets or are about to get some. */
function wantedOf(locked: readonly PostgresRow[], { budgets, payers }: PreparedBatch, since: number): WantedSums[] {
  const owners = new Map(locked.map((row) => [row['id'] as number, row['owner_id'] as number]))
  return locked.flatMap((row) => {
    const account = row['id'] as number
    const request = budgets.get(account)
    if (row['budgeted'] !== 1 && request === undefined) return []
    const userId = request?.userId ?? owners.get(payers.get(account) ?? account)
    if (userId === undefined) throw new ChangedMeanwhile()
    return [{ account, userId, since: Math.min(since, request === undefined ? since : wantedBy(request).since) }]
  })
}

/** Writes what a batch decided. Nothing here can conflict, because the locks keep all other writers away. */
export async function writeBatch(query: Query, set: WorkingSet): Promise<void> {
  const { opened, changed, closed } = set.holdChanges()
  const accounts = set.changedAccounts()
  const rows = [
    columnArrays(HOLD, [...opened, ...changed]),
    columnArrays(TRANSFER, set.transfers),
    columnArrays(LOG, set.logs),
    columnArrays(TRACE, [...set.traces.values()]),
    columnArrays(USAGE, [...set.usage.values()]),
    columnArrays(ACCOUNT_CHANGE, accounts.map(changeOf)),
  ]
  const statements: Promise<unknown>[] = []
  if (closed.length > 0) statements.push(query('closeHolds', [closed]))
  if (rows.some(([column]) => column !== undefined && column.length > 0))
    statements.push(query('writeBatch', rows.flat()))
  if (set.redeemed.size > 0) statements.push(query('redeem', columnArrays(REDEEMED, [...set.redeemed.values()])))
  if (set.corrections.length > 0) statements.push(query('correctLogs', columnArrays(LOG_CORRECTION, set.corrections)))
  if (set.events.length > 0) statements.push(query('writeEvents', columnArrays(EVENT, set.events)))
  statements.push(markReminded(query, accounts), writeBudgets(query, accounts))
  await Promise.all(statements)
}

/** This change is rare, so it is not a column of the update that every batch makes. */
async function markReminded(query: Query, accounts: readonly AccountSlot[]): Promise<void> {
  const marked = accounts.filter(({ account, before }) => account.reminded !== before.reminded)
  if (marked.length === 0) return
  const ids = marked.map(({ account }) => account.id)
  await query('markReminded', [ids, marked.map(({ account }) => (account.reminded ? 1 : 0))])
}

async function readFor(
  query: Query,
  name: StatementName,
  keys: Iterable<string | number>,
): Promise<readonly PostgresRow[]> {
  const wanted = [...keys]
  return wanted.length === 0 ? [] : await query(name, [wanted])
}

function systemId({ accountIds }: PreparedBatch, owner: number): number {
  const id = accountIds.get(accountKey('system', owner))
  if (id === undefined) throw new ChangedMeanwhile()
  return id
}

function changeOf({ account, before }: AccountSlot): Account {
  return {
    ...account,
    posted: account.posted - before.posted,
    held: account.held - before.held,
    spent: account.spent - before.spent,
    requests: account.requests - before.requests,
  }
}
