import { LOG_TYPE, REDEMPTION_STATUS } from '../rules/rows.ts'
import type { WorkingSet } from '../rules/working-set.ts'
import { ADD_TO_USAGE, LOG, LOG_CORRECTION, LOG_KEY_COLUMNS, REPLACE_TRACE, TRACE, USAGE } from './log-tables.ts'
import { createSqliteBudgetWriter } from './sqlite-budgets.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { ACCOUNT_CHANGE, EVENT, HOLD, REDEEMED, TRANSFER } from './tables.ts'
import { insertInto, updateBy, type SqlValue, type WrittenTable } from './written-table.ts'

/** Writes what a batch decided, row by row, into the open transaction. */
export function createSqliteWriter(connection: SqliteConnection): (set: WorkingSet) => void {
  const write = <Row>(table: WrittenTable<Row>, sql: string): ((row: Row) => void) => {
    const statement = connection.prepare(sql)
    return (row) => statement.run(...table.values(row))
  }
  const insert = <Row>(table: WrittenTable<Row>, onConflict = '') => write(table, `${insertInto(table)} ${onConflict}`)
  const update = (sql: string): ((...values: readonly SqlValue[]) => void) => {
    const statement = connection.prepare(sql)
    return (...values) => statement.run(...values)
  }
  const openHold = insert(HOLD)
  const changeHold = update('update hold set amount = ?, progress = ?, touched_ms = ? where request_id = ?')
  const closeHold = update('delete from hold where request_id = ?')
  const redeem = write(REDEEMED, `${updateBy(REDEEMED, ['id'])} and status = ${REDEMPTION_STATUS.unused}`)
  const insertTransfer = insert(TRANSFER)
  const insertLog = insert(LOG)
  const correctLog = write(
    LOG_CORRECTION,
    `${updateBy(LOG_CORRECTION, LOG_KEY_COLUMNS)} and type = ${LOG_TYPE.consume}`,
  )
  const writeTrace = insert(TRACE, REPLACE_TRACE)
  const addUsage = insert(USAGE, ADD_TO_USAGE)
  const writeAccount = write(ACCOUNT_CHANGE, updateBy(ACCOUNT_CHANGE, ['id']))
  const markReminded = update('update account set reminded = ? where id = ?')
  const insertEvent = insert(EVENT)
  const writeBudgets = createSqliteBudgetWriter(connection)
  return (set) => {
    const holds = set.holdChanges()
    for (const requestId of holds.closed) closeHold(requestId)
    for (const hold of holds.opened) openHold(hold)
    for (const hold of holds.changed) changeHold(hold.amount, hold.progress, hold.touchedMs, hold.requestId)
    for (const row of set.redeemed.values()) redeem(row)
    for (const row of set.transfers) insertTransfer(row)
    for (const row of set.logs) insertLog(row)
    for (const row of set.corrections) correctLog(row)
    for (const row of set.traces.values()) writeTrace(row)
    for (const row of set.usage.values()) addUsage(row)
    for (const row of set.events) insertEvent(row)
    const accounts = set.changedAccounts()
    for (const { account, before } of accounts) {
      writeAccount(account)
      if (account.reminded !== before.reminded) markReminded(account.reminded ? 1 : 0, account.id)
    }
    writeBudgets(accounts)
  }
}
