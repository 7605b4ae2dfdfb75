import type { SettlementLog } from '@sluice/ledger/commit/recorded-settlements'
import type { RecordingEngine } from '@sluice/ledger/engine'
import type { Operation } from '@sluice/ledger/operation'

/** What a test decides about commits and records, and what it sees of them. */
export interface HeldRecording {
  /** What the engine was called for, in order: operations with their requests, and `flush`. */
  readonly calls: string[]
  /** Each commit waits for it. */
  pass: (batch: string) => Promise<void>
  /** What the disk says about each record. */
  written: (error: Error | undefined, done: (error?: Error) => void) => void
}

export function createHeldRecording(): HeldRecording {
  return { calls: [], pass: async () => {}, written: (error, done) => done(error) }
}

export function holdEngine(engine: RecordingEngine, held: HeldRecording): RecordingEngine {
  return {
    ...engine,
    apply: async (batch, replica, options) => {
      const names = batch.map(nameOf).join(', ')
      held.calls.push(names)
      await held.pass(names)
      return await engine.apply(batch, replica, options)
    },
    flush: async () => {
      held.calls.push('flush')
      await engine.flush()
    },
  }
}

export function holdLog<Log extends SettlementLog>(log: Log, held: HeldRecording): Log {
  const append = log.append.bind(log)
  return Object.assign(log, {
    append: (text: string, done: (error?: Error) => void) => append(text, (error) => held.written(error, done)),
  })
}

function nameOf(each: Operation): string {
  const id = 'requestId' in each ? each.requestId : each.op === 'settle' ? each.settlement.requestId : ''
  return `${each.op} ${id}`.trim()
}
