import {
  type FieldDigest,
  fieldDigest,
  type FieldDigests,
  type FieldValue,
  type FieldValues,
} from '@sluice/store/queries/imports/field-digests'
import type { FieldProblem } from '../take/fields.ts'

export interface Difference {
  readonly field: string
  readonly wanted: FieldValue
  readonly found: FieldValue
  readonly here: FieldValues
}

/** A table's rules for differences, apart from who changed a field last. */
export interface MergeRules {
  /** The reason why a field stays unchanged although only the source has changed it; undefined when it does not. */
  readonly staysBecause?: (difference: Difference) => string | undefined
  /** Whether the source's value withdraws something, which takes precedence over any decision here. */
  readonly goesFirst?: (difference: Difference) => boolean
  /** Whether nobody chose the value here, such as a temporary name from an import. */
  readonly isNobodys?: (difference: Difference) => boolean
  /** Whether the source's value is safer, for a row of an older version without a record of who changed the field. */
  readonly isSafer?: (difference: Difference) => boolean
}

export interface Merge {
  readonly writes: ReadonlySet<string>
  /** Fields that stay unchanged here although the source has changed them, with the reason. */
  readonly kept: readonly FieldProblem[]
  /** Fields that were changed only here. */
  readonly decided: readonly FieldProblem[]
  readonly isChanged: boolean
  readonly noted: FieldDigests
}

const CHANGED_HERE = 'was changed in this gateway: stays as it is'
const CHANGED_BOTH = 'was changed in this gateway and in the source: stays as it is'
const UNKNOWN =
  'differs from the source, and because it was imported by an earlier version, it is not known which side changed it: stays as it is'

/**
 * Compares three states of each field: the recorded value of the source (undefined where an older version recorded no fields), its
 * current value, and the value here. Writes only fields that have changed there but not here. A field that one side lacks counts as
 * empty there.
 */
export function mergeRow(
  noted: FieldDigests | undefined,
  wanted: FieldValues,
  here: FieldValues,
  rules: MergeRules,
): Merge {
  const writes = new Set<string>()
  const kept: FieldProblem[] = []
  const decided: FieldProblem[] = []
  const next = new Map<string, FieldDigest>()
  let isChanged = false
  for (const field of new Set([...Object.keys(wanted), ...(noted?.keys() ?? [])])) {
    const difference = { field, wanted: wanted[field] ?? null, found: here[field] ?? null, here }
    const source = fieldDigest(difference.wanted)
    const found = fieldDigest(difference.found)
    const before = noted === undefined ? undefined : (noted.get(field) ?? NO_VALUE)
    isChanged ||= before !== undefined && before.source !== source
    const verdict = found === source ? 'same' : verdictOn(before, { source, found }, difference, rules)
    if (verdict === 'write') writes.add(field)
    else if (verdict === CHANGED_HERE) decided.push({ field: nameOf(field), problem: verdict })
    else if (verdict !== 'same' && verdict !== 'as_noted') kept.push({ field: nameOf(field), problem: verdict })
    const digest = { source, here: hereAfter(verdict, before, { source, found }) }
    if (digest.source !== '' || digest.here !== '') next.set(field, digest)
  }
  return { writes, kept, decided, isChanged, noted: next }
}

/** The record of a row that is written as a whole. */
export function notedOf(wanted: FieldValues): FieldDigests {
  const digests = Object.entries(wanted).map(([field, value]) => [field, fieldDigest(value)] as const)
  return new Map(
    digests.flatMap(([field, source]) => (source === '' ? [] : [[field, { source, here: source }] as const])),
  )
}

const NO_VALUE: FieldDigest = { source: '', here: '' }

/** `as_noted`: neither side has changed the field. Otherwise the reason why it stays, in the words of the report. */
function verdictOn(
  before: FieldDigest | undefined,
  { source, found }: { readonly source: string; readonly found: string },
  difference: Difference,
  { staysBecause, goesFirst, isNobodys, isSafer }: MergeRules,
): string {
  if (goesFirst?.(difference) === true) return 'write'
  const followed = staysBecause?.(difference) ?? 'write'
  if (isNobodys?.(difference) === true) return followed
  if (before === undefined) return isSafer?.(difference) === true ? followed : UNKNOWN
  const isDecidedHere = before.here !== found
  if (before.source === source) return isDecidedHere ? CHANGED_HERE : 'as_noted'
  return isDecidedHere ? CHANGED_BOTH : followed
}

/** The recorded value here. As long as it differs from the actual value, the field was decided here and stays. */
function hereAfter(
  verdict: string,
  before: FieldDigest | undefined,
  { source, found }: { readonly source: string; readonly found: string },
): string {
  if (verdict === 'write' || before === undefined) return source
  // A field that stays although nobody changed it here can follow the source's next change.
  if (before.here === found) return found
  // The value was chosen here before the source had it, so it stays when the source changes again.
  return verdict === 'same' ? before.here : source
}

/** Several fields of one kind are reported under the kind. */
function nameOf(field: string): string {
  return field.split(':')[0] ?? field
}
