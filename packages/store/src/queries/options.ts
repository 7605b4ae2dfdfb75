import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { OptionKey } from '../options/option-definitions.ts'
import type { Schema } from '../schema/schema.ts'
import { bumpVersion } from '../snapshots/versions.ts'

/** Stores one option. `value` must have been checked, and sealed for the purpose `option` if the option is secret. */
export async function setOption(db: Kysely<Schema>, key: OptionKey, value: string): Promise<void> {
  await setOptions(db, [{ key, value }])
}

export async function setOptions(
  db: Kysely<Schema>,
  options: readonly { readonly key: OptionKey; readonly value: string }[],
): Promise<void> {
  if (options.length === 0) return
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('option')
      .values([...options])
      .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
      .execute()
    await bumpVersion(trx, 'options')
  })
}

export async function unsetOptions(db: Kysely<Schema>, keys: readonly OptionKey[]): Promise<void> {
  if (keys.length === 0) return
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('option').where('key', 'in', keys).execute()
    await bumpVersion(trx, 'options')
  })
}

/** Stores an integer unless a higher one is already stored, even with concurrent callers. */
export async function raiseOption(db: Kysely<Schema>, key: OptionKey, value: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('option')
      .values({ key, value: String(value) })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))
          .where(sql<boolean>`cast(option.value as bigint) < ${value}`),
      )
      .execute()
    await bumpVersion(trx, 'options')
  })
}
