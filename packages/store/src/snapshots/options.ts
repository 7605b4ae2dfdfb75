import type { Kysely } from 'kysely'
import type { Schema } from '../schema/schema.ts'

/** The stored options: only those that were set. Values of secret keys are sealed for the purpose `option`. */
export async function loadOptions(db: Kysely<Schema>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('option').selectAll().execute()
  return new Map(rows.map((row) => [row.key, row.value]))
}
