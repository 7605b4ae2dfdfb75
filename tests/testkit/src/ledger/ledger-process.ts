import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replayRecords } from '@sluice/ledger/commit/replay-records'
import type { RecordingEngine } from '@sluice/ledger/engine'
import { open } from '@sluice/ledger/engines/sqlite-program'
import { openSqliteEngine } from '@sluice/ledger/engines/sqlite-remote'
import type { Ledger } from '@sluice/ledger/ledger'
import { mqFromQuota } from '@sluice/ledger/units'
import { openSqliteConnection } from '@sluice/store/sqlite/connection'
import { openRecordLog, recordFiles } from '@sluice/store/sqlite/record-log'
import { openManualTimers, untilIdle } from '../manual-timers.ts'
import { type TestPayer, testTrace } from './ledger-operations.ts'
import { openTestLedger } from './test-ledger.ts'

export function fileIn(directory: string): string {
  return join(directory, 'sluice.db')
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}

/** Takes the second half of a record. */
function tear(bytes: Buffer, text: string): void {
  const at = bytes.lastIndexOf(text)
  if (at >= 0) bytes.fill(0, at + Math.ceil(text.length / 2), at + text.length)
}

/** What is wrong with a machine at the moment. */
export interface Trouble {
  /** `lose`: they take effect, and fail nevertheless. `wait`: they begin only when that ends; `late`: they return only then. */
  commits: 'work' | 'fail' | 'lose' | 'wait' | 'late'
  flushes: 'work' | 'fail'
  /** A request whose settlement no commit takes. */
  poisoned: string | undefined
  /** `refuse`: what was written is there, and is called a failure. */
  disk: 'write' | 'wait' | 'refuse'
  /** How far the clock is ahead of the steady one, in milliseconds. */
  aheadMs: number
}

/** A gateway's ledger on the database in a directory, with a record log next to it. */
export interface LedgerProcess {
  readonly ledger: Ledger
  readonly timers: ReturnType<typeof openManualTimers>
  readonly uncharged: readonly string[]
  /** How many records it found. */
  readonly found: number
  readonly read: (text: string) => Promise<Record<string, unknown>[]>
  readonly rows: (text: string) => Record<string, unknown>[]
  trouble(change: Partial<Trouble>): void
  /** Until the disk has what was appended, and what follows from it is done. */
  written(): Promise<void>
  /** Replays the records that it found once more. */
  replayAgain(): Promise<void>
  /**
   * Copies what a crash leaves; with `lost`, from 0 to 1, a power failure that takes this part of what was not flushed. With
   * `isTorn`, no record that was not called durable is whole.
   */
  crash(lost?: number, isTorn?: boolean): string
  end(): Promise<void>
}

/**
 * Replays what an earlier one left, then opens the ledger and lets it see the accounts of the payers. `crash` copies to a directory of
 * `makeDirectory`.
 */
export async function startLedgerProcess(options: {
  readonly directory: string
  readonly replica: string
  readonly payers: readonly TestPayer[]
  readonly makeDirectory: () => string
}): Promise<LedgerProcess> {
  const { directory, replica, payers, makeDirectory } = options
  const file = fileIn(directory)
  const connection = openSqliteConnection(file)
  // The file changes only at its end then, so a power failure cuts something off.
  connection.exec('pragma synchronous = off; pragma wal_autocheckpoint = 0')
  const trouble: Trouble = { commits: 'work', flushes: 'work', poisoned: undefined, disk: 'write', aheadMs: 0 }
  const uncharged: string[] = []
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
  const engine: RecordingEngine = {
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
    flush: async () => {
      if (trouble.commits === 'fail' || trouble.flushes === 'fail') throw new Error('the database is away')
      await opened.flush()
    },
  }
  const { id, number } = await engine.recordsApplied()
  const { log, left } = openRecordLog(file, id, number)
  const onUncharged = (sentence: string): void => void uncharged.push(sentence)
  const replay = () => replayRecords(left, engine, replica, onUncharged)
  await replay()
  log.release(log.latest)
  const append = log.append.bind(log)
  const writes: Promise<void>[] = []
  const waiting: (() => void)[] = []
  const unwritten = new Set<string>()
  const tell = (): void => {
    if (trouble.disk !== 'wait') for (const each of waiting.splice(0)) each()
  }
  Object.assign(log, {
    append: (text: string, done: (error?: Error) => void) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      writes.push(promise)
      unwritten.add(text)
      return append(text, (error) => {
        waiting.push(() => {
          if (trouble.disk === 'refuse') return done(new Error('the disk is full'))
          if (error === undefined) unwritten.delete(text)
          done(error)
        })
        tell()
        resolve()
      })
    },
  })
  const now = (): number => timers.now() + trouble.aheadMs
  const ledger = await openTestLedger({ engine, records: { engine, log }, timers, now, replica, onUncharged })
  // Only what is known of an account lets it be charged by a record.
  for (const [i, payer] of payers.entries()) {
    const requestId = `${replica}-first-${i}`
    await ledger.hold({ requestId, ...payer, amount: mqFromQuota(0), durable: false })
    await ledger.void(requestId, testTrace(payer, requestId))
  }
  return {
    ledger,
    timers,
    uncharged,
    found: left.found.length,
    read: async (text) => connection.prepare(text).all(),
    rows: (text) => connection.prepare(text).all(),
    trouble: (change) => {
      Object.assign(trouble, change)
      tell()
      for (const pass of passing.splice(0)) pass()
    },
    written: async () => {
      await Promise.all(writes.splice(0))
      await untilIdle()
    },
    replayAgain: replay,
    crash: (lost, isTorn = false) => {
      const to = makeDirectory()
      copyFileSync(file, fileIn(to))
      copyFileSync(`${file}-wal`, `${fileIn(to)}-wal`)
      if (lost !== undefined) {
        const size = sizeOf(`${file}-wal`)
        truncateSync(`${fileIn(to)}-wal`, size - Math.floor((size - flushed) * lost))
      }
      for (const [i, from] of recordFiles(file).entries()) {
        const bytes = readFileSync(from)
        for (const text of isTorn ? unwritten : []) tear(bytes, text)
        writeFileSync(recordFiles(fileIn(to))[i] ?? '', bytes)
      }
      return to
    },
    end: async () => {
      await log.close()
      connection.close()
    },
  }
}
