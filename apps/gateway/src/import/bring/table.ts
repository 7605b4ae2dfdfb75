import type { Engine } from '@sluice/store/column-types'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import type { FieldDigests, FieldValues } from '@sluice/store/queries/imports/field-digests'
import type { ImportedKind } from '@sluice/store/queries/imports/imported'
import type { Schema } from '@sluice/store/schema/schema'
import type { Kysely, Transaction } from 'kysely'
import type { FieldProblem } from '../take/fields.ts'
import type { Taken } from '../take/taken.ts'
import type { MergeRules } from './merge.ts'

/** What a row brings beside its fields. Whole points. */
export interface Amounts {
  /** Balance or limit. */
  readonly quota: number
  readonly used: number
  readonly requests: number
}

export type Against = FieldProblem | 'skip' | 'stay'

/** A row that is taken. */
export interface TakenRow<Row> {
  /** Id at the source. */
  readonly id: number
  readonly row: Row
  /** Id here; undefined for a new one. */
  readonly target: number | undefined
}

/** A row that is new, or of which some fields have changed at the source. */
export interface MergedRow<Row, Wanted extends FieldValues = FieldValues> extends TakenRow<Row> {
  /** What it would have here, if only the source counted. */
  readonly wanted: Wanted
  /** What it has here; undefined for a new one, and for one that was deleted here. */
  readonly here: FieldValues | undefined
  /** Fields that are written: all of a new row. */
  readonly writes: ReadonlySet<string>
  /** Fields that stay as they are here. */
  readonly kept: readonly FieldProblem[]
  readonly noted: FieldDigests
}

/** How one table of the family becomes rows here. */
export interface BroughtTable<Row extends object, Wanted extends FieldValues = FieldValues> {
  readonly kind: ImportedKind
  readonly table: string
  readonly columns: readonly string[]
  readonly take: (row: ForeignRow, id: number) => Taken<Row>
  /** What never changes about a row. */
  readonly mark: (row: Row) => string
  /** Whether a row is the one that had this mark; without it, whether it has the same. */
  readonly isSame?: (mark: string, row: Row) => boolean
  /**
   * Whether a row under the id of another one that was brought is brought, too: databases give away the ids of deleted rows again.
   * The transfers of a user are known by the id, so another user under it is left out.
   */
  readonly replaces: boolean
  /** Values that no two rows share, as they are taken: at the source they may differ in blanks or in a prefix. */
  readonly distinct: (row: Row) => readonly (readonly [field: string, value: string])[]
  /** Whether the ledger has to hear of other fields than the amount. */
  readonly isAnnounced: boolean
  readonly amounts: (row: Row) => Amounts
  /** The row without amounts: what must be written when it changes. */
  readonly profile: (row: Row) => object
  /**
   * What stands against rows of a page, by their ids: others have their names, or what they belong to is not brought. `skip` where
   * that is no fault; `stay` where the row must be neither brought nor switched off.
   */
  readonly refer: (rows: readonly TakenRow<Row>[]) => Promise<ReadonlyMap<number, Against>>
  /** What rows would have here, by their ids at the source. */
  readonly wanted: (db: Kysely<Schema>, rows: readonly TakenRow<Row>[]) => Promise<ReadonlyMap<number, Wanted>>
  /** What rows have here, by their ids here; without those that were deleted here. */
  readonly here: (
    db: Kysely<Schema>,
    engine: Engine,
    targets: readonly number[],
  ) => Promise<ReadonlyMap<number, FieldValues>>
  readonly rules: MergeRules
  /** Whether a row is compared with what is here although the source has not changed it. */
  readonly isAlwaysCompared?: (row: Row) => boolean
  /** Sees every row that is compared or new, once it is known what becomes of it. */
  readonly merged?: (row: MergedRow<Row, Wanted>) => void
  /** Writes new and changed rows of a page; returns the ids here of the new ones. */
  readonly write: (
    trx: Transaction<Schema>,
    rows: readonly MergedRow<Row, Wanted>[],
  ) => Promise<ReadonlyMap<number, number>>
  /** Switches off what is gone from the source. */
  readonly gone: (trx: Transaction<Schema>, targets: readonly number[]) => Promise<void>
  /** Sees every row that is taken, in the order of the ids. */
  readonly seen?: (id: number, row: Row) => void
  /** Sees every row that cannot be taken. */
  readonly left?: (id: number) => void
}

/** Field of every table whose rows can be switched off, and its value when they are. */
export const STATUS = 'status'
export const SWITCHED_OFF = 2

/** The fields that are written of a row that is known here. */
export function onlyWritten<Wanted extends FieldValues>(wanted: Wanted, writes: ReadonlySet<string>): Partial<Wanted> {
  return Object.fromEntries(Object.entries(wanted).filter(([field]) => writes.has(field))) as Partial<Wanted>
}
