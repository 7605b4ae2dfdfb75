import type { Engine } from '@sluice/store/column-types'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import type { FieldDigests, FieldValues } from '@sluice/store/queries/imports/field-digests'
import type { ImportedKind } from '@sluice/store/queries/imports/imported'
import type { Schema } from '@sluice/store/schema/schema'
import type { Kysely, Transaction } from 'kysely'
import type { FieldProblem } from '../take/fields.ts'
import type { Taken } from '../take/taken.ts'
import type { MergeRules } from './merge.ts'

/** Whole points. */
export interface Amounts {
  /** Balance or limit. */
  readonly quota: number
  readonly used: number
  readonly requests: number
}

export type Against = FieldProblem | 'skip' | 'stay'

export interface TakenRow<Row> {
  readonly id: number
  readonly row: Row
  /** Id here; undefined for a new one. */
  readonly target: number | undefined
}

/** A new row, or one with fields that have changed at the source. */
export interface MergedRow<Row, Wanted extends FieldValues = FieldValues> extends TakenRow<Row> {
  /** The values that the row would have here if only the source counted. */
  readonly wanted: Wanted
  /** Its values here; undefined for a new row, and for one that was deleted here. */
  readonly here: FieldValues | undefined
  /** Fields to write; all of them for a new row. */
  readonly writes: ReadonlySet<string>
  readonly kept: readonly FieldProblem[]
  readonly noted: FieldDigests
}

/** The conversion of one family table to rows here. */
export interface BroughtTable<Row extends object, Wanted extends FieldValues = FieldValues> {
  readonly kind: ImportedKind
  readonly table: string
  readonly columns: readonly string[]
  readonly take: (row: ForeignRow, id: number) => Taken<Row>
  /** A mark that identifies a row, because it never changes. */
  readonly mark: (row: Row) => string
  /** Whether a row is the one that had this mark; by default, whether its mark is equal. */
  readonly isSame?: (mark: string, row: Row) => boolean
  /**
   * Whether a row is imported although another row was imported under the same id: databases reuse the ids of deleted rows. The id
   * also identifies a user's transfers, so another user under the same id is left out.
   */
  readonly replaces: boolean
  /** Values, as they will be stored, that no two rows may share; at the source they may differ in blanks or in a prefix. */
  readonly distinct: (row: Row) => readonly (readonly [field: string, value: string])[]
  /** Whether the ledger must be notified of fields other than the amount. */
  readonly isAnnounced: boolean
  readonly amounts: (row: Row) => Amounts
  /** The row without amounts; it must be written when this changes. */
  readonly profile: (row: Row) => object
  /**
   * The reasons why rows of a page cannot be imported, by their ids: others have their names, or a row that they refer to is not
   * imported. `skip` if that is not a fault; `stay` if the row must be neither imported nor switched off.
   */
  readonly refer: (rows: readonly TakenRow<Row>[]) => Promise<ReadonlyMap<number, Against>>
  /** The values that rows would have here, by their ids at the source. */
  readonly wanted: (db: Kysely<Schema>, rows: readonly TakenRow<Row>[]) => Promise<ReadonlyMap<number, Wanted>>
  /** The current values of rows, by their ids here; without rows that were deleted here. */
  readonly here: (
    db: Kysely<Schema>,
    engine: Engine,
    targets: readonly number[],
  ) => Promise<ReadonlyMap<number, FieldValues>>
  readonly rules: MergeRules
  /** Whether a row is compared with the one here even if the source has not changed it. */
  readonly isAlwaysCompared?: (row: Row) => boolean
  /** Called with every compared or new row and its result. */
  readonly merged?: (row: MergedRow<Row, Wanted>) => void
  /** Writes new and changed rows of a page. Returns the new rows' ids here. */
  readonly write: (
    trx: Transaction<Schema>,
    rows: readonly MergedRow<Row, Wanted>[],
  ) => Promise<ReadonlyMap<number, number>>
  /** Switches off rows that no longer exist at the source. */
  readonly gone: (trx: Transaction<Schema>, targets: readonly number[]) => Promise<void>
  /** Called with every imported row, in the order of the ids. */
  readonly seen?: (id: number, row: Row) => void
  readonly left?: (id: number) => void
}

/** The status field of every table whose rows can be switched off, and its value for off. */
export const STATUS = 'status'
export const SWITCHED_OFF = 2

export function onlyWritten<Wanted extends FieldValues>(wanted: Wanted, writes: ReadonlySet<string>): Partial<Wanted> {
  return Object.fromEntries(Object.entries(wanted).filter(([field]) => writes.has(field))) as Partial<Wanted>
}
