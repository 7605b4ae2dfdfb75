import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import {
  GONE,
  type ImportedKind,
  type ImportedNote,
  type ImportedRow,
  listImported,
  markGone,
  noteImported,
} from '@sluice/store/queries/imports/imported'
import type { Schema } from '@sluice/store/schema/schema'
import type { Transaction } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import { type FieldProblem, wholeNumber } from '../take/fields.ts'
import { digestOf, type Taken } from '../take/taken.ts'
import { bring } from './money.ts'

/** Rows of one page and one transaction: few enough that a running gateway hardly waits for either. */
const PAGE = 500
/** Duplicates that are named; a source with more is refused. */
const DUPLICATES_MAX = 10_000
const MQ_PER_POINT = 1_000n

/** What a row brings beside its fields. Whole points. */
export interface Amounts {
  /** Balance or limit. */
  readonly quota: number
  readonly used: number
  readonly requests: number
}

/** A row that is taken. */
export interface TakenRow<Row> {
  /** Id at the source. */
  readonly id: number
  readonly row: Row
  /** Id here; undefined for a new one. */
  readonly target: number | undefined
}

/** How one table of the family becomes rows here. */
export interface BroughtTable<Row extends object> {
  readonly kind: ImportedKind
  readonly table: string
  readonly columns: readonly string[]
  /** Columns of which no two rows have the same value. */
  readonly unique: readonly string[]
  readonly take: (row: ForeignRow, id: number) => Taken<Row>
  /** What never changes of a row. */
  readonly mark: (row: Row) => string
  readonly amounts: (row: Row) => Amounts
  /** The row without amounts: what must be written when it changes. */
  readonly profile: (row: Row) => object
  /**
   * What stands against rows of a page, by their ids: others have their names, or what they belong to is not brought. `skip` where
   * that is no fault.
   */
  readonly refer: (rows: readonly TakenRow<Row>[]) => Promise<ReadonlyMap<number, FieldProblem | 'skip'>>
  /** Writes new and changed rows of a page; returns the ids here of the new ones. */
  readonly write: (trx: Transaction<Schema>, rows: readonly TakenRow<Row>[]) => Promise<ReadonlyMap<number, number>>
  /** Switches off what is gone from the source. */
  readonly gone: (trx: Transaction<Schema>, targets: readonly number[]) => Promise<void>
  /** Sees every row that is taken, in the order of the ids. */
  readonly seen?: (id: number, row: Row) => void
}

export interface Walk {
  /** False: nothing is written, and everything is reported. True: everything is written, and problems are not reported again. */
  readonly writes: boolean
  readonly progress: (rows: number) => void
}

/**
 * Goes through a table of the source in the order of its ids. When it writes, each page is one transaction, together with what is
 * noted of its rows; then its money is moved. Whatever was written is whole, so a run that ends anywhere can be repeated.
 */
export async function walkTable<Row extends object>(
  context: ImportContext,
  table: BroughtTable<Row>,
  { writes, progress }: Walk,
): Promise<void> {
  const { source, signal, name, database } = context
  const present = context.columns.get(table.table)
  if (present === undefined) return
  const columns = table.columns.filter((column) => present.has(column))
  const repeated = await repeatedIds(context, table)
  await reportOddKeys(context, table.table)
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const rows = await source.page({ table: table.table, columns, key: 'id', after, limit: PAGE })
    const until = rows.length === 0 ? Number.MAX_SAFE_INTEGER : (wholeNumber(rows.at(-1)?.['id'] ?? null) ?? after)
    const imported = await listImported(database.kysely, name, table.kind, { after, until })
    const known = new Map(imported.map((row) => [row.sourceId, row]))
    await bringPage(context, table, { rows, known, repeated, writes })
    if (rows.length === 0) return
    progress(rows.length)
    after = until
  }
}

interface Page {
  readonly rows: readonly ForeignRow[]
  /** What was brought before of the ids of this page. */
  readonly known: ReadonlyMap<number, ImportedRow>
  /** Rows that have the value of an earlier one, each with the column. */
  readonly repeated: ReadonlyMap<number, string>
  readonly writes: boolean
}

async function bringPage<Row extends object>(context: ImportContext, table: BroughtTable<Row>, page: Page) {
  const { report } = context
  const { known } = page
  const present = new Set<number>()
  const taken: TakenRow<Row>[] = []
  for (const row of page.rows) {
    const id = wholeNumber(row['id'] ?? null) ?? 0
    const result = takeOne(table, row, id, page)
    // Deleted at the source since it was brought is gone, too.
    if (result.outcome !== 'skipped') present.add(id)
    if (result.outcome === 'taken') {
      for (const problem of result.adapted) report.problem(table.table, id, problem, 'adapted')
      taken.push({ id, row: result.row, target: known.get(id)?.targetId })
    } else {
      report.count(table.table, result.outcome)
      if (result.outcome === 'left_out') report.problem(table.table, id, result.fault, 'left_out')
    }
  }
  const against = await table.refer(taken)
  const accepted = taken.filter(({ id }) => isAccepted(context, table.table, id, against.get(id)))
  for (const { id, row } of accepted) table.seen?.(id, row)
  const noted = accepted.map((row) => ({ row, note: noteOf(table, row, known.get(row.id)) }))
  const changed = noted.filter(({ row, note }) => isChange(note, known.get(row.id)))
  for (const { row } of changed) report.count(table.table, row.target === undefined ? 'added' : 'changed')
  report.count(table.table, 'unchanged', accepted.length - changed.length)
  const gone = [...known.values()].filter(({ sourceId, digest }) => !present.has(sourceId) && digest !== GONE)
  report.count(table.table, 'gone', gone.length)
  if (!page.writes || changed.length + gone.length === 0) return
  await writePage(context, table, {
    changed,
    // What was changed here stays when the source has only spent since.
    rows: changed
      .filter(({ row, note }) => row.target === undefined || note.digest !== known.get(row.id)?.digest)
      .map(({ row }) => row),
    gone,
  })
}

function takeOne<Row extends object>(table: BroughtTable<Row>, row: ForeignRow, id: number, page: Page): Taken<Row> {
  const result = table.take(row, id)
  if (result.outcome !== 'taken') return result
  const repeated = page.repeated.get(id)
  if (repeated !== undefined) return leftOut(repeated, 'is the same as in another row')
  const known = page.known.get(id)
  if (known === undefined || known.mark === table.mark(result.row)) return result
  return leftOut(
    'id',
    'belonged to another row when this gateway was first imported; another gateway needs another name',
  )
}

function leftOut(field: string, problem: string): Taken<never> {
  return { outcome: 'left_out', fault: { field, problem } }
}

function isAccepted({ report }: ImportContext, table: string, id: number, against: FieldProblem | 'skip' | undefined) {
  if (against === undefined) return true
  report.count(table, against === 'skip' ? 'skipped' : 'left_out')
  if (against !== 'skip') report.problem(table, id, against, 'left_out')
  return false
}

/** What is noted of a row: `pending` is what is missing of its balance or limit. */
function noteOf<Row extends object>(
  table: BroughtTable<Row>,
  { id, row, target = 0 }: TakenRow<Row>,
  known: ImportedRow | undefined,
): ImportedNote {
  const { quota, used, requests } = table.amounts(row)
  const missing = BigInt(quota) * MQ_PER_POINT - (known?.brought ?? 0n)
  return {
    sourceId: id,
    targetId: target,
    mark: table.mark(row),
    digest: digestOf(table.profile(row)),
    step: (known?.step ?? 0) + (missing === 0n ? 0 : 1),
    pending: missing === 0n ? null : missing,
    used: BigInt(used) * MQ_PER_POINT,
    requests,
  }
}

function isChange(note: ImportedNote, known: ImportedRow | undefined): boolean {
  if (known === undefined || note.pending !== null) return true
  return note.digest !== known.digest || note.used !== known.used || note.requests !== known.requests
}

interface ChangedPage<Row> {
  readonly changed: readonly { readonly note: ImportedNote }[]
  /** Those of them that are new, or not only of another amount. */
  readonly rows: readonly TakenRow<Row>[]
  readonly gone: readonly ImportedRow[]
}

async function writePage<Row extends object>(
  context: ImportContext,
  table: BroughtTable<Row>,
  { changed, rows, gone }: ChangedPage<Row>,
): Promise<void> {
  const { database, name } = context
  const notes = await database.kysely.transaction().execute(async (trx) => {
    const added = rows.length === 0 ? new Map<number, number>() : await table.write(trx, rows)
    const placed = changed.map(({ note }) => ({ ...note, targetId: added.get(note.sourceId) ?? note.targetId }))
    await noteImported(trx, name, table.kind, placed)
    await table.gone(
      trx,
      gone.map(({ targetId }) => targetId),
    )
    await markGone(
      trx,
      name,
      table.kind,
      gone.map(({ sourceId }) => sourceId),
    )
    return placed
  })
  await bring(
    context,
    table.kind,
    notes.filter(({ pending }) => pending !== null),
  )
}

async function repeatedIds<Row extends object>(
  { source, report, columns }: ImportContext,
  { table, unique }: BroughtTable<Row>,
): Promise<ReadonlyMap<number, string>> {
  const repeated = new Map<number, string>()
  for (const column of unique) {
    if (columns.get(table)?.has(column) !== true) continue
    const ids = await source.duplicates({ table, key: 'id', column, limit: DUPLICATES_MAX })
    if (ids.length === DUPLICATES_MAX) {
      report.refuse(`${table}.${column}: more than ${DUPLICATES_MAX} rows have the value of another row`)
    }
    for (const id of ids) repeated.set(id, column)
  }
  return repeated
}

async function reportOddKeys({ source, report }: ImportContext, table: string): Promise<void> {
  const rows = await source.oddKeys(table, 'id')
  if (rows === 0) return
  const problem = `is no whole number above 0, or that of another row, in ${rows} rows`
  report.count(table, 'left_out', rows)
  report.problem(table, '?', { field: 'id', problem }, 'left_out')
}
