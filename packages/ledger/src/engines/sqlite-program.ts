import { type BatchMessage, decodeBatch, encodeResult, type ResultMessage } from './batch-message.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { openSqliteLedger } from './sqlite.ts'

/** What the ledger's database thread runs; the main side is `sqlite-remote.ts`. */
export function open(connection: SqliteConnection) {
  const ledger = openSqliteLedger(connection)
  const apply = (message: BatchMessage, replica: string, again: boolean, remindBelow?: bigint): ResultMessage =>
    encodeResult(ledger.apply(decodeBatch(message), replica, again, remindBelow))
  return { ...ledger, apply }
}
