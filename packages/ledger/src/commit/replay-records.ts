import type { RecordingEngine } from '../engine.ts'
import type { Outcome, Settlement, SettleOperation } from '../operation.ts'
import { decodeRecord } from '../record-text.ts'
import { unchargedText, ruleOf } from './recorded-settlements.ts'

/** What an earlier process left in its record log; the store's fits. */
export interface LeftSettlements {
  readonly found: readonly { readonly number: number; readonly text: string }[]
  readonly lost: readonly (readonly [from: number, to: number])[]
  readonly setAside: readonly string[]
}

/** Settlements in one commit. */
const BATCH = 256
/** SQLite's primary result code for a row that its table does not take (sqlite.org/rescode.html), in the low byte of extended ones. */
const CONSTRAINT = 19
const PRIMARY = 0xff

interface ReplayOperation extends SettleOperation {
  /** Of its record. */
  readonly number: number
}

/**
 * Puts into the tables what an earlier process recorded and did not commit, and makes it durable. Call it before the ledger is
 * opened: a request whose settlement was recorded is not charged by its progress. Rejects when the database cannot commit now, whatever
 * the reason: then the next start finds every record that is not in the tables. `onUncharged` is called for what cannot be charged, for
 * the administrator to look at.
 */
export async function replayRecords(
  { found, lost, setAside }: LeftSettlements,
  engine: RecordingEngine,
  replica: string,
  onUncharged: (sentence: string) => void,
): Promise<void> {
  for (const path of setAside) onUncharged(`a file of recorded charges cannot be read and was renamed: ${path}`)
  for (const [from, to] of lost) onUncharged(`recorded charges are missing: numbers ${from} to ${to}`)
  const operations = latestOfEach(found, onUncharged)
  for (let at = 0; at < operations.length; at += BATCH) {
    await replayBatch(operations.slice(at, at + BATCH), engine, replica, onUncharged)
  }
  const latest = found.at(-1)?.number
  if (latest !== undefined) await engine.apply([], replica, { recordedTo: latest })
  await engine.flush()
}

/**
 * The last settlement of each request, in the order of their records. The tables can show a later one without an earlier one that it
 * replaced, and then the earlier one must not be charged. Otherwise the last one alone leads to the same sum.
 */
function latestOfEach(found: LeftSettlements['found'], onUncharged: (sentence: string) => void): ReplayOperation[] {
  const latest = new Map<string, ReplayOperation>()
  for (const { number, text } of found) {
    const settlement = readRecord(text)
    if (settlement === undefined) {
      onUncharged(`record ${number} of a charge was written by another version of this program`)
      continue
    }
    latest.delete(settlement.requestId)
    latest.set(settlement.requestId, { op: 'settle', settlement, recorded: text, number })
  }
  return [...latest.values()]
}

async function replayBatch(
  batch: readonly ReplayOperation[],
  engine: RecordingEngine,
  replica: string,
  onUncharged: (sentence: string) => void,
): Promise<void> {
  // The commit of the rows says up to where they are in the tables: what comes before a record is there, or a later one replaces it.
  const apply = async (operations: readonly ReplayOperation[]): Promise<readonly Outcome[]> =>
    (await engine.apply(operations, replica, { again: true, recordedTo: operations.at(-1)?.number })).outcomes
  // One that its table does not take must not keep the others out.
  const outcomes = await apply(batch).catch(async (error: unknown) => {
    if (!isFaultOfRow(error)) throw error
    const alone: Outcome[] = []
    for (const operation of batch) {
      const refused = (reason: unknown): readonly Outcome[] => {
        if (!isFaultOfRow(reason)) throw reason
        return [{ outcome: 'invalid', rule: String(reason) }]
      }
      alone.push(...(await apply([operation]).catch(refused)))
    }
    return alone
  })
  for (const [i, outcome] of outcomes.entries()) {
    const settlement = batch[i]?.settlement
    if (settlement !== undefined && outcome.outcome !== 'done') onUncharged(unchargedText(settlement, ruleOf(outcome)))
  }
}

/** Whether the row itself breaks a rule of its table. A disk that is full, a busy or damaged file and the like are nobody's charge. */
function isFaultOfRow(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  return typeof error.errcode === 'number' && (error.errcode & PRIMARY) === CONSTRAINT
}

/** Undefined when this program cannot read the text. */
function readRecord(text: string): Settlement | undefined {
  try {
    return decodeRecord(text)
  } catch {
    return undefined
  }
}
