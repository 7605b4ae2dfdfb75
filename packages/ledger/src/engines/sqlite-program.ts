import { openSqliteLedger } from './sqlite.ts'

/** What the ledger's database thread runs; the main side is `sqlite-remote.ts`. */
export const open = openSqliteLedger
