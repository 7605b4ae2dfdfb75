import type { LedgerEngine } from '../engine.ts'
import type { Outcome, Settlement, SettleOperation } from '../operation.ts'
import { readSettlement, ValueReader } from '../settlement-values.ts'
import type { Answer } from './waiting.ts'

/** Charges that an earlier version promised in its record log; the store reads them. */
export interface LeftSettlements {
  /** Ordered by number. */
  readonly found: readonly { readonly number: number; readonly text: string }[]
  readonly lost: readonly (readonly [from: number, to: number])[]
  readonly setAside: readonly string[]
}

/** Settlements per commit. */
const BATCH = 256
/** SQLite's primary result code for a constraint violation (sqlite.org/rescode.html); the low byte of extended codes. */
const CONSTRAINT = 19
const PRIMARY = 0xff
/** A record is a JSON list of this number and the values of a settlement, 64-bit integers as decimal strings. */
const VERSION = 2
/** An earlier version, whose settlements lack the session and the client. */
const BEFORE_SESSIONS = 1
/** Log row values in the order of this version; `LATER_LOG_NAMES` were added since. */
const LOG_NAMES = [
  'createdAt',
  'username',
  'tokenName',
  'channelName',
  'originModel',
  'elapsedMs',
  'isStream',
  'estimated',
  'ended',
  'content',
  'unlogged',
] as const
const LATER_LOG_NAMES = ['session', 'client'] as const

/**
 * Commits the charges of a record log to the tables. Call it before the ledger is opened, so that recovery does not charge these
 * requests by their progress. Existing charges do not change, so an interrupted start can be repeated. Rejects if the database
 * cannot commit now; the record log must then stay. `onUncharged` is called for each record that cannot be charged.
 */
export async function chargeRecords(
  { found, lost, setAside }: LeftSettlements,
  engine: LedgerEngine,
  replica: string,
  onUncharged: (sentence: string) => void,
): Promise<void> {
  for (const path of setAside) onUncharged(`a file of recorded charges cannot be read and was renamed: ${path}`)
  for (const [from, to] of lost) onUncharged(`recorded charges are missing: numbers ${from} to ${to}`)
  const operations = latestOfEach(found, onUncharged)
  for (let at = 0; at < operations.length; at += BATCH) {
    await chargeBatch(operations.slice(at, at + BATCH), engine, replica, onUncharged)
  }
}

/**
 * The last settlement of each request, in record order. The tables may have a later settlement but not the earlier one that it
 * replaced, which must then not be charged. In all other cases the last one alone leads to the same sum.
 */
function latestOfEach(found: LeftSettlements['found'], onUncharged: (sentence: string) => void): SettleOperation[] {
  const latest = new Map<string, SettleOperation>()
  for (const { number, text } of found) {
    const settlement = readRecord(text)
    if (settlement === undefined) {
      onUncharged(`record ${number} of a charge was written by another version of this program`)
      continue
    }
    latest.delete(settlement.requestId)
    latest.set(settlement.requestId, { op: 'settle', settlement })
  }
  return [...latest.values()]
}

async function chargeBatch(
  batch: readonly SettleOperation[],
  engine: LedgerEngine,
  replica: string,
  onUncharged: (sentence: string) => void,
): Promise<void> {
  const apply = async (operations: readonly SettleOperation[]): Promise<readonly Outcome[]> =>
    (await engine.apply(operations, replica, { again: true })).outcomes
  // One settlement that the table rejects must not block the others.
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

/** Whether the row breaks a constraint, as opposed to a full disk or a busy or damaged file. */
function isFaultOfRow(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  return typeof error.errcode === 'number' && (error.errcode & PRIMARY) === CONSTRAINT
}

/** Undefined when this program cannot read the text. */
function readRecord(text: string): Settlement | undefined {
  try {
    const [version, ...values] = JSON.parse(text) as readonly unknown[]
    if (version !== VERSION && version !== BEFORE_SESSIONS) return undefined
    const names = version === VERSION ? [...LOG_NAMES, ...LATER_LOG_NAMES] : LOG_NAMES
    return readSettlement(new ValueReader(values), names)
  } catch {
    return undefined
  }
}

function unchargedText({ requestId, amount }: Settlement, why: string): string {
  return `the recorded charge of request ${requestId}, ${amount} mq, cannot be made: ${why}`
}

function ruleOf(outcome: Answer): string {
  return outcome.outcome === 'invalid' ? outcome.rule : outcome.outcome
}
