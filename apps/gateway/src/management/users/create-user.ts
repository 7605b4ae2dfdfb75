import { ROLE } from '@sluice/contract/capability'
import type { Refusal } from '@sluice/contract/errors'
import type { BodyOutput } from '@sluice/contract/route'
import type { createUser as route } from '@sluice/contract/routes/users'
import { isEmailTaken } from '@sluice/store/queries/accounts/email-codes'
import { deleteUser, insertUser } from '@sluice/store/queries/accounts/users'
import { insertToken } from '@sluice/store/queries/tokens/tokens'
import { setBudgets } from '../budgets.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import { moveQuota, type QuotaMove } from '../quota-move.ts'
import type { Caller } from '../sessions/caller.ts'
import type { Passwords } from '../sessions/passwords.ts'
import { busy } from '../sessions/sign-in.ts'
import { newDefaultToken } from '../tokens/default-token.ts'

export type UserDeps = Pick<SharedPorts, 'database' | 'ledger' | 'vault' | 'options' | 'newId' | 'now' | 'randomBytes'>

const DEFAULT_GROUP = 'default'

/** Creates an ordinary user with a first token and the given quota, or by default the gift for new users. Undefined on success. */
export async function createUser(
  deps: UserDeps,
  passwords: Passwords,
  caller: Caller,
  body: BodyOutput<typeof route>,
): Promise<Refusal | undefined> {
  const db = deps.database.kysely
  const group = body.group ?? DEFAULT_GROUP
  if (!deps.options().GroupRatio.has(group)) return invalidField('group', `there is no group "${group}"`)
  if (body.email && (await isEmailTaken(db, body.email, 0))) return { code: 'email_taken', field: 'email' }
  const hashed = await passwords.hash(body.password)
  if (hashed === 'busy') return busy()
  const createdTime = Math.floor(deps.now() / 1_000)
  const inserted = await insertUser(db, {
    username: body.username,
    passwordHash: hashed.hash,
    displayName: body.display_name || body.username.slice(0, 20),
    role: ROLE.user,
    email: body.email ?? '',
    group,
    createdTime,
  })
  if (inserted === 'name_taken') return { code: 'name_taken', field: 'username' }

  await insertToken(db, inserted.id, newDefaultToken(deps))
  const account = { kind: 'user', id: inserted.id, userId: inserted.id, unlimited: false } as const
  const refusal =
    (await setBudgets(deps, account, [], body.budgets)) ??
    (await moveQuota(deps.ledger, account, firstQuota(deps, caller, body, { id: inserted.id, createdTime })))
  // A user without an account could do nothing and would block the name for a second try.
  if (refusal !== undefined) await deleteUser(db, inserted.id, caller.role)
  return refusal
}

function firstQuota(
  deps: UserDeps,
  caller: Caller,
  body: BodyOutput<typeof route>,
  user: { readonly id: number; readonly createdTime: number },
): QuotaMove {
  const gift = deps.options().QuotaForNewUser
  const quota = body.quota ?? gift
  const content =
    body.quota === undefined
      ? `Gift for a new user: ${gift} quota`
      : `Created with ${quota} quota, by ${caller.username} (id ${caller.id})`
  return {
    requestId: deps.newId(),
    kind: body.quota === undefined ? 'gift' : 'fund',
    mode: 'add',
    quota,
    actor: caller.id,
    reason: content,
    log: {
      type: body.quota === undefined ? 4 : 3,
      createdAt: user.createdTime,
      userId: user.id,
      username: body.username,
      content,
    },
  }
}
