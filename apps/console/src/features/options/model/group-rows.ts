import * as v from 'valibot'
import type { EntryProblem } from './setting-value.ts'

export interface GroupRow {
  /** Identifies the row while its name is typed. */
  readonly key: string
  readonly name: string
  readonly ratio: string
  readonly title: string
  readonly text: string
  /** User groups, or `*` for everyone. */
  readonly usableBy: readonly string[]
  /** `vip: 0.5, svip: 0.4` */
  readonly ratioFor: string
  readonly order: string
}

export type GroupField = Exclude<keyof GroupRow, 'key' | 'usableBy'>

/** How the gateway stores a group; see the option `Groups`. */
const storedGroups = v.record(
  v.string(),
  v.object({
    ratio: v.optional(v.number(), 1),
    title: v.optional(v.string(), ''),
    text: v.optional(v.string(), ''),
    usable_by: v.optional(v.array(v.string()), []),
    ratio_for: v.optional(v.record(v.string(), v.number()), {}),
    order: v.optional(v.number(), 0),
  }),
)
const groupRows = v.array(
  v.object({
    key: v.string(),
    name: v.string(),
    ratio: v.string(),
    title: v.string(),
    text: v.string(),
    usableBy: v.array(v.string()),
    ratioFor: v.string(),
    order: v.string(),
  }),
)

const RATIO_MAX = 1_000
const RATIO = /^\d{1,4}(\.\d{1,6})?$/
const ORDER = /^\d{0,4}$/

/** Reads a stored value, or an entry. An entry is the rows themselves as JSON, because only rows can hold half-typed text. */
export function groupRowsOf(text: string): readonly GroupRow[] {
  const parsed = jsonOf(text)
  if (v.is(groupRows, parsed)) return parsed
  const stored = v.safeParse(storedGroups, parsed)
  return Object.entries(stored.success ? stored.output : {}).map(([name, group]) => ({
    key: name,
    name,
    ratio: String(group.ratio),
    title: group.title,
    text: group.text,
    usableBy: group.usable_by,
    ratioFor: Object.entries(group.ratio_for)
      .map(([user, ratio]) => `${user}: ${ratio}`)
      .join(', '),
    order: String(group.order),
  }))
}

export function withNewGroup(rows: readonly GroupRow[]): readonly GroupRow[] {
  // No name contains a comma.
  const key = `,${rows.length}${rows.at(-1)?.key ?? ''}`
  return [...rows, { key, name: '', ratio: '1', title: '', text: '', usableBy: [], ratioFor: '', order: '0' }]
}

/** The first field that cannot be stored, and why. The gateway checks the rest. */
export function groupProblem(
  rows: readonly GroupRow[],
): { readonly row: GroupRow; readonly field: GroupField; readonly problem: EntryProblem } | undefined {
  const names = new Set<string>()
  for (const row of rows) {
    const name = row.name.trim()
    if (name === '' || names.has(name)) return { row, field: 'name', problem: { is: 'groupName' } }
    names.add(name)
    const max = { min: 0, max: RATIO_MAX }
    if (!isRatio(row.ratio)) return { row, field: 'ratio', problem: { is: 'number', ...max } }
    if (ratiosFor(row) === undefined) return { row, field: 'ratioFor', problem: { is: 'groupRatios' } }
    if (!ORDER.test(row.order.trim())) return { row, field: 'order', problem: { is: 'integer', ...max } }
  }
  return undefined
}

/** The rows must have no problem. */
export function groupsText(rows: readonly GroupRow[]): string {
  return JSON.stringify(
    Object.fromEntries(
      rows.map((row) => [
        row.name.trim(),
        {
          ratio: Number(row.ratio),
          title: row.title.trim(),
          text: row.text.trim(),
          usable_by: row.usableBy,
          ratio_for: Object.fromEntries(ratiosFor(row) ?? []),
          order: Number(row.order),
        },
      ]),
    ),
  )
}

function ratiosFor({ ratioFor }: GroupRow): readonly (readonly [string, number])[] | undefined {
  const parts = ratioFor
    .split(/[,，]/)
    .map((part) => part.trim())
    .filter(Boolean)
  const pairs = parts.flatMap((part) => {
    // The name itself may contain a colon.
    const at = Math.max(part.lastIndexOf(':'), part.lastIndexOf('：'))
    const [name, ratio] = [part.slice(0, Math.max(0, at)).trim(), part.slice(at + 1).trim()]
    return name !== '' && isRatio(ratio) ? [[name, Number(ratio)] as const] : []
  })
  return pairs.length === parts.length ? pairs : undefined
}

function isRatio(text: string): boolean {
  return RATIO.test(text.trim()) && Number(text) <= RATIO_MAX
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface RatioChange {
  readonly group: string
  readonly from: string | undefined
  readonly to: string | undefined
}

/**
 * Compares two JSON maps from groups to ratios, or to all their settings; neither has to be well-formed. A price for another
 * group's users is named after both groups.
 */
export function ratioChanges(before: string, after: string): readonly RatioChange[] {
  const [old, next] = [ratiosOf(before), ratiosOf(after)]
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((group) => ({ group, from: old.get(group), to: next.get(group) }))
    .filter(({ from, to }) => from !== to)
}

function ratiosOf(text: string): ReadonlyMap<string, string> {
  try {
    const parsed: unknown = JSON.parse(text)
    return new Map(Object.entries(parsed ?? {}).flatMap(([group, value]) => [...ratiosOfGroup(group, value)]))
  } catch {
    return new Map()
  }
}

function* ratiosOfGroup(group: string, value: unknown): Iterable<readonly [string, string]> {
  if (typeof value !== 'object' || value === null) return yield [group, String(value)]
  const { ratio = 1, ratio_for: others = {} } = value as { readonly ratio?: unknown; readonly ratio_for?: object }
  yield [group, String(ratio)]
  for (const [user, theirs] of Object.entries(others ?? {})) yield [`${group} (${user})`, String(theirs)]
}
