import type { Engine } from '@sluice/store/column-types'
import { fieldDigest, type FieldValue, type FieldValues, PASSWORD } from '@sluice/store/queries/imports/field-digests'
import { findTaken } from '@sluice/store/queries/imports/imported-rows'
import { readIdentitiesHere, readPasskeysHere, readUsersHere } from '@sluice/store/queries/imports/rows-here'
import type { Schema } from '@sluice/store/schema/schema'
import { ROLE, USER_STATUS } from '@sluice/store/statuses'
import type { Vault } from '@sluice/store/vault'
import type { Kysely } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import type { SourcePasskey } from '../take/second-factors.ts'
import type { SourceUser } from '../take/take-user.ts'
import { identitiesHere, type Issuers, wantedIdentities } from './identities.ts'
import type { MergeRules } from './merge.ts'
import { STATUS, SWITCHED_OFF, type TakenRow } from './table.ts'

const DISPLAY_NAME_MAX = 20

export interface UserSurroundings {
  readonly issuers: Issuers
  readonly passkeys: ReadonlyMap<number, readonly SourcePasskey[]>
  /** The local user whose place an imported user takes, including a new root. */
  readonly placeOf: (row: TakenRow<SourceUser>) => number | undefined
  readonly roleOf: (row: TakenRow<SourceUser>) => number
}

export function passkeyField(credentialId: string): string {
  return `passkey:${fieldDigest(credentialId)}`
}

/** The values that users would have here; a value that another user here already has is left empty. */
export async function wantedUsers(
  { report }: ImportContext,
  db: Kysely<Schema>,
  rows: readonly TakenRow<SourceUser>[],
  { issuers, passkeys, placeOf, roleOf }: UserSurroundings,
): Promise<ReadonlyMap<number, FieldValues>> {
  const valuesOf = (of: (row: SourceUser) => string): readonly string[] =>
    rows.map(({ row }) => of(row)).filter((value) => value !== '')
  const takenCodes = await findTaken(
    db,
    'aff_code',
    valuesOf(({ affCode }) => affCode),
  )
  const takenTokens = await findTaken(
    db,
    'access_token',
    valuesOf(({ accessTokenHash }) => accessTokenHash),
  )
  const unlessTaken = (
    taken: ReadonlyMap<string, number>,
    row: TakenRow<SourceUser>,
    [field, value]: readonly [string, string],
  ): FieldValue => {
    if (value === '') return null
    const owner = taken.get(value)
    if (owner === undefined || owner === placeOf(row)) return value
    report.problem('users', row.id, { field, problem: `belongs to user ${owner} here: left empty` }, 'adapted')
    return null
  }
  return new Map(
    rows.map((taken) => {
      const { id, row } = taken
      const keys = (passkeys.get(id) ?? []).map(({ credentialId }) => [passkeyField(credentialId), 1] as const)
      const values: FieldValues = {
        username: row.username,
        [PASSWORD]: row.passwordHash,
        display_name: row.displayName || row.username.slice(0, DISPLAY_NAME_MAX),
        role: roleOf(taken),
        [STATUS]: row.isEnabled ? USER_STATUS.enabled : USER_STATUS.disabled,
        email: row.email,
        group: row.group,
        aff_code: unlessTaken(takenCodes, taken, ['aff_code', row.affCode]),
        access_token: unlessTaken(takenTokens, taken, ['access_token', row.accessTokenHash]),
        totp_secret: row.totpSecret === '' ? null : row.totpSecret,
        ...wantedIdentities(row, issuers),
        ...Object.fromEntries(keys),
      }
      return [id, values]
    }),
  )
}

export async function usersHere(
  vault: Vault,
  issuers: Issuers,
  db: Kysely<Schema>,
  engine: Engine,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FieldValues>> {
  const users = await readUsersHere(db, engine, ids)
  const identities = Map.groupBy(await readIdentitiesHere(db, ids), (row) => row.user_id)
  const passkeys = Map.groupBy(await readPasskeysHere(db, ids), (row) => row.user_id)
  return new Map(
    users.map((user) => {
      const keys = (passkeys.get(user.id) ?? []).map((row) => [passkeyField(row.credential_id), 1] as const)
      const values: FieldValues = {
        username: user.username,
        [PASSWORD]: user.password_hash,
        display_name: user.display_name,
        role: user.role,
        [STATUS]: user.status,
        email: user.email,
        group: user.group_name,
        aff_code: user.aff_code,
        access_token: user.access_token_hash,
        totp_secret: opened(vault, user.totp_sealed),
        ...identitiesHere(identities.get(user.id) ?? [], issuers),
        ...Object.fromEntries(keys),
      }
      return [user.id, values]
    }),
  )
}

/** A secret sealed under a lost master key counts as different from the source's. */
function opened(vault: Vault, sealed: string | null): string | null {
  if (sealed === null) return null
  const secret = vault.open('totp', sealed)
  return secret.ok ? secret.text : sealed
}

/** Fields that the person who is root here keeps in every import. */
const OF_ROOT: ReadonlySet<string> = new Set(['role', STATUS, PASSWORD, 'email', 'access_token'])

export const USER_RULES: MergeRules = {
  staysBecause: ({ field, wanted, here }) => {
    if (here['role'] === ROLE.root && OF_ROOT.has(field)) return 'belongs to a root user here: stays as it is'
    if (field === 'totp_secret' && wanted === null) return 'was disabled in the source: stays enabled here'
    return undefined
  },
  // A temporary name: another user of the source has taken over the old one, and the new name is not written yet.
  isNobodys: ({ field, found }) => field === 'username' && /^deleted_\d+$/.test(String(found)),
  isSafer: ({ field, wanted }) => field === STATUS && wanted === SWITCHED_OFF,
}
