import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

/** The plain value of a field: text that is stored sealed is opened before it is compared. */
export type FieldValue = string | number | bigint | null
export type FieldValues = Readonly<Record<string, FieldValue>>

/**
 * Digests recorded for the fields of an imported row. `source`: digest of the source's value. `here`: digest of the value that
 * stands for it here, if that is a different text, such as a password hash renewed at a sign-in. Fields without a value are not
 * recorded.
 */
export type FieldDigests = ReadonlyMap<string, FieldDigest>
export interface FieldDigest {
  readonly source: string
  readonly here: string
}

/** A 48-bit digest that distinguishes values and reveals nothing about a secret. */
export function fieldDigest(value: FieldValue): string {
  // A text and a number with the same digits count as the same value, because one column holds both.
  return value === null ? '' : createHash('sha256').update(String(value)).digest('base64url').slice(0, 8)
}

/** Undefined for a row from a version that recorded one digest of all fields. */
export function readFieldDigests(text: string): FieldDigests | undefined {
  if (text === '') return undefined
  return new Map(
    text.split('\n').map((line) => {
      const [field = '', source = '', here = source] = line.split('\t')
      return [field, { source, here }]
    }),
  )
}

/** One line per field; never empty, because every table has a field that always has a value. */
export function writeFieldDigests(digests: FieldDigests): string {
  const lines = [...digests].map(([field, { source, here }]) =>
    source === here ? `${field}\t${source}` : `${field}\t${source}\t${here}`,
  )
  return lines.toSorted().join('\n')
}

/** Records that another hash stands for the same imported password, so that it does not count as a password change. */
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

export const PASSWORD = 'password'
