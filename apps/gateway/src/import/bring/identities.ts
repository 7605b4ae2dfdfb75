import type { FieldValue, FieldValues } from '@sluice/store/queries/imports/field-digests'
import { insertIdentities, removeIdentity } from '@sluice/store/queries/imports/imported-sign-ins'
import type { Schema } from '@sluice/store/schema/schema'
import type { Transaction } from 'kysely'
import type { SourceUser } from '../take/take-user.ts'
import type { MergedRow } from './table.ts'

/** The issuers of the source's ids. Where an issuer is unknown, it is undefined and its bindings are not imported. */
export interface Issuers {
  readonly lark: string
  readonly oidc: string | undefined
}

const LABEL_MAX = 200
const SUBJECT = /^[\x21-\x7e]{1,255}$/

/**
 * Fields with the provider's own id of a person, which proves their identity. GitHub's are not among them: One API stores the login
 * name there, which its owner can give away (decision 14). Other providers do not exist here.
 */
const PROVIDERS = { lark_id: 'lark', wechat_id: 'wechat', oidc_id: 'oidc' } as const
type IdentityField = keyof typeof PROVIDERS
const FIELDS = Object.keys(PROVIDERS) as readonly IdentityField[]

function issuerOf(field: IdentityField, { lark, oidc }: Issuers): string | undefined {
  return { lark_id: lark, wechat_id: '', oidc_id: oidc }[field]
}

export function wantedIdentities(row: SourceUser, issuers: Issuers): FieldValues {
  return Object.fromEntries(
    FIELDS.map((field): [string, FieldValue] => {
      const subject = row.identities[field] ?? ''
      return [field, issuerOf(field, issuers) !== undefined && SUBJECT.test(subject) ? subject : null]
    }),
  )
}

/** The same subject at another issuer is another account. */
export function identitiesHere(
  rows: readonly { readonly provider: string; readonly issuer: string; readonly subject: string }[],
  issuers: Issuers,
): FieldValues {
  return Object.fromEntries(
    rows.flatMap(({ provider, issuer, subject }): [string, FieldValue][] => {
      const field = FIELDS.find((each) => PROVIDERS[each] === provider)
      if (field === undefined) return []
      return [[field, issuer === issuerOf(field, issuers) ? subject : `${issuer} ${subject}`]]
    }),
  )
}

/** Binds a user to the source's current identities, replacing earlier ones. */
export async function bindIdentities(
  trx: Transaction<Schema>,
  issuers: Issuers,
  seconds: number,
  { user, wanted, here, writes }: Pick<MergedRow<SourceUser>, 'wanted' | 'here' | 'writes'> & { readonly user: number },
): Promise<void> {
  for (const field of FIELDS) {
    if (!writes.has(field)) continue
    const provider = PROVIDERS[field]
    const [issuer, subject] = [issuerOf(field, issuers), wanted[field] ?? null]
    if (here !== undefined) await removeIdentity(trx, user, provider)
    if (issuer === undefined || typeof subject !== 'string') continue
    const label = subject.slice(0, LABEL_MAX)
    await insertIdentities(trx, [{ provider, issuer, subject, user_id: user, label, created_time: seconds }])
  }
}
