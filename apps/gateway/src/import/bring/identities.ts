import { insertIdentities } from '@sluice/store/queries/imports/imported-sign-ins'
import type { Schema } from '@sluice/store/schema/schema'
import type { Transaction } from 'kysely'
import type { SourceUser } from '../take/take-user.ts'
import type { TakenRow } from './walk.ts'

/** Whose ids the source keeps; undefined where it cannot be told, and then the bindings are not brought. */
export interface Issuers {
  readonly lark: string
  readonly oidc: string | undefined
}

const LABEL_MAX = 200
/** What a provider's id may look like. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/

/**
 * Bindings that a provider's own id proves. GitHub's are not among them: One API stores the login name there, which its owner can
 * give away (decision 14), and other providers do not exist here.
 */
export async function bindIdentities(
  trx: Transaction<Schema>,
  { lark, oidc }: Issuers,
  seconds: number,
  rows: readonly TakenRow<SourceUser>[],
  targets: ReadonlyMap<number, number>,
): Promise<void> {
  const values = rows.flatMap(({ id, row }) => {
    const user = targets.get(id)
    if (user === undefined) return []
    const known: readonly (readonly [provider: string, issuer: string | undefined, subject: string | undefined])[] = [
      ['lark', lark, row.identities['lark_id']],
      ['wechat', '', row.identities['wechat_id']],
      ['oidc', oidc, row.identities['oidc_id']],
    ]
    return known.flatMap(([provider, issuer, subject]) =>
      issuer === undefined || subject === undefined || !SUBJECT.test(subject)
        ? []
        : [{ provider, issuer, subject, user_id: user, label: subject.slice(0, LABEL_MAX), created_time: seconds }],
    )
  })
  await insertIdentities(trx, values)
}
