import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { disableUsers } from '@sluice/store/queries/imports/gone-rows'
import { findNames, findOwn } from '@sluice/store/queries/imports/imported-rows'
import { bumpVersion } from '@sluice/store/snapshots/versions'
import { ROLE } from '@sluice/store/statuses'
import type { ImportContext } from '../import-context.ts'
import type { FieldProblem } from '../take/fields.ts'
import type { SourcePasskey } from '../take/second-factors.ts'
import { markOfUser, type SourceUser, takeUser, USER_COLUMNS } from '../take/take-user.ts'
import type { Taken } from '../take/taken.ts'
import type { Issuers } from './identities.ts'
import type { RootHere } from './root.ts'
import type { Against, BroughtTable, MergedRow, TakenRow } from './table.ts'
import { USER_RULES, usersHere, wantedUsers } from './user-values.ts'
import { writeUsers } from './write-users.ts'

export interface UserSetting {
  /** TOTP secrets by user, from a separate table of the source; passkeys likewise. */
  readonly totpSecrets: ReadonlyMap<number, string>
  readonly totpFaults: ReadonlyMap<number, FieldProblem>
  readonly passkeys: ReadonlyMap<number, readonly SourcePasskey[]>
  readonly issuers: Issuers
  /** The root of this gateway, as long as nobody has used it. */
  readonly root: RootHere
  readonly seen: (id: number, user: SourceUser) => void
  readonly left: (id: number) => void
  /** Called with every user who becomes an administrator or root. */
  readonly raised: (id: number, username: string, role: number) => void
}

export function usersTable(context: ImportContext, setting: UserSetting): BroughtTable<SourceUser> {
  const { choices } = context
  const { placeOf, roleOf } = rootChoice(context, setting.root)
  const around = { issuers: setting.issuers, passkeys: setting.passkeys, placeOf, roleOf }
  const quotaOf = ({ quota }: SourceUser): number => (choices.debts === 'forgive' ? Math.max(0, quota) : quota)
  return {
    kind: 'user',
    table: 'users',
    columns: USER_COLUMNS,
    take: (row, id) => takeWithFactors(setting, row, id),
    mark: markOfUser,
    // Some users get their code only when they look at it.
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
    isAlwaysCompared: ({ role }) => role === ROLE.root,
    refer: async (rows) => await findTakenNames(context, setting.root, rows),
    wanted: async (db, rows) => await wantedUsers(context, db, rows, around),
    here: async (db, engine, ids) => await usersHere(context.vault, setting.issuers, db, engine, ids),
    rules: USER_RULES,
    merged: (row) => reportRole(context, setting, row),
    write: async (trx, rows) => {
      const ids = await writeUsers(context, trx, rows, { ...around, takesPassword: setting.root.takesPassword })
      await bumpVersion(trx, 'users')
      return ids
    },
    gone: async (trx, targets) => {
      await disableUsers(trx, targets)
      await bumpVersion(trx, 'users')
    },
    seen: setting.seen,
    left: setting.left,
  }
}

function rootChoice(
  { choices }: ImportContext,
  root: RootHere,
): {
  /** The local user whose place an imported user takes; undefined for a new one. */
  readonly placeOf: (taken: TakenRow<SourceUser>) => number | undefined
  readonly roleOf: (taken: TakenRow<SourceUser>) => number
} {
  /** The source's first root, if this gateway has none. */
  let firstRoot: number | undefined
  const placeOf = ({ row, target }: TakenRow<SourceUser>): number | undefined => {
    if (target !== undefined || row.role !== ROLE.root) return target
    return root.name === row.username && root.isFresh(root.id) ? root.id : undefined
  }
  return {
    placeOf,
    roleOf: (taken) => {
      const { role } = taken.row
      if (role !== ROLE.root || choices.roots === 'all') return role
      if (root.id === 0) firstRoot ??= taken.id
      const isRoot = root.id === 0 ? firstRoot === taken.id : placeOf(taken) === root.id
      return isRoot ? ROLE.root : ROLE.admin
    },
  }
}

/** Reads a user with the second factors from the source's separate tables. */
function takeWithFactors(
  { totpSecrets, totpFaults, passkeys }: UserSetting,
  row: ForeignRow,
  id: number,
): Taken<SourceUser> {
  const taken = takeUser(row)
  const secret = totpSecrets.get(id)
  const fault = totpFaults.get(id)
  if (taken.outcome === 'taken' && fault !== undefined) return { outcome: 'left_out', fault }
  if (taken.outcome !== 'taken') return taken
  const ids = (passkeys.get(id) ?? []).map(({ credentialId }) => credentialId).toSorted()
  const user = { ...taken.row, ...(ids.length > 0 && { passkeys: ids }) }
  return { ...taken, row: secret === undefined ? user : { ...user, totpSecret: secret } }
}

async function findTakenNames(
  { report, database, name }: ImportContext,
  root: RootHere,
  rows: readonly TakenRow<SourceUser>[],
): Promise<ReadonlyMap<number, Against>> {
  const names = await findNames(
    database.kysely,
    rows.map(({ row }) => row.username),
  )
  const own = await findOwn(database.kysely, name, names)
  const against = new Map<number, Against>()
  for (const { id, row, target } of rows) {
    const here = names.get(row.username)
    // Names are unique at the source, so a user who was imported from there under this name has another name now.
    if (here === undefined || here.id === target || own.has(here.id)) continue
    if (target === undefined && row.role === ROLE.root && here.role === ROLE.root) {
      if (root.isFresh(here.id)) continue
      report.note(
        `"${row.username}" of the source is skipped: the root account of this gateway is in use and stays unchanged.`,
      )
      against.set(id, 'skip')
    } else {
      against.set(id, { field: 'username', problem: `is the name of user ${here.id} here, who was not imported` })
    }
  }
  return against
}

/** The report names everyone who is given power over this gateway. */
function reportRole({ report }: ImportContext, { raised }: UserSetting, merged: MergedRow<SourceUser>): void {
  const { id, row, wanted, here, writes } = merged
  const role = Number(wanted['role'])
  if (!writes.has('role') || role < ROLE.admin || Number(here?.['role'] ?? 0) >= role) return
  raised(id, row.username, role)
  if (row.role === role) return
  const problem = 'is a root user in the source and becomes an administrator here, because a gateway has one root user'
  report.problem('users', id, { field: 'role', problem }, 'adapted')
}
