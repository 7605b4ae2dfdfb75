import type { ApplyOptions } from '../engine.ts'
import { type BatchMessage, decodeBatch, encodeResult, type ResultMessage } from './batch-message.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { createSqliteLedger } from './sqlite.ts'

/** What the ledger's database thread runs; the main side is `sqlite-remote.ts`. */
export function open(connection: SqliteConnection) {
  const ledger = createSqliteLedger(connection)
  const apply = (message: BatchMessage, replica: string, options: ApplyOptions): ResultMessage =>
    encodeResult(ledger.apply(decodeBatch(message), replica, options))
  return { ...ledger, apply }
}
