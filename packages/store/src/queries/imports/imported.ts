import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { lookUp, lookUpParts, partsOf } from '../../statement-sizes.ts'

export type ImportedKind = 'user' | 'token' | 'channel' | 'redemption'

/** A row that was imported from another gateway, see `ImportedTable`. */
export interface ImportedRow {
  readonly sourceId: number
  readonly targetId: number
  readonly mark: string
  readonly digest: string
  /** See `field-digests.ts`. */
  readonly fields: string
  readonly brought: bigint
  readonly step: number
  readonly pending: bigint | null
  readonly used: bigint
  readonly requests: number
}

const COLUMNS = [
  'source_id as sourceId',
  'target_id as targetId',
  'mark',
  'digest',
  'fields',
  'brought',
  'step',
  'pending',
  'used',
  'requests',
] as const

/** Rows with `after < source_id <= until`, in the order of their ids. */
export async function listImported(
  db: Kysely<Schema>,
  source: string,
  kind: ImportedKind,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<readonly ImportedRow[]> {
  return await db
    .selectFrom('imported')
    .select(COLUMNS)
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('source_id', '>', after)
    .where('source_id', '<=', until)
    .orderBy('source_id')
    .execute()
}

/** At most `limit` rows whose transfer has been begun, ordered by id. */
export async function listPending(
  db: Kysely<Schema>,
  source: string,
  kind: ImportedKind,
  limit: number,
): Promise<readonly ImportedRow[]> {
  return await db
    .selectFrom('imported')
    .select(COLUMNS)
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('pending', 'is not', null)
    .orderBy('source_id')
    .limit(limit)
    .execute()
}

/** The local ids of the source's rows, by their ids there. */
export async function findTargets(
  db: Kysely<Schema>,
  source: string,
  kind: ImportedKind,
  sourceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await lookUp(sourceIds, (part) =>
    db
      .selectFrom('imported')
      .select(['source_id', 'target_id'])
      .where('source', '=', source)
      .where('kind', '=', kind)
      .where('source_id', 'in', part)
      .execute(),
  )
  return new Map(rows.map((row) => [row.source_id, row.target_id]))
}

/** Whether a local row was imported from some source. */
export async function isImported(db: Kysely<Schema>, kind: ImportedKind, targetId: number): Promise<boolean> {
  const row = await db
    .selectFrom('imported')
    .select('source_id')
    .where('kind', '=', kind)
    .where('target_id', '=', targetId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The record of an imported row; `pending` is the amount of its next transfer, number `step`. */
export interface ImportedNote {
  readonly sourceId: number
  readonly targetId: number
  readonly mark: string
  readonly digest: string
  readonly fields: string
  readonly step: number
  readonly pending: bigint | null
  readonly used: bigint
  readonly requests: number
}

/** Records rows in the transaction that writes them. Amounts that were transferred before stay recorded. */
export async function noteImported(
  trx: Transaction<Schema>,
  source: string,
  kind: ImportedKind,
  notes: readonly ImportedNote[],
): Promise<void> {
  const rows = notes.map((note) => ({
    source,
    kind,
    source_id: note.sourceId,
    target_id: note.targetId,
    mark: note.mark,
    digest: note.digest,
    fields: note.fields,
    step: note.step,
    pending: note.pending,
    used: note.used,
    requests: note.requests,
  }))
  for (const part of partsOf(rows)) {
    await trx
      .insertInto('imported')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['source', 'kind', 'source_id']).doUpdateSet((eb) => ({
          mark: eb.ref('excluded.mark'),
          digest: eb.ref('excluded.digest'),
          fields: eb.ref('excluded.fields'),
          step: eb.ref('excluded.step'),
          pending: eb.ref('excluded.pending'),
          used: eb.ref('excluded.used'),
          requests: eb.ref('excluded.requests'),
        })),
      )
      .execute()
  }
}

/** Forgets a transfer that the ledger refused, so that a later run tries it under another id. */
export async function forgetPending(
  db: Kysely<Schema>,
  source: string,
  kind: ImportedKind,
  sourceId: number,
): Promise<void> {
  await db
    .updateTable('imported')
    .set({ pending: null })
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('source_id', '=', sourceId)
    .execute()
}

/** Records that the pending transfers of these rows have been made. */
export async function noteBrought(
  db: Kysely<Schema>,
  source: string,
  kind: ImportedKind,
  sourceIds: readonly number[],
): Promise<void> {
  for (const part of lookUpParts(sourceIds)) {
    await db
      .updateTable('imported')
      .set({ brought: sql<bigint>`brought + pending`, pending: null })
      .where('source', '=', source)
      .where('kind', '=', kind)
      .where('source_id', 'in', part)
      .where('pending', 'is not', null)
      .execute()
  }
}

/** Marks rows that were imported before as `GONE` or `LEFT_OUT`. If they are imported again, they count as changed. */
export async function markImported(
  trx: Transaction<Schema>,
  { source, kind }: { readonly source: string; readonly kind: ImportedKind },
  sourceIds: readonly number[],
  state: typeof GONE | typeof LEFT_OUT,
): Promise<void> {
  for (const part of lookUpParts(sourceIds)) {
    await trx
      .updateTable('imported')
      .set({ digest: state })
      .where('source', '=', source)
      .where('kind', '=', kind)
      .where('source_id', 'in', part)
      .execute()
  }
}

/** Records those local values of a row that differ from the source's. */
export async function noteFields(
  trx: Transaction<Schema>,
  { source, kind, sourceId }: { readonly source: string; readonly kind: ImportedKind; readonly sourceId: number },
  fields: string,
): Promise<void> {
  await trx
    .updateTable('imported')
    .set({ fields })
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('source_id', '=', sourceId)
    .execute()
}

/** Forgets imported rows whose ids belong to other rows now. */
export async function forgetImported(
  trx: Transaction<Schema>,
  { source, kind }: { readonly source: string; readonly kind: ImportedKind },
  sourceIds: readonly number[],
): Promise<void> {
  for (const part of lookUpParts(sourceIds)) {
    await trx
      .deleteFrom('imported')
      .where('source', '=', source)
      .where('kind', '=', kind)
      .where('source_id', 'in', part)
      .execute()
  }
}

/** Value of `digest` for a row that is gone from the source and has been switched off here. */
export const GONE = 'gone'
/** Value of `digest` for a row that can no longer be imported: it stays unchanged here, and no sum includes it. */
export const LEFT_OUT = 'left out'
