import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerEngine } from '@sluice/ledger/engine'
import { open } from '@sluice/ledger/engines/sqlite-program'
import { openSqliteEngine } from '@sluice/ledger/engines/sqlite-remote'
import type { Ledger } from '@sluice/ledger/ledger'
import { mqFromQuota } from '@sluice/ledger/units'
import { openSqliteConnection } from '@sluice/store/sqlite/connection'
import { openManualTimers } from '../manual-timers.ts'
import { type TestPayer, testTrace } from './ledger-operations.ts'
import { openTestLedger } from './test-ledger.ts'

export function fileIn(directory: string): string {
  return join(directory, 'sluice.db')
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}

export interface Trouble {
  /** `lose`: commits take effect but report a failure. `wait`: they begin when the trouble ends; `late`: they return only then. */
  commits: 'work' | 'fail' | 'lose' | 'wait' | 'late'
  /** A request whose settlement makes every commit fail. */
  poisoned: string | undefined
  /** How far the clock is ahead of the monotonic one, in milliseconds. */
  aheadMs: number
}

export interface LedgerProcess {
  readonly ledger: Ledger
  readonly timers: ReturnType<typeof openManualTimers>
  readonly read: (text: string) => Promise<Record<string, unknown>[]>
  readonly rows: (text: string) => Record<string, unknown>[]
  trouble(change: Partial<Trouble>): void
  /** Copies what a crash leaves. `lost`, from 0 to 1, simulates a power failure that loses this share of unflushed data. */
  crash(lost?: number): string
  end(): void
}

/** Opens the ledger, which recovers its predecessor's data, and loads the accounts. `crash` copies to a new directory. */
export async function startLedgerProcess(options: {
  readonly directory: string
  readonly replica: string
  readonly payers: readonly TestPayer[]
  readonly makeDirectory: () => string
}): Promise<LedgerProcess> {
  const { directory, replica, payers, makeDirectory } = options
  const file = fileIn(directory)
  const connection = openSqliteConnection(file)
  // The file then changes only at its end, so a power failure truncates it.
  connection.exec('pragma synchronous = off; pragma wal_autocheckpoint = 0')
  const trouble: Trouble = { commits: 'work', poisoned: undefined, aheadMs: 0 }
  const timers = openManualTimers()
  let isFlushing = true
  let flushed = sizeOf(`${file}-wal`)
  const program: Readonly<Record<string, unknown>> = {
    ...open({
      exec: (sql) => {
        if (sql.startsWith('pragma synchronous')) isFlushing = sql.endsWith('full')
        else connection.exec(sql)
      },
      prepare: (sql) => {
        const statement = connection.prepare(sql)
        if (sql !== 'commit') return statement
        const run = (): ReturnType<typeof statement.run> => {
          const result = statement.run()
          if (isFlushing) flushed = sizeOf(`${file}-wal`)
          return result
        }
        return { ...statement, run }
      },
    }),
  }
  const opened = openSqliteEngine({
    call: async (method, args) => (program[method] as (...args: readonly unknown[]) => unknown)(...args),
    close: async () => {},
  })
  const passing: (() => void)[] = []
  const passed = async (kind: 'wait' | 'late'): Promise<void> => {
    while (trouble.commits === kind) await new Promise<void>((resolve) => passing.push(resolve))
  }
  const engine: LedgerEngine = {
    ...opened,
    apply: async (batch, ...rest) => {
      await passed('wait')
      const isPoisoned = batch.some((each) => each.op === 'settle' && each.settlement.requestId === trouble.poisoned)
      if (trouble.commits === 'fail' || isPoisoned) throw new Error('the database is away')
      const result = await opened.apply(batch, ...rest)
      await passed('late')
      if (trouble.commits === 'lose') throw new Error('the answer is lost')
      return result
    },
  }
  const now = (): number => timers.now() + trouble.aheadMs
  const ledger = await openTestLedger({ engine, timers, now, replica })
  // Holds on known accounts stay in the process.
  for (const [i, payer] of payers.entries()) {
    const requestId = `${replica}-first-${i}`
    await ledger.hold({ requestId, ...payer, amount: mqFromQuota(0), durable: false })
    await ledger.void(requestId, testTrace(payer, requestId))
  }
  return {
    ledger,
    timers,
    read: async (text) => connection.prepare(text).all(),
    rows: (text) => connection.prepare(text).all(),
    trouble: (change) => {
      Object.assign(trouble, change)
      for (const pass of passing.splice(0)) pass()
    },
    crash: (lost) => {
      const to = makeDirectory()
      copyFileSync(file, fileIn(to))
      copyFileSync(`${file}-wal`, `${fileIn(to)}-wal`)
      if (lost !== undefined) {
        const size = sizeOf(`${file}-wal`)
        truncateSync(`${fileIn(to)}-wal`, size - Math.floor((size - flushed) * lost))
      }
      return to
    },
    end: () => connection.close(),
  }
}
