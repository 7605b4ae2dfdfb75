import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

/** What a field of a row holds, plain: text that is stored sealed is opened before it is compared. */
export type FieldValue = string | number | bigint | null
export type FieldValues = Readonly<Record<string, FieldValue>>

/**
 * What was noted of the fields of an imported row. `source`: digest of what the source had. `here`: digest of what stands for the
 * same here, where that is another text: a password that was hashed again at a sign-in. A field without a value is not noted.
 */
export type FieldDigests = ReadonlyMap<string, FieldDigest>
export interface FieldDigest {
  readonly source: string
  readonly here: string
}

/** Tells two values apart; 48 bits, and nothing of a secret can be found out from them. */
export function fieldDigest(value: FieldValue): string {
  // A text and a number of the same digits are the same value: one column holds them.
  return value === null ? '' : createHash('sha256').update(String(value)).digest('base64url').slice(0, 8)
}

/** Undefined for a row of a version that noted one digest of all fields. */
export function readFieldDigests(text: string): FieldDigests | undefined {
  if (text === '') return undefined
  return new Map(
    text.split('\n').map((line) => {
      const [field = '', source = '', here = source] = line.split('\t')
      return [field, { source, here }]
    }),
  )
}

/** A line for each field; a row of any table has some that always has a value. */
export function writeFieldDigests(digests: FieldDigests): string {
  const lines = [...digests].map(([field, { source, here }]) =>
    source === here ? `${field}\t${source}` : `${field}\t${source}\t${here}`,
  )
  return lines.toSorted().join('\n')
}

/** Notes that another hash stands for the same imported password: it is no change of the password. */
export async function noteRenewedPassword(
  trx: Kysely<Schema>,
  userId: number,
  from: string,
  to: string,
): Promise<void> {
  const rows = await trx
    .selectFrom('imported')
    .select(['source', 'source_id', 'fields'])
    .where('kind', '=', 'user')
    .where('target_id', '=', userId)
    .execute()
  for (const { source, source_id: sourceId, fields } of rows) {
    const digests = readFieldDigests(fields)
    const password = digests?.get(PASSWORD)
    if (digests === undefined || password?.here !== fieldDigest(from)) continue
    const renewed = new Map(digests).set(PASSWORD, { ...password, here: fieldDigest(to) })
    await trx
      .updateTable('imported')
      .set({ fields: writeFieldDigests(renewed) })
      .where('source', '=', source)
      .where('kind', '=', 'user')
      .where('source_id', '=', sourceId)
      .execute()
  }
}

/** The field of a user that holds the hash of the password. */
export const PASSWORD = 'password'
