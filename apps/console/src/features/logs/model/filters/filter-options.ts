import type { Log } from '@sluice/contract/log'
import { LOG_TYPE_NAMES } from '../log-type.ts'
import { KEYS_OF_ALL, LAST_CHOICES, type Term, TERM_KEYS, type TermKey, termText, typedLast } from './filter-terms.ts'

const OPTIONS_MAX = 10

interface KnownValue {
  readonly value: string
  /** What the value alone does not say, such as the name of a channel. */
  readonly hint?: string
}

export interface FilterOption {
  readonly id: string
  readonly key: TermKey
  readonly label: string
  readonly hint?: string
  readonly line: string
  /** A complete filter is applied at once; the beginning of one waits for its value. */
  readonly complete: boolean
}

/** Values of the listed rows, which are known without a request. */
export type KnownValues = Partial<Readonly<Record<TermKey, readonly KnownValue[]>>>

const FIXED: KnownValues = {
  type: LOG_TYPE_NAMES.map((value) => ({ value })),
  last: LAST_CHOICES.map((value) => ({ value })),
}

/** A key, or a value of the key that is there. `found` are values that the gateway knows. */
export function filterOptions(
  line: string,
  seesAll: boolean,
  known: KnownValues,
  found: readonly KnownValue[],
): readonly FilterOption[] {
  const { key, value, before } = typedLast(line)
  const wanted = value.toLowerCase()
  const keys = TERM_KEYS.filter((each) => seesAll || !KEYS_OF_ALL.has(each))
  if (key !== undefined) {
    if (!keys.includes(key)) return []
    return distinct([...(FIXED[key] ?? known[key] ?? []).filter(matches(wanted)), ...found])
      .slice(0, OPTIONS_MAX)
      .map((one) => optionOf(before, key, one))
  }
  const begun = keys
    .filter((each) => each.startsWith(wanted))
    .map((each) => ({ id: each, key: each, label: `${each}:`, line: `${before}${each}:`, complete: false }))
  if (wanted === '') return begun
  const values = keys.flatMap((each) =>
    (known[each] ?? []).filter(matches(wanted)).map((one) => optionOf(before, each, one)),
  )
  return [...begun, ...values].slice(0, OPTIONS_MAX)
}

function optionOf(before: string, key: TermKey, { value, hint }: KnownValue): FilterOption {
  const term: Term = { key, value }
  const label = termText(term)
  return { id: label, key, label, line: before + label, complete: true, ...(hint !== undefined && { hint }) }
}

function matches(wanted: string): (value: KnownValue) => boolean {
  return ({ value, hint = '' }) => value.toLowerCase().includes(wanted) || hint.toLowerCase().includes(wanted)
}

function distinct(values: readonly KnownValue[]): KnownValue[] {
  return [...new Map(values.map((one) => [one.value, one])).values()]
}

/** Without duplicates, in the order of their first row. */
export function valuesIn(rows: readonly Log[]): KnownValues {
  const values = (of: (row: Log) => string): KnownValue[] =>
    [...new Set(rows.map(of))].filter((value) => value !== '').map((value) => ({ value }))
  const channels = new Map(rows.filter(({ channel }) => channel > 0).map((row) => [row.channel, row.channel_name]))
  return {
    model: values(({ model_name }) => model_name),
    token: values(({ token_name }) => token_name),
    user: values(({ username }) => username),
    channel: [...channels].map(([id, hint]) => ({ value: String(id), hint })),
  }
}
