import { disableUsers } from '@sluice/store/queries/imports/gone-rows'
import { findTargets } from '@sluice/store/queries/imports/imported'
import {
  freeIds,
  findNames,
  findTaken,
  findOwn,
  insertRows,
  releaseNames,
  updateImportedUser,
} from '@sluice/store/queries/imports/imported-rows'
import { insertPasskeys } from '@sluice/store/queries/imports/imported-sign-ins'
import type { Schema } from '@sluice/store/schema/schema'
import { bumpVersion } from '@sluice/store/snapshots/versions'
import { ROLE, USER_STATUS } from '@sluice/store/statuses'
import type { Transaction } from 'kysely'
import type { ImportContext } from '../import-context.ts'
import type { SourcePasskey } from '../take/second-factors.ts'
import { markOfUser, type SourceUser, takeUser, USER_COLUMNS } from '../take/take-user.ts'
import { bindIdentities, type Issuers } from './identities.ts'
import type { RootHere } from './root.ts'
import type { Against, BroughtTable, TakenRow } from './walk.ts'

export interface UserSetting {
  /** Secrets of the second step and passkeys that the source keeps in tables of their own, by user. */
  readonly totpSecrets: ReadonlyMap<number, string>
  readonly passkeys: ReadonlyMap<number, readonly SourcePasskey[]>
  readonly issuers: Issuers
  /** The root of this gateway, while nobody has used it. */
  readonly root: RootHere
  readonly seen: (id: number, user: SourceUser) => void
  readonly left: (id: number) => void
}

const DISPLAY_NAME_MAX = 20

/** `users` of the family. */
export function usersTable(context: ImportContext, setting: UserSetting): BroughtTable<SourceUser> {
  const { database, choices } = context
  const quotaOf = ({ quota }: SourceUser): number => (choices.debts === 'forgive' ? Math.max(0, quota) : quota)
  return {
    kind: 'user',
    table: 'users',
    columns: USER_COLUMNS,
    take: (row, id) => {
      const taken = takeUser(row)
      const secret = setting.totpSecrets.get(id)
      if (taken.outcome !== 'taken' || secret === undefined) return taken
      return { ...taken, row: { ...taken.row, totpSecret: secret } }
    },
    mark: markOfUser,
    // Some get their code only when they look at it.
    isSame: (mark, { username }) => mark === markOfUser({ affCode: '', username }),
    replaces: false,
    distinct: ({ username, affCode, accessTokenHash }) =>
      (
        [
          ['username', username],
          ['aff_code', affCode],
          ['access_token', accessTokenHash],
        ] as const
      ).filter(([, value]) => value !== ''),
    isAnnounced: false,
    amounts: (user) => ({ quota: quotaOf(user), used: user.usedQuota, requests: user.requests }),
    profile: ({ quota: _quota, usedQuota: _used, requests: _requests, ...profile }) => profile,
    refer: async (rows) => await namesAgainst(context, setting.root, rows),
    write: async (trx, rows) => {
      const ids = await writeUsers(context, setting, trx, rows)
      await bumpVersion(trx, 'users')
      return ids
    },
    gone: disableUsers,
    seen: setting.seen,
    left: setting.left,
  }

  async function namesAgainst(
    { report }: ImportContext,
    root: RootHere,
    rows: readonly TakenRow<SourceUser>[],
  ): Promise<ReadonlyMap<number, Against>> {
    const names = await findNames(
      database.kysely,
      rows.map(({ row }) => row.username),
    )
    const own = await findOwn(
      database.kysely,
      context.name,
      [...names.values()].map(({ id }) => id),
    )
    const against = new Map<number, Against>()
    for (const { id, row, target } of rows) {
      const here = names.get(row.username)
      // At the source, no two have one name: whoever was brought from there under it has another one now.
      if (here === undefined || here.id === target || own.has(here.id)) continue
      if (target === undefined && row.role === ROLE.root && here.role === ROLE.root) {
        if (root.isFresh(here.id)) continue
        report.note(
          `"${row.username}" of the source is left out: the root of this gateway is in use, and keeps what it has.`,
        )
        against.set(id, 'skip')
      } else {
        against.set(id, { field: 'username', problem: `is the name of user ${here.id} here, who was not imported` })
      }
    }
    return against
  }
}

async function writeUsers(
  context: ImportContext,
  setting: UserSetting,
  trx: Transaction<Schema>,
  rows: readonly TakenRow<SourceUser>[],
): Promise<ReadonlyMap<number, number>> {
  const { database, name, now } = context
  const roots = await findNames(
    trx,
    rows.filter(({ row, target }) => target === undefined && row.role === ROLE.root).map(({ row }) => row.username),
  )
  const placeOf = ({ row, target }: TakenRow<SourceUser>): number | undefined => {
    if (target !== undefined || row.role !== ROLE.root) return target
    const here = roots.get(row.username)?.id
    return here !== undefined && setting.root.isFresh(here) ? here : undefined
  }
  const targets = new Map(
    rows.flatMap((row) => {
      const here = placeOf(row)
      return here === undefined ? [] : [[row.id, here] as const]
    }),
  )
  await releaseNames(
    trx,
    name,
    new Map(rows.flatMap(({ id, row, target }) => (targets.get(id) === target ? [[row.username, target]] : []))),
  )
  const added = rows.filter(({ id }) => !targets.has(id))
  const free = await freeIds(
    trx,
    database.engine,
    'user',
    added.map(({ id }) => id),
  )
  const columns = await columnsOf(context, trx, rows, targets)
  const seconds = Math.floor(now() / 1_000)
  const ids = await insertRows(
    trx,
    'user',
    added.map(({ id, row }) => ({
      ...(free.has(id) ? { id } : {}),
      ...columns(id, row),
      created_time: row.createdTime === 0 ? seconds : row.createdTime,
    })),
  )
  const made = new Map(added.map(({ id }, at) => [id, ids[at] ?? 0]))
  for (const { id, row, target: known } of rows) {
    const target = targets.get(id)
    if (target === undefined) continue
    const isRoot = known === undefined
    const { password_hash: hash, ...others } = columns(id, row)
    // The person who has the root of this gateway keeps it, however often the source is imported.
    const keepsPassword = isRoot ? !setting.root.takesPassword : row.role === ROLE.root
    const values = keepsPassword ? others : { ...others, password_hash: hash }
    await updateImportedUser(trx, target, values)
    if (isRoot) made.set(id, target)
  }
  await setInviters(trx, name, rows, new Map([...targets, ...made]))
  await bindIdentities(trx, setting.issuers, seconds, rows, new Map([...targets, ...made]))
  await addPasskeys(trx, setting.passkeys, seconds, rows, new Map([...targets, ...made]))
  return made
}

/** Columns of a user that can be written for new and for known ones; what another user here has is left empty. */
async function columnsOf(
  { vault, report }: ImportContext,
  trx: Transaction<Schema>,
  rows: readonly TakenRow<SourceUser>[],
  targets: ReadonlyMap<number, number>,
) {
  const codes = rows.map(({ row }) => row.affCode).filter((code) => code !== '')
  const tokens = rows.map(({ row }) => row.accessTokenHash).filter((hash) => hash !== '')
  const [takenCodes, takenTokens] = [
    await findTaken(trx, 'aff_code', codes),
    await findTaken(trx, 'access_token', tokens),
  ]
  const unlessTaken = (taken: ReadonlyMap<string, number>, id: number, field: string, value: string): string | null => {
    if (value === '') return null
    const owner = taken.get(value)
    if (owner === undefined || owner === targets.get(id)) return value
    report.problem('users', id, { field, problem: `is that of user ${owner} here: left empty` }, 'adapted')
    return null
  }
  return (id: number, row: SourceUser) => ({
    username: row.username,
    password_hash: row.passwordHash,
    display_name: row.displayName || row.username.slice(0, DISPLAY_NAME_MAX),
    role: row.role,
    status: row.isEnabled ? USER_STATUS.enabled : USER_STATUS.disabled,
    email: row.email,
    group_name: row.group,
    aff_code: unlessTaken(takenCodes, id, 'aff_code', row.affCode),
    access_token_hash: unlessTaken(takenTokens, id, 'access_token', row.accessTokenHash),
    totp_sealed: row.totpSecret === '' ? null : vault.seal('totp', row.totpSecret),
  })
}

/** Inviters are older than those whom they invited, so they have been brought before. */
async function setInviters(
  trx: Transaction<Schema>,
  name: string,
  rows: readonly TakenRow<SourceUser>[],
  targets: ReadonlyMap<number, number>,
): Promise<void> {
  const invited = rows.filter(({ row }) => row.inviter !== 0)
  const before = await findTargets(
    trx,
    name,
    'user',
    invited.map(({ row }) => row.inviter),
  )
  for (const { id, row } of invited) {
    const [user, inviter] = [targets.get(id), targets.get(row.inviter) ?? before.get(row.inviter)]
    if (user !== undefined && inviter !== undefined) await updateImportedUser(trx, user, { inviter_id: inviter })
  }
}

async function addPasskeys(
  trx: Transaction<Schema>,
  passkeys: ReadonlyMap<number, readonly SourcePasskey[]>,
  seconds: number,
  rows: readonly TakenRow<SourceUser>[],
  targets: ReadonlyMap<number, number>,
): Promise<void> {
  const values = rows.flatMap(({ id }) =>
    (passkeys.get(id) ?? []).map((passkey) => ({
      user_id: targets.get(id) ?? 0,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: passkey.transports,
      created_time: seconds,
      used_time: 0,
    })),
  )
  await insertPasskeys(trx, values)
}
