import {
  fieldDigest,
  type FieldValues,
  readFieldDigests,
  writeFieldDigests,
} from '@sluice/store/queries/imports/field-digests'
import {
  forgetImported,
  GONE,
  type ImportedNote,
  type ImportedRow,
  LEFT_OUT,
  markImported,
  noteFields,
  noteImported,
} from '@sluice/store/queries/imports/imported'
import type { Schema } from '@sluice/store/schema/schema'
import type { Kysely, Transaction } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import { digestOf } from '../take/taken.ts'
import { mergeRow, notedOf } from './merge.ts'
import { bring } from './money.ts'
import { type BroughtTable, type MergedRow, STATUS, SWITCHED_OFF, type TakenRow } from './table.ts'

export interface ChangedPage<Row> {
  readonly changed: readonly { readonly note: ImportedNote }[]
  /** The rows that are new, that differ in more than the amount, or that are always compared. */
  readonly rows: readonly TakenRow<Row>[]
  /** The records of these rows, by their ids at the source. */
  readonly known: ReadonlyMap<number, ImportedRow>
  readonly replaced: readonly number[]
  readonly gone: readonly ImportedRow[]
  /** Ids of rows that were imported before and cannot be taken now. */
  readonly left: readonly number[]
}

/** Compares rows with those here and with their records; new rows are written as a whole. */
export async function mergeRows<Row extends object, Wanted extends FieldValues>(
  { database: { engine }, report }: ImportContext,
  table: BroughtTable<Row, Wanted>,
  db: Kysely<Schema>,
  { rows, known }: Pick<ChangedPage<Row>, 'rows' | 'known'>,
): Promise<readonly MergedRow<Row, Wanted>[]> {
  if (rows.length === 0) return []
  const wanted = await table.wanted(db, rows)
  const found = await table.here(
    db,
    engine,
    rows.flatMap(({ target }) => target ?? []),
  )
  return rows.flatMap((taken) => {
    const values = wanted.get(taken.id)
    if (values === undefined) return []
    const merged = mergedOf(table, taken, {
      wanted: values,
      here: taken.target === undefined ? undefined : found.get(taken.target),
      known: known.get(taken.id),
    })
    for (const problem of merged.kept) report.kept(table.table, taken.id, problem)
    table.merged?.(merged)
    return [merged]
  })
}

const DELETED_HERE = { field: STATUS, problem: 'was deleted here: stays deleted' }

function mergedOf<Row extends object, Wanted extends FieldValues>(
  { rules, profile }: BroughtTable<Row, Wanted>,
  taken: TakenRow<Row>,
  {
    wanted,
    here,
    known,
  }: Pick<MergedRow<Row, Wanted>, 'wanted' | 'here'> & { readonly known: ImportedRow | undefined },
): MergedRow<Row, Wanted> {
  if (taken.target === undefined) {
    return { ...taken, wanted, here, writes: new Set(Object.keys(wanted)), kept: [], noted: notedOf(wanted) }
  }
  if (here === undefined) {
    return { ...taken, wanted, here, writes: new Set(), kept: [DELETED_HERE], noted: notedOf(wanted) }
  }
  // An older version recorded no fields, but if the digest of all fields is unchanged, so is each field.
  const isUnchanged = known?.fields === '' && known.digest === digestOf(profile(taken.row))
  const noted = isUnchanged ? notedOf(wanted) : readFieldDigests(known?.fields ?? '')
  const { kept, decided, isChanged, ...merge } = mergeRow(noted, wanted, here, rules)
  // Decisions made here are reported if the source has changed another field of the row, or if the row is back.
  const isTold = isChanged || known?.digest === GONE
  return { ...taken, wanted, here, ...merge, kept: isTold ? [...kept, ...decided] : kept }
}

/** Writes one page and its records in one transaction, then moves its money. */
export async function writePage<Row extends object, Wanted extends FieldValues>(
  context: ImportContext,
  table: BroughtTable<Row, Wanted>,
  page: ChangedPage<Row>,
): Promise<void> {
  const { changed, rows, replaced, gone, left } = page
  if (changed.length + rows.length + gone.length + left.length === 0) return
  const { database, name } = context
  const { kind } = table
  const notes = await database.kysely.transaction().execute(async (trx) => {
    // Another row may need the unique value of one that is gone.
    await switchOff(context, table, trx, gone)
    await markImported(trx, { source: name, kind }, left, LEFT_OUT)
    await forgetImported(trx, { source: name, kind }, replaced)
    const merged = await mergeRows(context, table, trx, page)
    const added = merged.some(({ writes }) => writes.size > 0)
      ? await table.write(trx, merged)
      : new Map<number, number>()
    const noted = new Map(merged.map((row) => [row.id, writeFieldDigests(row.noted)]))
    const placed = changed.map(({ note }) => ({
      ...note,
      targetId: added.get(note.sourceId) ?? note.targetId,
      fields: noted.get(note.sourceId) ?? note.fields,
    }))
    await noteImported(trx, name, kind, placed)
    return placed
  })
  await bring(
    context,
    table.kind,
    notes.filter(({ pending }) => pending !== null),
  )
}

/** Switches off rows that are gone from the source. Records which were on: only those are switched on when they return. */
async function switchOff<Row extends object, Wanted extends FieldValues>(
  { name, database: { engine } }: ImportContext,
  table: BroughtTable<Row, Wanted>,
  trx: Transaction<Schema>,
  gone: readonly ImportedRow[],
): Promise<void> {
  const targets = gone.map(({ targetId }) => targetId)
  const before = await table.here(trx, engine, targets)
  await table.gone(trx, targets)
  const after = await table.here(trx, engine, targets)
  const off = fieldDigest(SWITCHED_OFF)
  for (const { targetId, sourceId, fields } of gone) {
    const digests = readFieldDigests(fields)
    const isChanged = before.get(targetId)?.[STATUS] !== after.get(targetId)?.[STATUS]
    if (digests === undefined || !isChanged) continue
    const noted = new Map(digests).set(STATUS, { source: off, here: off })
    await noteFields(trx, { source: name, kind: table.kind, sourceId }, writeFieldDigests(noted))
  }
  await markImported(
    trx,
    { source: name, kind: table.kind },
    gone.map(({ sourceId }) => sourceId),
    GONE,
  )
}
