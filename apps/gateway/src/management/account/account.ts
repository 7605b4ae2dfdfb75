import { ROLE } from '@sluice/contract/capability'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { splitList } from '@sluice/contract/fields/comma-list'
import { LOG_TYPE } from '@sluice/contract/log'
import * as routes from '@sluice/contract/routes/account'
import { usableOf } from '@sluice/store/options/usable-groups'
import { setAccessToken } from '@sluice/store/queries/accounts/access-tokens'
import { consumeEmailCode, type EmailProof, isEmailTaken } from '@sluice/store/queries/accounts/email-codes'
import { ensureAffCode, findInvitation } from '@sluice/store/queries/accounts/registration'
import { deleteUser, findUser, updateUser, type UserPatch, type UserRow } from '@sluice/store/queries/accounts/users'
import { listModelsOfGroups } from '@sluice/store/queries/channels/channels'
import { insertLog } from '@sluice/store/queries/logs/logs'
import { type Binding, bind, type Call } from '../bind.ts'
import type { StepUp } from '../identity/step-up.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import { accessTokenHash, newAccessToken } from '../sessions/access-token.ts'
import type { Caller } from '../sessions/caller.ts'
import type { CriticalThrottle } from '../sessions/critical-throttle.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { busy } from '../sessions/sign-in.ts'
import { newNameProblem } from '../users/new-name.ts'
import { userOnWire } from '../users/user-wire.ts'
import { domainRefusal, type EmailCodes } from './email-codes.ts'
import { choosableGroups, usableGroupsOf } from './usable-groups.ts'

/** 48 random bits: 8 characters. */
const AFF_BYTES = 6
const AFF_TRIES = 5

const GONE: Refusal = { code: 'not_logged_in' }
const EMAIL_TAKEN: Refusal = { code: 'email_taken', field: 'email' }
const CODE_WRONG: Refusal = { code: 'email_code_wrong', field: 'verification_code' }

export type OwnAccountDeps = Pick<SharedPorts, 'database' | 'options' | 'now' | 'randomBytes' | 'enqueueMail'>

export interface AccountParts {
  readonly deps: OwnAccountDeps
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly throttle: CriticalThrottle
  readonly codes: EmailCodes
  readonly stepUp: StepUp
}

/** The caller's own account. Users cannot set their own role, status, group or quota (class S10). */
export function accountRoutes(parts: AccountParts): readonly Binding[] {
  const { deps } = parts
  const db = deps.database.kysely
  return [
    bind(routes.self, async ({ caller }) => {
      const [user, { affCode, inviterId }] = await Promise.all([findUser(db, caller.id), findInvitation(db, caller.id)])
      if (user === undefined) return GONE
      return { data: { ...userOnWire(user, deps.now()), aff_code: affCode, inviter_id: inviterId } }
    }),

    bind(routes.updateSelf, (call) => updateSelf(parts, call)),
    bind(routes.deleteSelf, (call) => deleteSelf(parts, call)),

    bind(routes.renewAccessToken, async ({ caller }) => {
      const token = newAccessToken(deps.randomBytes)
      await setAccessToken(db, caller.id, accessTokenHash(token))
      return { data: token }
    }),

    bind(routes.invitationCode, async ({ caller }) => {
      const code = await affCode(deps, caller.id)
      return code === undefined ? { code: 'overloaded', params: { limit: 'invitation codes' } } : { data: code }
    }),

    bind(routes.bindEmail, (call) => bindEmail(parts, call)),

    bind(routes.availableModels, async ({ caller, query }) => {
      const named = splitList(query.groups)
      const groups = named.length === 0 ? [caller.group] : usableOf(deps.options().Groups, caller.group, named)
      return { data: [...(await listModelsOfGroups(db, groups))] }
    }),
    bind(routes.modelsOfUser, async ({ caller }) => {
      const groups = Object.keys(usableGroupsOf(deps.options().Groups, caller.group))
      return { data: [...(await listModelsOfGroups(db, groups))] }
    }),
    bind(routes.ownGroups, async ({ caller }) => ({ data: choosableGroups(deps.options().Groups, caller.group) })),
    bind(routes.groupsToUse, async ({ caller }) => ({ data: choosableGroups(deps.options().Groups, caller?.group) })),
  ]
}

async function updateSelf(parts: AccountParts, call: Call<typeof routes.updateSelf>): Promise<object | Refusal> {
  const { deps, sessions, passwords } = parts
  const { caller, body, context } = call
  const user = await findUser(deps.database.kysely, caller.id)
  if (user === undefined) return GONE
  const unnamed = newNameProblem(body.username, user.username)
  if (unnamed !== undefined) return unnamed
  // A user whose address is another user's name could no longer sign in by the address.
  if (body.username?.includes('@') && body.username !== user.username) {
    return invalidField('username', 'must not contain @')
  }
  const proof = await emailProof(parts, call, user.email)
  if (proof !== undefined && isRefusal(proof)) return proof
  const hashed = body.password ? await passwords.hash(body.password) : undefined
  if (hashed === 'busy') return busy()
  const patch = {
    username: body.username || undefined,
    displayName: body.display_name,
    email: body.email,
    passwordHash: hashed?.hash,
  }
  const refusal = await store(deps, user, patch, proof)
  if (refusal !== undefined) return refusal
  // A new password ended every session; this browser stays signed in with a new id.
  if (hashed !== undefined) await sessions.renew(context, caller)
  return {}
}

/**
 * The proof of a changed address; undefined when none is needed: the address is unchanged, empty, or not verified here. A person
 * who reads a new address's mail can get into the account, so the caller must first prove that the account is theirs.
 */
async function emailProof(
  parts: AccountParts,
  { caller, body, context }: Call<typeof routes.updateSelf>,
  before: string,
): Promise<EmailProof | Refusal | undefined> {
  const { deps, throttle, stepUp } = parts
  const { email = before, verification_code: code } = body
  if (email === before) return undefined
  // Limited, because callers could guess codes or find out which addresses are taken.
  const tooMany = throttle.byAddress(context)
  if (tooMany !== undefined) return tooMany
  const given = { password: body.current_password, totpCode: body.totp_code }
  const notShown = await stepUp.demand(caller, given)
  if (notShown !== undefined) return notShown
  if (email === '') return undefined
  if (code !== '') return await proveEmail(parts, caller, email, code)
  const foreign = domainRefusal(deps.options(), email)
  if (foreign !== undefined) return foreign
  if (deps.options().EmailVerificationEnabled) {
    return invalidField('email', 'can only be changed with a verification code')
  }
  return (await isEmailTaken(deps.database.kysely, email, caller.id)) ? EMAIL_TAKEN : undefined
}

/** Proves that the caller reads the mail of an address that no other account has. */
async function proveEmail(
  { deps, codes }: AccountParts,
  caller: Caller,
  address: string,
  code: string,
): Promise<EmailProof | Refusal> {
  const proof = await codes.check(address, code, { action: 'change_address', caller })
  if (proof === undefined) return CODE_WRONG
  return (await isEmailTaken(deps.database.kysely, address, caller.id)) ? EMAIL_TAKEN : proof
}

/** In one transaction: changes the account, uses up the proof of a new address, and notifies the old address. */
async function store(
  deps: OwnAccountDeps,
  before: UserRow,
  patch: UserPatch,
  proof: EmailProof | undefined,
): Promise<Refusal | undefined> {
  const leaves = before.email !== '' && patch.email !== undefined && patch.email !== before.email
  const outcome = await updateUser(deps.database.kysely, before.id, patch, undefined, async (trx) => {
    if (proof !== undefined && !(await consumeEmailCode(trx, proof))) return false
    // Where no mail can be sent, no password can be reset by mail either.
    if (leaves) await deps.enqueueMail(trx, { kind: 'email_changed', to: before.email, username: before.username })
    return true
  })
  if (outcome === 'name_taken') return { code: 'name_taken', field: 'username' }
  if (outcome === 'undone') return CODE_WRONG
  return outcome === 'updated' ? undefined : GONE
}

async function deleteSelf(
  { deps, sessions }: AccountParts,
  { caller, context }: Call<typeof routes.deleteSelf>,
): Promise<object | Refusal> {
  if (!(await deleteUser(deps.database.kysely, caller.id, ROLE.root))) {
    return { code: 'refused', params: { reason: 'The root account cannot be deleted.' } }
  }
  const { id: userId, username } = caller
  const createdAt = Math.floor(deps.now() / 1_000)
  await insertLog(deps.database.kysely, {
    type: LOG_TYPE.management,
    createdAt,
    userId,
    username,
    content: `User ${username} deleted their own account`,
  })
  await sessions.end(context)
  return {}
}

async function affCode(deps: OwnAccountDeps, userId: number): Promise<string | undefined> {
  for (let tries = 0; tries < AFF_TRIES; tries++) {
    const proposed = Buffer.from(deps.randomBytes(AFF_BYTES)).toString('base64url')
    const answer = await ensureAffCode(deps.database.kysely, userId, proposed)
    if (answer !== 'code_taken') return answer.code
  }
  return undefined
}

async function bindEmail(
  parts: AccountParts,
  { caller, query, context }: Call<typeof routes.bindEmail>,
): Promise<object | Refusal> {
  const { deps, throttle, stepUp } = parts
  const tooMany = throttle.byAddress(context)
  if (tooMany !== undefined) return tooMany
  const user = await findUser(deps.database.kysely, caller.id)
  if (user === undefined) return GONE
  const notShown = await stepUp.demand(caller, { password: '', totpCode: query.totp_code })
  if (notShown !== undefined) return notShown
  const proof = await proveEmail(parts, caller, query.email, query.code)
  if (isRefusal(proof)) return proof
  return (await store(deps, user, { email: query.email }, proof)) ?? {}
}
