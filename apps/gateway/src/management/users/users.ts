import { ROLE } from '@sluice/contract/capability'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { LOG_TYPE } from '@sluice/contract/log'
import type { BodyOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/users'
import { type ManageAction, USER_STATUS } from '@sluice/contract/user'
import { mq, wholeQuota } from '@sluice/ledger/units'
import { pageOf, sortingOf } from '@sluice/store/paging'
import { isEmailTaken } from '@sluice/store/queries/accounts/email-codes'
import * as users from '@sluice/store/queries/accounts/users'
import { insertLog } from '@sluice/store/queries/logs/logs'
import { type Binding, bind, bindUpdate, type Call } from '../bind.ts'
import { setBudgets } from '../budgets.ts'
import { invalidField } from '../issue-text.ts'
import type { ListQuery } from '../list-query.ts'
import { quotaChange } from '../quota-change.ts'
import { moveAmount, moveQuota } from '../quota-move.ts'
import type { Caller } from '../sessions/caller.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { busy } from '../sessions/sign-in.ts'
import { createUser, type UserDeps } from './create-user.ts'
import { newNameProblem } from './new-name.ts'
import { changeProblem, outranks, RANK_REFUSAL, rankBound } from './rank.ts'
import { userOnWire } from './user-wire.ts'

const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'User' } }
const LAST_ROOT: Refusal = { code: 'refused', params: { reason: 'This is the last root user.' } }
/** The field that each action changes; deletion changes no field. */
const MANAGED: Readonly<Record<Exclude<ManageAction, 'delete'>, users.UserPatch>> = {
  enable: { status: USER_STATUS.enabled },
  disable: { status: USER_STATUS.disabled },
  promote: { role: ROLE.admin },
  demote: { role: ROLE.user },
}
const NEWEST = { column: 'user.id', direction: 'desc' } as const

/** Users, as administrators see and change them. Only root reaches users of the same or a higher rank. */
export function userRoutes(deps: UserDeps, sessions: Sessions, passwords: Passwords): readonly Binding[] {
  return [
    bind(routes.listUsers, ({ query }) => list(deps, '', query)),
    bind(routes.searchUsers, ({ query }) => list(deps, query.keyword, query)),

    bind(routes.getUser, async ({ caller, id }) => {
      const user = id === caller.id ? await users.findUser(deps.database.kysely, id) : await within(deps, caller, id)
      if (user === undefined || isRefusal(user)) return user ?? NOT_FOUND
      return { data: userOnWire(user, deps.now()) }
    }),

    bind(routes.createUser, async ({ caller, body }) => (await createUser(deps, passwords, caller, body)) ?? {}),

    bindUpdate(routes.updateUser, {
      full: (call) => update(deps, sessions, passwords, call),
      statusOnly: async ({ caller, body }) => {
        const changed = await change(deps, caller, body.id, { status: body.status })
        return isRefusal(changed) ? changed : {}
      },
    }),

    bind(routes.deleteUser, async ({ caller, id }) => {
      const gone = await remove(deps, caller, id)
      return isRefusal(gone) ? gone : {}
    }),

    bind(routes.manageUser, ({ caller, body }) => manage(deps, caller, body.username, body.action)),
    bind(routes.topUpUser, ({ caller, body }) => topUp(deps, caller, body)),
    bind(routes.listGroups, async () => ({ data: [...deps.options().GroupRatio.keys()].sort() })),
  ]
}

async function list(deps: UserDeps, keyword: string, query: ListQuery) {
  const sorting = sortingOf(users.USER_SORT_COLUMNS, query, NEWEST)
  const { rows, total } = await users.listUsers(deps.database.kysely, keyword, sorting, pageOf(query))
  return { data: rows.map((row) => userOnWire(row, deps.now())), total }
}

async function within({ database }: UserDeps, caller: Caller, id: number): Promise<users.UserRow | Refusal> {
  const user = await users.findUser(database.kysely, id)
  if (user === undefined) return NOT_FOUND
  return outranks(caller, user.role) ? user : RANK_REFUSAL
}

async function update(
  deps: UserDeps,
  sessions: Sessions,
  passwords: Passwords,
  { caller, body, context }: Call<typeof routes.updateUser>,
): Promise<object | Refusal> {
  if (body.group !== undefined && !deps.options().GroupRatio.has(body.group)) {
    return invalidField('group', `there is no group "${body.group}"`)
  }
  if (body.email && (await isEmailTaken(deps.database.kysely, body.email, body.id))) {
    return { code: 'email_taken', field: 'email' }
  }
  const hashed = body.password ? await passwords.hash(body.password) : undefined
  if (hashed === 'busy') return busy()
  const user = await change(deps, caller, body.id, {
    username: body.username,
    passwordHash: hashed?.hash,
    displayName: body.display_name,
    email: body.email,
    group: body.group,
    role: body.role,
    status: body.status,
  })
  if (isRefusal(user)) return user
  if (hashed !== undefined && user.id === caller.id) await sessions.renew(context, caller)
  const account = { kind: 'user', id: user.id, userId: user.id, unlimited: false } as const
  const refusal = await setBudgets(deps, account, user.budgets, body.budgets)
  return refusal ?? (await setQuota(deps, caller, user, body)) ?? {}
}

async function change(
  deps: UserDeps,
  caller: Caller,
  id: number,
  patch: users.UserPatch,
): Promise<users.UserRow | Refusal> {
  const problem = changeProblem(caller, id, patch)
  if (problem !== undefined) return problem
  const user = await within(deps, caller, id)
  if (isRefusal(user)) return user
  const unnamed = newNameProblem(patch.username, user.username)
  if (unnamed !== undefined) return unnamed
  // Forms send back what they were given; an unchanged role or status must not end a user's sessions.
  const outcome = await users.updateUser(
    deps.database.kysely,
    id,
    {
      ...patch,
      role: patch.role === user.role ? undefined : patch.role,
      status: patch.status === user.status ? undefined : patch.status,
    },
    rankBound(caller),
  )
  if (outcome === 'name_taken') return { code: 'name_taken', field: 'username' }
  if (outcome === 'last_root') return LAST_ROOT
  // The user was deleted or promoted between the look-up and the change.
  if (outcome === 'not_found') return RANK_REFUSAL
  for (const text of changes(user, patch)) await note(deps, caller, user, text)
  return user
}

/** The changes by an administrator that get a log row. */
function changes(user: users.UserRow, patch: users.UserPatch): readonly string[] {
  return [
    patch.role === undefined || patch.role === user.role ? '' : `Role changed from ${user.role} to ${patch.role}`,
    patch.status === undefined || patch.status === user.status
      ? ''
      : `User ${patch.status === USER_STATUS.enabled ? 'enabled' : 'disabled'}`,
    patch.passwordHash === undefined ? '' : 'Password changed',
  ].filter((text) => text !== '')
}

async function setQuota(
  deps: UserDeps,
  caller: Caller,
  user: users.UserRow,
  { quota, quota_seen: seen, quota_exact: exact, used_quota: used }: BodyOutput<typeof routes.updateUser>,
): Promise<Refusal | undefined> {
  const change = quotaChange({ quota, seen, exact, used }, { left: user.posted, used: user.spent })
  if (change === undefined) return undefined
  const { mode, amount } = change
  const [before, after] = [user.posted, mode === 'set' ? amount : user.posted + amount].map((left) =>
    wholeQuota(mq(left)),
  )
  const content = `Quota changed from ${before} to ${after}, by ${caller.username} (id ${caller.id})`
  return await moveAmount(
    deps.ledger,
    { kind: 'user', id: user.id, unlimited: false },
    {
      requestId: deps.newId(),
      kind: 'admin-adjust',
      mode,
      amount,
      actor: caller.id,
      reason: 'set by an administrator',
      log: logRow(deps, LOG_TYPE.management, user, content),
    },
  )
}

/** Manages a user by name, for the family's scripts. Returns the resulting role and status. */
async function manage(deps: UserDeps, caller: Caller, username: string, action: ManageAction) {
  const id = await users.findUserId(deps.database.kysely, username)
  if (id === undefined) return NOT_FOUND
  if (action === 'delete') {
    const gone = await remove(deps, caller, id)
    return isRefusal(gone) ? gone : { data: { role: gone.role, status: USER_STATUS.deleted } }
  }
  const patch = MANAGED[action]
  const user = await change(deps, caller, id, patch)
  return isRefusal(user) ? user : { data: { role: patch.role ?? user.role, status: patch.status ?? user.status } }
}

async function remove(deps: UserDeps, caller: Caller, id: number): Promise<users.UserRow | Refusal> {
  const user = await within(deps, caller, id)
  if (isRefusal(user)) return user
  if (!(await users.deleteUser(deps.database.kysely, id, caller.role))) return RANK_REFUSAL
  await note(deps, caller, user, `User ${user.username} deleted`)
  return user
}

async function topUp(deps: UserDeps, caller: Caller, body: BodyOutput<typeof routes.topUpUser>) {
  const user = await within(deps, caller, body.user_id)
  if (isRefusal(user)) return user
  const content = body.remark === '' ? `Topped up with ${body.quota} quota by an administrator` : body.remark
  const refusal = await moveQuota(
    deps.ledger,
    { kind: 'user', id: user.id, unlimited: false },
    {
      requestId: deps.newId(),
      kind: 'fund',
      mode: 'add',
      quota: body.quota,
      actor: caller.id,
      reason: content,
      log: logRow(deps, LOG_TYPE.topup, user, content),
    },
  )
  return refusal ?? {}
}

function note(deps: UserDeps, caller: Caller, user: users.UserRow, content: string): Promise<void> {
  const said = `${content}, by ${caller.username} (id ${caller.id})`
  return insertLog(deps.database.kysely, logRow(deps, LOG_TYPE.management, user, said))
}

function logRow<Type extends number>({ now }: UserDeps, type: Type, user: users.UserRow, content: string) {
  const createdAt = Math.floor(now() / 1_000)
  return { type, createdAt, userId: user.id, username: user.username, content }
}
