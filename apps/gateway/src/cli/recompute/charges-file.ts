import { CHARGES_CSV_CLASSES, CHARGES_CSV_COLUMNS } from '@sluice/contract/charges-csv'
import { CHARGE_CLASSES, type ChargeClass } from '@sluice/contract/receipt'
import { MQ_PLACES, parseDecimalText } from '@sluice/ledger/decimal-text'
import type { CsvRow } from './csv.ts'

export interface StatedMovement {
  readonly line: number
  readonly requestId: string
  readonly kind: string
  readonly units: ReadonlyMap<ChargeClass, number>
  /** 0 for none. */
  readonly priceId: number
  /** mq. */
  readonly amount: bigint
}

/** The fault in a file's first line; empty for none. */
export function headerProblem(header: CsvRow | undefined): string {
  const expected = CHARGES_CSV_COLUMNS.join(',')
  return header?.cells.join(',') === expected ? '' : `the first line must list the columns: ${expected}`
}

/** Reads a row by its columns, or names the unreadable one. */
export function readMovement({ line, cells }: CsvRow): StatedMovement | { readonly problem: string } {
  if (cells.length !== CHARGES_CSV_COLUMNS.length) {
    return { problem: `has ${cells.length} columns instead of ${CHARGES_CSV_COLUMNS.length}` }
  }
  const cell = (name: (typeof CHARGES_CSV_COLUMNS)[number]): string => cells[CHARGES_CSV_COLUMNS.indexOf(name)] ?? ''
  const units = readUnits(cells.slice(CHARGES_CSV_COLUMNS.indexOf('Input')), cell('Other Units'))
  const priceId = readCount(cell('Price ID'))
  const amount = parseDecimalText(cell('Amount'), MQ_PLACES)
  if ('problem' in units) return units
  if (priceId === undefined) return { problem: 'Price ID is not a whole number' }
  if (amount === undefined || amount < 0n) return { problem: 'Amount is not an amount of quota points' }
  return { line, requestId: cell('Request ID'), kind: cell('Movement'), units: units.counts, priceId, amount }
}

function readUnits(
  columns: readonly string[],
  others: string,
): { readonly counts: ReadonlyMap<ChargeClass, number> } | { readonly problem: string } {
  const counts = new Map<ChargeClass, number>()
  for (const [at, name] of CHARGES_CSV_CLASSES.entries()) {
    const count = readCount(columns[at] ?? '')
    if (count === undefined) return { problem: `the count of ${name} is not a whole number` }
    counts.set(name, count)
  }
  for (const other of others.split(' ').filter((text) => text !== '')) {
    const [text = '', number = ''] = other.split('=')
    const name = CHARGE_CLASSES.find((each) => each === text)
    const count = readCount(number)
    if (name === undefined || count === undefined || counts.has(name)) {
      return { problem: `Other Units has "${other.slice(0, 60)}", which is not a class followed by its count` }
    }
    counts.set(name, count)
  }
  return { counts }
}

/** Counts have no sign, point or comma, and never exceed 2^53. */
function readCount(text: string): number | undefined {
  const count = /^\d{1,16}$/.test(text) ? Number(text) : NaN
  return Number.isSafeInteger(count) ? count : undefined
}
