import type { Kysely } from 'kysely'
import type { OptionKey } from '../option-definitions.ts'
import type { Schema } from '../schema.ts'
import { bumpVersion } from '../snapshots/versions.ts'

/** Stores one option. `value` is checked, and sealed for the purpose `option` when the option is secret. */
export async function setOption(db: Kysely<Schema>, key: OptionKey, value: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('option')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    await bumpVersion(trx, 'options')
  })
}
