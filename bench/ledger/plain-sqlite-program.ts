import { HOLD } from '@sluice/ledger/engines/tables'
import { insertInto } from '@sluice/ledger/engines/written-table'
import type { HoldOperation, Settlement } from '@sluice/ledger/operation'
import type { SqliteConnection } from '@sluice/store/sqlite/connection'
import { chargeStatements, holdRow, type PlainRows } from './plain.ts'

const place = (): string => '?'

/** Runs in the database thread of `openPlainSqlite`: a transaction per call, flushed as the connection is set up. */
export function open(connection: SqliteConnection) {
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((sql) => connection.prepare(sql))
  const read = connection.prepare('select posted - held, unlimited from account where id in (?, ?)')
  const reserve = connection.prepare('update account set held = held + ? where id in (?, ?)')
  const charge = connection.prepare(
    'update account set held = held - ?, posted = posted - ?, spent = spent + ?, requests = requests + 1 where id in (?, ?)',
  )
  const openHold = connection.prepare(insertInto(HOLD, place))
  const closeHold = connection.prepare('delete from hold where request_id = ? returning amount')
  const rowsOf = (kept: PlainRows) =>
    chargeStatements(kept, place).map(({ text, values }) => ({ statement: connection.prepare(text), values }))
  const posts = { money: rowsOf('money'), all: rowsOf('all') }

  const transact = (work: () => void): void => {
    begin?.run()
    try {
      work()
      commit?.run()
    } catch (error) {
      rollback?.run()
      throw error
    }
  }
  return {
    hold: (operation: HoldOperation): void =>
      transact(() => {
        const { account, limitAccount, amount } = operation
        for (const [available, unlimited] of read.values(account, limitAccount)) {
          if (unlimited !== 1 && (available as bigint) < amount) throw new Error('the account of the bench ran dry')
        }
        reserve.run(amount, account, limitAccount)
        openHold.run(...HOLD.values(holdRow(operation)))
      }),
    settle: (settlement: Settlement, kept: PlainRows): void =>
      transact(() => {
        const { requestId, account, limitAccount, amount } = settlement
        const [[held = 0n] = []] = closeHold.values(requestId)
        charge.run(held, amount, amount, account, limitAccount)
        for (const { statement, values } of posts[kept]) statement.run(...values(settlement))
      }),
  }
}
