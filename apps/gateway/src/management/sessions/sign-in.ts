import { ROLE } from '@sluice/contract/capability'
import type { Refusal } from '@sluice/contract/errors'
import { login, logout } from '@sluice/contract/routes/session'
import { USER_STATUS } from '@sluice/contract/user'
import { findCredentials } from '@sluice/store/queries/users'
import { type Binding, bind } from '../bind.ts'
import type { ManagementDeps } from '../ports.ts'
import { isFromThisMachine } from './local-sign-in.ts'
import type { LoginThrottle } from './login-throttle.ts'
import type { Passwords } from './passwords.ts'
import { DEFAULT_ROOT_PASSWORD } from './root-account.ts'
import type { Sessions } from './sessions.ts'

export interface SignInDeps {
  readonly deps: Pick<ManagementDeps, 'database' | 'options' | 'clientAddress'>
  readonly sessions: Sessions
  readonly passwords: Passwords
  readonly throttle: LoginThrottle
}

/** Sign-in and sign-out. Unknown name, wrong password and banned account get the same answer after the same work (class S31). */
export function sessionRoutes({ deps, sessions, passwords, throttle }: SignInDeps): readonly Binding[] {
  const db = deps.database.kysely
  return [
    bind(login, async ({ body, context }) => {
      const address = deps.clientAddress(context)
      const attempt = throttle(address, body.username)
      if (!attempt.admitted) {
        return { code: 'login_throttled', params: { seconds: attempt.seconds }, retryAfter: attempt.seconds }
      }
      const user = await findCredentials(db, body.username)
      const right = await passwords.verify(body.password, user?.passwordHash)
      if (right === 'busy') return busy()
      if (!right || user === undefined || user.status !== USER_STATUS.enabled) return { code: 'bad_credentials' }

      const wellKnown = user.role === ROLE.root && body.password === DEFAULT_ROOT_PASSWORD
      if (wellKnown && !isFromThisMachine(context, address)) return { code: 'default_password_remote' }
      // The family lets root in by password even when others may not, so that nobody can lock everybody out.
      if (!deps.options().PasswordLoginEnabled && user.role < ROLE.root) {
        return { code: 'password_login_disabled' }
      }
      attempt.forgive()
      await sessions.start(context, user.id)
      const { id, username, displayName, role, status } = user
      const data = { id, username, display_name: displayName, role, status }
      return { data: wellKnown ? { ...data, password_change_required: true } : data }
    }),

    bind(logout, async ({ context }) => {
      await sessions.end(context)
      return {}
    }),
  ]
}

/** More passwords are being hashed than this machine can. */
export function busy(): Refusal {
  return { code: 'overloaded', params: { limit: 'password checks' }, retryAfter: 1 }
}
