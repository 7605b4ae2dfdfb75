import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { loginByLink } from '@sluice/contract/routes/session'
import { type Binding, bind, type Call } from '../bind.ts'
import { tooMany } from './critical-throttle.ts'
import { knownFor } from './known-devices.ts'
import { isFromThisMachine } from './local-sign-in.ts'
import { ROOT_USERNAME, rootWithoutPassword } from './root-account.ts'
import type { SignInLink } from './sign-in-link.ts'
import { signedInOnWire, type SignInParts } from './sign-in.ts'

export interface LinkSignInParts extends Pick<
  SignInParts,
  'deps' | 'sessions' | 'throttle' | 'devices' | 'secondFactor'
> {
  readonly signInLink: SignInLink
}

const INVALID: Refusal = { code: 'sign_in_link_invalid' }

/** Root's first sign-in, with the printed link. Works only on this machine; attempts by others do not count against root's name. */
export function linkSignInRoutes(parts: LinkSignInParts): readonly Binding[] {
  const { deps, sessions, throttle, devices, secondFactor, signInLink } = parts
  const db = deps.database.kysely

  const enter = async ({ body, context }: Call<typeof loginByLink>) => {
    const root = await rootWithoutPassword(db)
    if (root === undefined || !signInLink.fits(body.token)) return INVALID
    const device = knownFor(devices.read(context), root.username)
    const refusal = await secondFactor.check(root.id, body.totp_code, device)
    if (refusal !== undefined) return refusal
    // Of two simultaneous calls, only one signs in; once root has a password, neither does.
    if (!signInLink.take(body.token) || !(await sessions.start(context, root.id, ''))) return INVALID
    devices.remember(context, [root.username])
    return { data: { ...signedInOnWire(root), password_change_required: true } }
  }

  return [
    bind(loginByLink, async (call) => {
      const { context } = call
      const address = deps.clientAddress(context)
      const isLocal = isFromThisMachine(context, address)
      const source = { address, isLocal, device: devices.read(context) }
      const byNetwork = throttle.network(source, ROOT_USERNAME)
      if (!byNetwork.admitted) return tooMany(byNetwork.seconds)
      if (!isLocal) return { code: 'sign_in_link_remote' }
      const byName = throttle.name(source, ROOT_USERNAME)
      if (!byName.admitted) return tooMany(byName.seconds)
      const answer = await enter(call)
      // A request for the second step is not a failure.
      if (!isRefusal(answer) || answer.code === 'totp_required') {
        byNetwork.forgive()
        byName.forgive()
      }
      return answer
    }),
  ]
}
