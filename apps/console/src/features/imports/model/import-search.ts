import { importChoices, type importOrder } from '@sluice/contract/import'
import type { ImportMode, ImportRun } from '@sluice/contract/import'
import * as v from 'valibot'
import { textFromAddress } from '~/lib/list/list-search.ts'

const STEPS = ['source', 'check', 'import'] as const
export type ImportStep = (typeof STEPS)[number]

const text = v.optional(v.fallback(textFromAddress, ''), '')

/** Everything in an order except the database address, which contains a password. */
const importSearch = v.object({
  step: v.optional(v.fallback(v.picklist(STEPS), 'source'), 'source'),
  from: v.optional(v.fallback(v.picklist(['upload', 'address']), 'upload'), 'upload'),
  /** Id and name of the uploaded file. */
  upload: text,
  file: text,
  logs: v.fallback(importChoices.logs, 'sums'),
  /** `2026-03-09`, or empty. */
  since: text,
  debts: v.fallback(importChoices.debts, 'refuse'),
  prices: v.fallback(importChoices.prices, 'keep'),
  roots: v.fallback(importChoices.roots, 'one'),
  leave: v.optional(v.fallback(v.boolean(), false), false),
  name: text,
})
export type ImportSearch = v.InferOutput<typeof importSearch>

/** Values that cannot be read count as not chosen. */
export function readImportSearch(search: object): ImportSearch {
  return v.parse(importSearch, search)
}

export function shortSearch(search: ImportSearch): Partial<ImportSearch> {
  const usual = readImportSearch({})
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== usual[name as keyof ImportSearch]),
  )
}

/** Steps after the first are about the latest run, whatever the address says. */
export function shownStep(step: ImportStep, run: Pick<ImportRun, 'mode'> | null): ImportStep {
  return step === 'source' || run === null ? 'source' : run.mode
}

type Order = v.InferInput<typeof importOrder>

/** `address` is passed separately, because it contains a password. */
export function orderOf(search: ImportSearch, address: string, mode: ImportMode): Order {
  const { from, upload, logs, debts, prices, roots, leave, name } = search
  return {
    source: from === 'upload' ? { from, upload } : { from, address: address.trim() },
    mode,
    name,
    logs,
    since: logs === 'none' ? 0 : secondsOf(search.since),
    debts,
    prices,
    leave_out: leave,
    roots,
  }
}

/** Start of a day in the browser's zone, in unix seconds; 0 for none. */
function secondsOf(day: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00`).getTime() : 0
  return at > 0 ? Math.floor(at / 1_000) : 0
}

export function missingIn(search: ImportSearch, address: string): 'file' | 'address' | 'name' | undefined {
  if (search.from === 'upload' && search.upload === '') return 'file'
  if (search.from === 'address' && !/^(postgres(ql)?|mysql):\/\/./.test(address.trim())) return 'address'
  return v.is(importChoices.name, search.name) ? undefined : 'name'
}
