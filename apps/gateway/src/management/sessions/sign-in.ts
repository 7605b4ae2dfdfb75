import { ROLE } from '@sluice/contract/capability'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { login, logout } from '@sluice/contract/routes/session'
import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { USER_STATUS } from '@sluice/contract/user'
import { type Credentials, findCredentials } from '@sluice/store/queries/accounts/users'
import { type Answer, type Binding, bind, type Call } from '../bind.ts'
import type { BotChallenge } from '../identity/bot-challenge.ts'
import type { SecondFactor } from '../identity/second-factor.ts'
import type { SharedPorts } from '../ports.ts'
import { tooMany } from './critical-throttle.ts'
import { renewHash } from './imported-hash.ts'
import { knownFor, type KnownDevices } from './known-devices.ts'
import { isFromThisMachine } from './local-sign-in.ts'
import type { LoginThrottle, SignInSource } from './login-throttle.ts'
import type { Passwords } from './passwords.ts'
import { DEFAULT_ROOT_PASSWORD } from './root-account.ts'
import type { Sessions } from './sessions.ts'

export type SignInDeps = Pick<SharedPorts, 'database' | 'options' | 'clientAddress'>

export interface SignInParts {
  readonly deps: SignInDeps
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly throttle: LoginThrottle
  readonly devices: KnownDevices
  readonly challenge: BotChallenge
  readonly secondFactor: SecondFactor
}

/**
 * Sign-in and sign-out. Unknown name, wrong password and banned account get the same answer after the same work (class S31). The
 * second step is requested only after the right password; its wrong codes also count against address and name. A caller that has
 * not passed the bot challenge does not count against a name.
 */
export function sessionRoutes(parts: SignInParts): readonly Binding[] {
  return [
    bind(login, (call) => signIn(parts, call)),

    bind(logout, async ({ context }) => {
      await parts.sessions.end(context)
      return {}
    }),
  ]
}

async function signIn(parts: SignInParts, call: Call<typeof login>): Promise<Answer<typeof login> | Refusal> {
  const { deps, sessions, throttle, devices, challenge, secondFactor } = parts
  const { query, body, context } = call
  const address = deps.clientAddress(context)
  const isLocal = isFromThisMachine(context, address)
  const source: SignInSource = { address, isLocal, device: devices.read(context) }
  const byNetwork = throttle.network(source, body.username)
  if (!byNetwork.admitted) return tooMany(byNetwork.seconds)
  // The second step of a sign-in repeats the first, with a challenge answer that can be checked only once.
  const purpose = `${address} ${body.username}`
  // A person at this machine is not a robot, and could otherwise not fix a misconfigured challenge.
  const robot = isLocal ? undefined : await challenge.demand(context, query.turnstile, purpose)
  if (robot !== undefined) return robot
  const byName = throttle.name(source, body.username)
  if (!byName.admitted) return tooMany(byName.seconds)
  const forgive = () => {
    byNetwork.forgive()
    byName.forgive()
  }
  const step = await passwordStep(parts, call, address)
  if (isRefusal(step)) {
    // No password was checked.
    if (step.code === 'overloaded') forgive()
    return step
  }
  const refusal = await secondFactor.check(step.user.id, body.totp_code, knownFor(source.device, step.user.username))
  if (refusal !== undefined) {
    if (refusal.code !== 'totp_required') return refusal
    challenge.keep(query.turnstile, purpose)
    forgive()
    return refusal
  }
  // The password was changed during the check, so it is wrong now.
  if (!(await sessions.start(context, step.user.id, step.user.passwordHash))) return { code: 'bad_credentials' }
  forgive()
  devices.remember(context, [body.username, step.user.username])
  const data = signedInOnWire(step.user)
  return { data: step.wellKnown ? { ...data, password_change_required: true } : data }
}

async function passwordStep(
  { deps, passwords }: SignInParts,
  { body, context }: Call<typeof login>,
  address: string,
): Promise<{ readonly user: Credentials; readonly wellKnown: boolean } | Refusal> {
  const db = deps.database.kysely
  const user = await findCredentials(db, body.username)
  const right = await passwords.verify(body.password, user?.passwordHash)
  if (right === 'busy') return busy()
  if (!right || user === undefined || user.status !== USER_STATUS.enabled) return { code: 'bad_credentials' }

  const wellKnown = user.role === ROLE.root && body.password === DEFAULT_ROOT_PASSWORD
  if (wellKnown && !isFromThisMachine(context, address)) return { code: 'default_password_remote' }
  // As in the family, root can sign in by password even when others cannot, so that no one can lock everyone out.
  if (!deps.options().PasswordLoginEnabled && user.role < ROLE.root) {
    return { code: 'password_login_disabled' }
  }
  return { user: { ...user, passwordHash: await renewHash(db, passwords, user, body.password) }, wellKnown }
}

/** The fields of the signed-in user that the console stores. */
export function signedInOnWire(user: Omit<Credentials, 'passwordHash'>): SignedInUser {
  const { id, username, displayName, role, status } = user
  return { id, username, display_name: displayName, role, status }
}

/** More passwords are being hashed than this machine can handle. */
export function busy(): Refusal {
  return { code: 'overloaded', params: { limit: 'password checks' }, retryAfter: 1 }
}
