import { type FieldValues, PASSWORD } from '@sluice/store/queries/imports/field-digests'
import { findTargets } from '@sluice/store/queries/imports/imported'
import {
  endSignIns,
  freeIds,
  insertRows,
  releaseNames,
  setInviter,
  updateImportedUser,
} from '@sluice/store/queries/imports/imported-rows'
import { insertPasskeys, removePasskeys } from '@sluice/store/queries/imports/imported-sign-ins'
import type { Schema } from '@sluice/store/schema/schema'
import type { Transaction } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import type { SourceUser } from '../take/take-user.ts'
import { bindIdentities } from './identities.ts'
import type { MergedRow } from './table.ts'
import { passkeyField, type UserSurroundings, usersHere } from './user-values.ts'

export interface WriteSurroundings extends UserSurroundings {
  /** Whether nobody has set the password of the root here; then the imported one is used. */
  readonly takesPassword: boolean
}

export async function writeUsers(
  context: ImportContext,
  trx: Transaction<Schema>,
  rows: readonly MergedRow<SourceUser>[],
  around: WriteSurroundings,
): Promise<ReadonlyMap<number, number>> {
  const { database, name, now } = context
  const named = rows.filter(({ target, writes }) => writes.has('username') || target === undefined)
  await releaseNames(
    trx,
    name,
    new Map(named.flatMap((row) => (around.placeOf(row) === row.target ? [[row.row.username, row.target]] : []))),
  )
  const added = rows.filter((row) => around.placeOf(row) === undefined)
  const free = await freeIds(
    trx,
    database.engine,
    'user',
    added.map(({ id }) => id),
  )
  const seconds = Math.floor(now() / 1_000)
  const ids = await insertRows(
    trx,
    'user',
    added.map(({ id, row, wanted, writes }) => ({
      ...(free.has(id) ? { id } : {}),
      ...newColumns(context, wanted, writes),
      created_time: row.createdTime === 0 ? seconds : row.createdTime,
    })),
  )
  const made = new Map(added.map(({ id }, at) => [id, ids[at] ?? 0]))
  const placed = new Map(made)
  for (const row of rows) {
    const place = around.placeOf(row)
    if (place === undefined) continue
    placed.set(row.id, place)
    const writes = row.target === undefined ? await writesOfRoot(context, trx, row, around) : row.writes
    await updateUser(context, trx, place, { ...row, writes, isFirst: row.target === undefined })
    if (row.target === undefined) made.set(row.id, place)
  }
  await setInviters(trx, name, rows, placed)
  for (const { id, wanted, here, writes } of rows) {
    const user = placed.get(id) ?? 0
    await bindIdentities(trx, around.issuers, seconds, { user, wanted, here, writes })
    await changePasskeys(trx, seconds, { id, user, wanted, writes }, around.passkeys)
  }
  return made
}

/** Fields that somebody may have set on the root here before an imported root takes its place. */
const SET_BEFORE = ['totp_secret', 'email', 'access_token', 'aff_code']

/** The fields of an imported root that replace those of the root here, which nobody has used for a call. */
async function writesOfRoot(
  { vault, report, database }: ImportContext,
  trx: Transaction<Schema>,
  row: MergedRow<SourceUser>,
  { takesPassword, issuers, placeOf }: WriteSurroundings,
): Promise<ReadonlySet<string>> {
  const place = placeOf(row) ?? 0
  const here = (await usersHere(vault, issuers, trx, database.engine, [place])).get(place) ?? {}
  const set = SET_BEFORE.filter((field) => ![null, undefined, '', row.wanted[field]].includes(here[field]))
  const kept = takesPassword ? set : [...set, PASSWORD]
  for (const field of kept)
    report.kept('users', row.id, { field, problem: 'was set for root in this gateway: stays as it is' })
  return new Set([...row.writes].filter((field) => !kept.includes(field)))
}

const COLUMNS = {
  username: 'username',
  [PASSWORD]: 'password_hash',
  display_name: 'display_name',
  role: 'role',
  status: 'status',
  email: 'email',
  group: 'group_name',
  aff_code: 'aff_code',
  access_token: 'access_token_hash',
} as const

function columnsOf({ vault }: ImportContext, wanted: FieldValues, writes: ReadonlySet<string>) {
  const plain = Object.entries(COLUMNS).flatMap(([field, column]) =>
    writes.has(field) ? [[column, wanted[field] ?? null] as const] : [],
  )
  const secret = wanted['totp_secret'] ?? null
  return {
    ...Object.fromEntries(plain),
    ...(writes.has('totp_secret') && { totp_sealed: secret === null ? null : vault.seal('totp', String(secret)) }),
  }
}

type NewColumns = Record<(typeof COLUMNS)['username' | 'password' | 'display_name' | 'email' | 'group'], string> &
  Record<'role' | 'status', number>

function newColumns(context: ImportContext, wanted: FieldValues, writes: ReadonlySet<string>): NewColumns {
  return columnsOf(context, wanted, writes) as NewColumns
}

/**
 * Sessions end as after the same change here. Only the local root's continue when an imported root takes its place: the operator
 * who started the import is signed in there and reads its report.
 */
async function updateUser(
  context: ImportContext,
  trx: Transaction<Schema>,
  id: number,
  { wanted, writes, isFirst }: Pick<MergedRow<SourceUser>, 'wanted' | 'writes'> & { readonly isFirst: boolean },
): Promise<void> {
  const values = columnsOf(context, wanted, writes)
  if (Object.keys(values).length === 0) return
  const endsToken = writes.has(PASSWORD) && !writes.has('access_token')
  await updateImportedUser(trx, id, { ...values, ...(endsToken && { access_token_hash: null }) })
  await endSignIns(trx, id, {
    sessions: !isFirst && [PASSWORD, 'role', 'status', 'totp_secret'].some((field) => writes.has(field)),
    resets: writes.has('email') || writes.has(PASSWORD),
    recoveryCodes: writes.has('totp_secret'),
  })
}

/** Inviters are older than their invited users, so they are already imported. An inviter that is already set stays. */
async function setInviters(
  trx: Transaction<Schema>,
  name: string,
  rows: readonly MergedRow<SourceUser>[],
  placed: ReadonlyMap<number, number>,
): Promise<void> {
  const invited = rows.filter(({ row }) => row.inviter !== 0)
  const before = await findTargets(
    trx,
    name,
    'user',
    invited.map(({ row }) => row.inviter),
  )
  for (const { id, row } of invited) {
    const [user, inviter] = [placed.get(id), placed.get(row.inviter) ?? before.get(row.inviter)]
    if (user !== undefined && inviter !== undefined) await setInviter(trx, user, inviter)
  }
}

async function changePasskeys(
  trx: Transaction<Schema>,
  seconds: number,
  { id, user, wanted, writes }: Pick<MergedRow<SourceUser>, 'id' | 'wanted' | 'writes'> & { readonly user: number },
  passkeys: WriteSurroundings['passkeys'],
): Promise<void> {
  const fresh = (passkeys.get(id) ?? []).filter(({ credentialId }) => writes.has(passkeyField(credentialId)))
  await insertPasskeys(
    trx,
    fresh.map((passkey) => ({
      user_id: user,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: passkey.transports,
      created_time: seconds,
      used_time: 0,
    })),
  )
  const gone = [...writes].filter((field) => field.startsWith('passkey:') && (wanted[field] ?? null) === null)
  if (gone.length > 0) await removePasskeys(trx, user, (credentialId) => gone.includes(passkeyField(credentialId)))
}
