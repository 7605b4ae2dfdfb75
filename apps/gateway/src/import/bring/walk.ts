import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import type { FieldValues } from '@sluice/store/queries/imports/field-digests'
import {
  GONE,
  type ImportedNote,
  type ImportedRow,
  LEFT_OUT,
  listImported,
} from '@sluice/store/queries/imports/imported'
import type { ImportContext } from '../import-context.ts'
import { wholeNumber } from '../take/fields.ts'
import { digestOf, type Taken } from '../take/taken.ts'
import type { Against, BroughtTable, TakenRow } from './table.ts'
import { mergeRows, writePage } from './write-page.ts'

/** Rows of one page and transaction: few enough that a running gateway hardly waits for them. */
const PAGE = 500
const MQ_PER_POINT = 1_000n

/** The current state at the source of rows that were imported before. */
export interface Recognised {
  /** Rows under an id that was imported before. */
  readonly known: number
  /** Known ids that now belong to another row. */
  readonly others: number
  /** Rows that were imported before and no longer exist. */
  readonly gone: number
}

export interface Walk {
  /** If false, reports everything and writes nothing; if true, writes everything and does not repeat the problems. */
  readonly writes: boolean
  readonly progress: (rows: number) => void
}

/**
 * Goes through a table of the source in the order of its ids. When writing, each page is one transaction, together with the records
 * of its rows; then its money is moved. Every transaction is complete in itself, so a run can be repeated wherever it ended.
 */
export async function walkTable<Row extends object, Wanted extends FieldValues>(
  context: ImportContext,
  table: BroughtTable<Row, Wanted>,
  { writes, progress }: Walk,
): Promise<Recognised> {
  const { source, signal, name, database } = context
  const present = context.columns.get(table.table)
  const recognised = { known: 0, others: 0, gone: 0 }
  if (present === undefined) return recognised
  const columns = table.columns.filter((column) => present.has(column))
  await reportOddKeys(context, table.table)
  const taken = new Set<string>()
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const rows = await source.page({ table: table.table, columns, key: 'id', after, limit: PAGE })
    const until = rows.length === 0 ? Number.MAX_SAFE_INTEGER : (wholeNumber(rows.at(-1)?.['id'] ?? null) ?? after)
    const imported = await listImported(database.kysely, name, table.kind, { after, until })
    const known = new Map(imported.map((row) => [row.sourceId, row]))
    const page = await bringPage(context, table, { rows, known, taken, writes })
    recognised.known += page.known
    recognised.others += page.others
    recognised.gone += page.gone
    if (rows.length === 0) return recognised
    progress(rows.length)
    after = until
  }
}

interface Page {
  readonly rows: readonly ForeignRow[]
  /** Earlier imports under the ids of this page. */
  readonly known: ReadonlyMap<number, ImportedRow>
  readonly taken: Set<string>
  readonly writes: boolean
}

async function bringPage<Row extends object, Wanted extends FieldValues>(
  context: ImportContext,
  table: BroughtTable<Row, Wanted>,
  page: Page,
): Promise<Recognised> {
  const { report } = context
  const { known } = page
  const { present, taken, others } = sortPage(context, table, page)
  const against = await table.refer(taken)
  const accepted = taken.filter(({ id }) => isAccepted(context, table.table, id, against.get(id)))
  for (const { id } of taken) if (against.get(id) === 'skip') present.delete(id)
  const kept = new Set(accepted.map(({ id }) => id))
  for (const id of present) if (!kept.has(id)) table.left?.(id)
  for (const { id, row } of accepted) table.seen?.(id, row)
  const before = (id: number): ImportedRow | undefined => (others.has(id) ? undefined : known.get(id))
  const noted = accepted.map((row) => ({ row, note: noteOf(table, row, before(row.id), known.get(row.id)?.step) }))
  const changed = noted.filter(({ row, note }) => isChange(note, before(row.id)))
  for (const { row } of changed) report.count(table.table, row.target === undefined ? 'added' : 'changed')
  report.count(table.table, 'unchanged', accepted.length - changed.length)
  const isHere = ({ sourceId }: ImportedRow): boolean => present.has(sourceId) && !others.has(sourceId)
  const stillKnown = [...known.values()].filter(({ digest }) => digest !== GONE)
  const gone = stillKnown.filter((row) => !isHere(row))
  report.count(table.table, 'gone', gone.length)
  const left = stillKnown.filter((row) => isHere(row) && !kept.has(row.sourceId))
  // Changes made here stay if only the spending at the source has changed.
  const compared = noted.filter(({ row, note }) => isCompared(table, row, note, before(row.id))).map(({ row }) => row)
  const rows = { rows: compared, known: new Map(compared.flatMap(({ id }) => withId(before(id)))) }
  if (!page.writes) await mergeRows(context, table, context.database.kysely, rows)
  else {
    const compares = new Set(compared.map(({ id }) => id))
    await writePage(context, table, {
      changed: noted.filter(({ row, note }) => isChange(note, before(row.id)) || compares.has(row.id)),
      ...rows,
      replaced: accepted.filter(({ id }) => others.has(id)).map(({ id }) => id),
      gone,
      left: left.filter(({ digest }) => digest !== LEFT_OUT).map(({ sourceId }) => sourceId),
    })
  }
  const knownHere = page.rows.filter((row) => known.has(wholeNumber(row['id'] ?? null) ?? 0)).length
  return { known: knownHere, others: others.size, gone: gone.length }
}

interface SortedPage<Row> {
  /** Rows that the source still has; those that can no longer be imported stay unchanged here. */
  readonly present: Set<number>
  readonly taken: readonly TakenRow<Row>[]
  /** Ids under which a different row was imported before. */
  readonly others: ReadonlySet<number>
}

/** Takes each row separately; counts and reports those that cannot be taken. */
function sortPage<Row extends object, Wanted extends FieldValues>(
  { report }: ImportContext,
  table: BroughtTable<Row, Wanted>,
  page: Page,
): SortedPage<Row> {
  const { known } = page
  const present = new Set<number>()
  const taken: TakenRow<Row>[] = []
  const others = new Set<number>()
  for (const row of page.rows) {
    const id = wholeNumber(row['id'] ?? null) ?? 0
    const result = takeOne(table, row, id, page)
    if (result === 'other') {
      others.add(id)
      report.count(table.table, 'left_out')
      report.problem(table.table, id, OTHER, 'left_out')
      continue
    }
    // A row that has been marked as deleted at the source since its import is gone, too.
    if (result.outcome !== 'skipped') present.add(id)
    if (result.outcome === 'taken') {
      if (!isSame(table, known.get(id), result.row)) others.add(id)
      for (const problem of result.adapted) report.problem(table.table, id, problem, 'adapted')
      taken.push({ id, row: result.row, target: others.has(id) ? undefined : known.get(id)?.targetId })
    } else {
      report.count(table.table, result.outcome)
      if (result.outcome === 'left_out') report.problem(table.table, id, result.fault, 'left_out')
    }
  }
  return { present, taken, others }
}

const OTHER = {
  field: 'id',
  problem: 'belonged to another row when this gateway was first imported; a different gateway needs a different name',
}

/** `other`: a different row was imported under this id, and this one cannot take its place. */
function takeOne<Row extends object, Wanted extends FieldValues>(
  table: BroughtTable<Row, Wanted>,
  row: ForeignRow,
  id: number,
  page: Page,
): Taken<Row> | 'other' {
  const result = table.take(row, id)
  if (result.outcome !== 'taken') return result
  const values = table.distinct(result.row)
  const twice = values.find(([field, value]) => page.taken.has(`${field} ${value}`))
  if (twice !== undefined)
    return { outcome: 'left_out', fault: { field: twice[0], problem: 'is the same as in another row' } }
  for (const [field, value] of values) page.taken.add(`${field} ${value}`)
  return table.replaces || isSame(table, page.known.get(id), result.row) ? result : 'other'
}

function isSame<Row extends object, Wanted extends FieldValues>(
  table: BroughtTable<Row, Wanted>,
  known: ImportedRow | undefined,
  row: Row,
): boolean {
  if (known === undefined || known.mark === table.mark(row)) return true
  return table.isSame?.(known.mark, row) === true
}

function isAccepted({ report }: ImportContext, table: string, id: number, against: Against | undefined) {
  if (against === undefined) return true
  report.count(table, typeof against === 'string' ? 'skipped' : 'left_out')
  if (typeof against !== 'string') report.problem(table, id, against, 'left_out')
  return false
}

/** The record of a row. `pending` is the missing part of its balance or limit. */
function noteOf<Row extends object, Wanted extends FieldValues>(
  table: BroughtTable<Row, Wanted>,
  { id, row, target = 0 }: TakenRow<Row>,
  known: ImportedRow | undefined,
  /** Number of the latest transfer under this id. */
  step = 0,
): ImportedNote {
  const { quota, used, requests } = table.amounts(row)
  const missing = BigInt(quota) * MQ_PER_POINT - (known?.brought ?? 0n)
  const digest = digestOf(table.profile(row))
  const isMoved = missing !== 0n || (table.isAnnounced && known !== undefined && known.digest !== digest)
  return {
    sourceId: id,
    targetId: target,
    mark: table.mark(row),
    digest,
    fields: known?.fields ?? '',
    step: step + (isMoved ? 1 : 0),
    pending: isMoved ? missing : null,
    used: BigInt(used) * MQ_PER_POINT,
    requests,
  }
}

function withId(row: ImportedRow | undefined): readonly (readonly [number, ImportedRow])[] {
  return row === undefined ? [] : [[row.sourceId, row]]
}

/** Whether a row is compared with the one here field by field. A row from an older version is, so that its fields are recorded. */
function isCompared<Row extends object, Wanted extends FieldValues>(
  table: BroughtTable<Row, Wanted>,
  { row }: TakenRow<Row>,
  note: ImportedNote,
  known: ImportedRow | undefined,
): boolean {
  if (known === undefined || known.fields === '' || note.digest !== known.digest) return true
  return table.isAlwaysCompared?.(row) === true
}

function isChange(note: ImportedNote, known: ImportedRow | undefined): boolean {
  if (known === undefined || note.pending !== null) return true
  return note.digest !== known.digest || note.used !== known.used || note.requests !== known.requests
}

async function reportOddKeys({ source, report }: ImportContext, table: string): Promise<void> {
  const rows = await source.oddKeys(table, 'id')
  if (rows === 0) return
  const problem = `is not a whole number above 0, or occurs in another row, in ${rows} rows`
  report.count(table, 'left_out', rows)
  report.problem(table, '?', { field: 'id', problem }, 'left_out')
}
