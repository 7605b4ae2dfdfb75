import { CHARGES_CSV_CLASSES, CHARGES_CSV_COLUMNS } from '@sluice/contract/charges-csv'
import { CHARGE_CLASSES, type ExportedCharge } from '@sluice/contract/receipt'
import { type CsvCell, csvText } from '~/lib/format/csv.ts'
import { formatLocalDay } from '~/lib/format/date.ts'

const OTHER_CLASSES = CHARGE_CLASSES.filter((name) => !CHARGES_CSV_CLASSES.some((known) => known === name))

/** A file that `sluice ledger recompute` can recompute: one row per movement of money. */
export function chargesCsv(charges: readonly ExportedCharge[]): string {
  return csvText([CHARGES_CSV_COLUMNS, ...charges.map(chargeCells)])
}

function chargeCells(charge: ExportedCharge): readonly CsvCell[] {
  return [
    charge.request_id,
    new Date(charge.at).toISOString(),
    charge.kind,
    charge.username,
    charge.token_name,
    charge.model_name,
    ...CHARGES_CSV_CLASSES.map((name) => charge.units[name] ?? 0),
    otherUnits(charge.units),
    charge.price_id,
    charge.amount,
  ]
}

function otherUnits(units: ExportedCharge['units']): string {
  return OTHER_CLASSES.flatMap((name) => {
    const count = units[name]
    return count === undefined ? [] : [`${name}=${count}`]
  }).join(' ')
}

/** Names of the two files, by the browser's day: `charges_2026-11-20.csv` and `prices_2026-11-20.json`. */
export function chargeFileNames(now: Date): { readonly charges: string; readonly prices: string } {
  const day = formatLocalDay(now)
  return { charges: `charges_${day}.csv`, prices: `prices_${day}.json` }
}
