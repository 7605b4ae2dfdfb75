import type { WorkingSet } from '../rules/working-set.ts'
import { LOG, LOG_CORRECTION, LOG_CORRECTION_KEY, TRACE, USAGE, USAGE_KEY, USAGE_SUMS } from './log-tables.ts'
import { openSqliteBudgetWriter } from './sqlite-budgets.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { EVENT, HOLD, TRANSFER } from './tables.ts'
import type { SqlValue, WrittenTable } from './written-table.ts'

/** Writes what a batch decided, row by row, into the open transaction. */
export function openSqliteWriter(connection: SqliteConnection): (set: WorkingSet) => void {
  const insert = <Row>(table: WrittenTable<Row>, onConflict = ''): ((row: Row) => void) => {
    const columns = Object.keys(table.columns)
    const places = columns.map(() => '?').join(', ')
    const statement = connection.prepare(
      `insert into ${table.name} (${columns.join(', ')}) values (${places}) ${onConflict}`,
    )
    return (row) => statement.run(...table.values(row))
  }
  const update = (sql: string): ((...values: readonly SqlValue[]) => void) => {
    const statement = connection.prepare(sql)
    return (...values) => statement.run(...values)
  }
  const openHold = insert(HOLD)
  const changeHold = update('update hold set amount = ?, progress = ?, touched_ms = ? where request_id = ?')
  const closeHold = update('delete from hold where request_id = ?')
  const redeem = update(
    'update redemption set status = ?, redeemed_by = ?, redeemed_ms = ? where id = ? and status = 1',
  )
  const insertTransfer = insert(TRANSFER)
  const insertLog = insert(LOG)
  const correctLog = update(correctionSql())
  const writeTrace = insert(TRACE, `on conflict (request_id) do update set ${assignExcluded(TRACE)}`)
  const addUsage = insert(USAGE, `on conflict (${USAGE_KEY.join(', ')}) do update set ${addExcluded()}`)
  const writeAccount = update(
    'update account set posted = ?, held = ?, spent = ?, requests = ?, unlimited = ?, last_ms = ? where id = ?',
  )
  const markReminded = update('update account set reminded = ? where id = ?')
  const insertEvent = insert(EVENT)
  const writeBudgets = openSqliteBudgetWriter(connection)
  return (set) => {
    const holds = set.holdChanges()
    for (const requestId of holds.closed) closeHold(requestId)
    for (const hold of holds.opened) openHold(hold)
    for (const hold of holds.changed) changeHold(hold.amount, hold.progress, hold.touchedMs, hold.requestId)
    for (const row of set.redeemed.values()) redeem(row.status, row.redeemedBy, row.redeemedMs, row.id)
    for (const row of set.transfers) insertTransfer(row)
    for (const row of set.logs) insertLog(row)
    for (const row of set.corrections) correctLog(...LOG_CORRECTION.values(row))
    for (const row of set.traces.values()) writeTrace(row)
    for (const row of set.usage.values()) addUsage(row)
    for (const row of set.events) insertEvent(row)
    const accounts = set.changedAccounts()
    for (const { account: a, before } of accounts) {
      writeAccount(a.posted, a.held, a.spent, a.requests, a.unlimited ? 1 : 0, a.lastMs, a.id)
      if (a.reminded !== before.reminded) markReminded(a.reminded ? 1 : 0, a.id)
    }
    writeBudgets(accounts)
  }
}

function correctionSql(): string {
  const columns = Object.keys(LOG_CORRECTION.columns).filter((column) => !LOG_CORRECTION_KEY.includes(column))
  return `update log set ${columns.map((column) => `${column} = ?`).join(', ')} where created_at = ? and request_id = ? and type = 2`
}

function assignExcluded(table: WrittenTable<never>): string {
  const columns = Object.keys(table.columns)
  return columns.map((column) => `${column} = excluded.${column}`).join(', ')
}

function addExcluded(): string {
  return USAGE_SUMS.map((column) => `${column} = usage_daily.${column} + excluded.${column}`).join(', ')
}
