import * as routes from '@sluice/contract/routes/account'
import { listModelsOfGroup } from '@sluice/store/queries/channels'
import { findUser, updateUser } from '@sluice/store/queries/users'
import { type Binding, bind } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import type { ManagementDeps } from '../ports.ts'
import type { Passwords } from '../sessions/passwords.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { busy } from '../sessions/sign-in.ts'
import { userOnWire } from '../users/user-wire.ts'

/** The caller's own account. Role, status, group and quota are nobody's own to set (class S10). */
export function accountRoutes(deps: ManagementDeps, sessions: Sessions, passwords: Passwords): readonly Binding[] {
  const db = deps.database.kysely
  return [
    bind(routes.self, async ({ caller }) => {
      const user = await findUser(db, caller.id)
      return user === undefined ? { code: 'not_logged_in' } : { data: userOnWire(user) }
    }),

    bind(routes.updateSelf, async ({ caller, body, context }) => {
      const user = await findUser(db, caller.id)
      if (user === undefined) return { code: 'not_logged_in' }
      const newEmail = body.email !== undefined && body.email !== user.email
      if (newEmail && deps.options().EmailVerificationEnabled) {
        return invalidField('email', 'can only be changed with a verification code')
      }
      const hashed = body.password ? await passwords.hash(body.password) : undefined
      if (hashed === 'busy') return busy()
      const outcome = await updateUser(
        db,
        caller.id,
        {
          username: body.username || undefined,
          displayName: body.display_name,
          email: body.email,
          passwordHash: hashed?.hash,
        },
        undefined,
      )
      if (outcome === 'name_taken') return { code: 'name_taken', field: 'username' }
      if (outcome === 'not_found') return { code: 'not_logged_in' }
      // A new password ended every session; this place stays signed in, under a new id.
      if (hashed !== undefined) await sessions.start(context, caller.id)
      return {}
    }),

    bind(routes.availableModels, async ({ caller }) => ({ data: [...(await listModelsOfGroup(db, caller.group))] })),
  ]
}
