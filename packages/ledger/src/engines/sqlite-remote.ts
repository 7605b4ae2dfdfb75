import type { LedgerEngine } from '../engine.ts'
import { decodeResult, encodeBatch, type ResultMessage } from './batch-message.ts'

/** The module to run in the database thread. */
export const SQLITE_LEDGER_PROGRAM = new URL('./sqlite-program.ts', import.meta.url)

/** The main side of a database thread that runs `SQLITE_LEDGER_PROGRAM`. A rejected call may have been carried out. */
export interface LedgerHost {
  call(method: string, args: readonly unknown[]): Promise<unknown>
  close(): Promise<void>
}

/** The ledger in SQLite, in another thread: batches travel there by structured clone, one message each way. */
export function openSqliteEngine(host: LedgerHost): LedgerEngine {
  return {
    apply: async (batch, replica, options = {}) =>
      decodeResult((await host.call('apply', [encodeBatch(batch), replica, options])) as ResultMessage),
    recover: async (options) => {
      let total = 0
      for (;;) {
        const recovered = (await host.call('recover', [options])) as number
        if (recovered === 0) return total
        total += recovered
      }
    },
    heartbeat: async (replica) => (await host.call('heartbeat', [replica])) as boolean,
    leave: async (replica) => {
      await host.call('leave', [replica])
    },
    hasOtherLeases: async (accounts, replica) => (await host.call('hasOtherLeases', [accounts, replica])) as boolean,
    close: () => host.close(),
  }
}
