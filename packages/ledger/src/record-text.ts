import type { Settlement } from './operation.ts'
import { readSettlement, ValueReader, writeSettlement } from './settlement-values.ts'

/** Bumped when the values of a settlement change. */
const VERSION = 2

/**
 * A settlement as the text of a record: a JSON list of its values, 64-bit integers as decimal strings. It takes half the time and the
 * space of the text with names that holds keep as their progress.
 */
export function encodeRecord(settlement: Settlement): string {
  const values: unknown[] = [VERSION]
  writeSettlement(values, settlement)
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]
    if (typeof value === 'bigint') values[i] = value.toString()
    else if (typeof value === 'object') values[i] = withTexts(value)
  }
  return JSON.stringify(values)
}

/** Rates of units are 64-bit integers, too. */
function withTexts(units: object | null): object | null {
  if (units === null) return null
  return Object.fromEntries(
    Object.entries(units).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
  )
}

/** Undefined when another version of this program wrote the text, except the one before. */
export function decodeRecord(text: string): Settlement | undefined {
  const [version, ...values] = JSON.parse(text) as readonly unknown[]
  // A crash before an upgrade leaves such records, and they were promised.
  if (version === BEFORE_SESSIONS) values.splice(values.length - TRACE_VALUES, 0, '', '')
  else if (version !== VERSION) return undefined
  return readSettlement(new ValueReader(values))
}

/** Its settlements end with the trace, too, but before it lack the session and the client. */
const BEFORE_SESSIONS = 1
const TRACE_VALUES = 16
