import type { ImportMode, ImportReport, ImportTotals } from '@sluice/contract/import'
import type { EndedImport } from '../import/import-runner.ts'

type Print = (line: string) => void

export function printImportReport({ outcome, report, reason }: EndedImport, mode: ImportMode, print: Print): void {
  if (report !== undefined) {
    printTables(report, print)
    printTotals(report, print)
    printPrices(report, print)
    printSettings(report, print)
    printKept(report, print)
    for (const note of report.notes) print(`note: ${note}`)
    for (const { id, statement, ok } of report.proof ?? [])
      print(`${ok ? 'ok   ' : 'WRONG'} ${id.padEnd(4)} ${statement}`)
    for (const why of report.refused) print(`refused: ${why}`)
  }
  print('')
  print(closing(outcome, mode, reason))
}

function closing(outcome: EndedImport['outcome'], mode: ImportMode, reason: string): string {
  switch (outcome) {
    case 'done':
      return mode === 'check' ? 'It can be imported. Nothing was written.' : 'It was imported, and all sums match.'
    case 'refused':
      return `It was not imported, and nothing was written. ${reason}`
    case 'failed':
      return `It failed: ${reason} The data written so far is consistent; repeating the import continues it.`
    case 'stopped':
      return 'It was stopped. The data written so far is consistent; repeating the import continues it.'
  }
}

function printTables({ tables }: ImportReport, print: Print): void {
  print('')
  print(row(['table', 'rows', 'new', 'changed', 'unchanged', 'skipped', 'left out', 'gone']))
  for (const table of tables) {
    const { name, rows, added, changed, unchanged, skipped, left_out: leftOut, gone } = table
    print(row([name, rows, added, changed, unchanged, skipped, leftOut, gone]))
  }
}

const TOTALS: readonly (readonly [name: keyof ImportTotals, words: string])[] = [
  ['users', 'users'],
  ['balances', 'sum of balances'],
  ['tokens', 'tokens'],
  ['limits', 'sum of token limits'],
  ['channels', 'channels'],
  ['codes_unused', 'unused codes'],
  ['codes', 'sum of unused codes'],
  ['requests', 'requests in the log'],
  ['used', 'quota in the log'],
]

function printTotals({ before, after, balances_now: now }: ImportReport, print: Print): void {
  print('')
  print(`${''.padEnd(22)}${'there'.padStart(22)}${after === null ? '' : 'here'.padStart(22)}`)
  for (const [name, words] of TOTALS) {
    const here = after === null ? '' : String(after[name]).padStart(22)
    const mark = after === null || after[name] === before[name] ? '' : '  differs'
    print(`${words.padEnd(22)}${String(before[name]).padStart(22)}${here}${mark}`)
  }
  if (now !== null) print(`${'balances now'.padEnd(22)}${''.padStart(22)}${now.padStart(22)}`)
  print(`digest of (id, balance) there  ${before.digest}`)
  if (after !== null) print(`digest of (id, balance) here   ${after.digest}`)
}

const PRICES_PRINTED = 50

function printPrices({ prices }: ImportReport, print: Print): void {
  if (prices.length === 0) return
  print('')
  print(`${prices.length} models whose price differs from the price book, in US dollars per million tokens:`)
  for (const { model, theirs, ours, difference } of prices.slice(0, PRICES_PRINTED)) {
    const percent = difference === null ? '' : ` (${(difference * 100).toFixed(1)} %)`
    print(`  ${model}: ${words(theirs)} there, ${ours === null ? 'unknown' : words(ours)} in the book${percent}`)
  }
  if (prices.length > PRICES_PRINTED) print(`  and ${prices.length - PRICES_PRINTED} more; --json writes all`)
}

function words({
  input,
  cached_input: cached,
  output,
  per_call: call,
}: ImportReport['prices'][number]['theirs']): string {
  return call === null ? `${input ?? '?'} in, ${cached ?? '?'} cached, ${output ?? '?'} out` : `${call} per call`
}

function printSettings({ settings, unknown }: ImportReport, print: Print): void {
  print('')
  for (const effect of ['set', 'kept', 'invalid', 'unused'] as const) {
    const some = settings.filter((setting) => setting.effect === effect)
    if (some.length === 0) continue
    const isSaid = effect === 'invalid' || effect === 'kept'
    const named = some.map(({ key, reason }) => (isSaid ? `${key} (${reason})` : key))
    print(`settings ${effect}: ${named.join(', ')}`)
  }
  for (const { table, columns } of unknown) {
    print(columns.length === 0 ? `not imported: table ${table}` : `not read: ${table}.${columns.join(', ')}`)
  }
}

function printKept({ kept, kept_count: count }: ImportReport, print: Print): void {
  for (const { table, id, field, reason } of kept) print(`kept      ${table} ${id}: ${field} ${reason}`)
  if (count > kept.length) print(`kept      and ${count - kept.length} more`)
}

function row(cells: readonly (string | number)[]): string {
  return cells.map((cell, at) => (at === 0 ? String(cell).padEnd(14) : String(cell).padStart(11))).join('')
}
