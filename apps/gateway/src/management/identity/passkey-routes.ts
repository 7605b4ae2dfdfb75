import { createHash } from 'node:crypto'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/passkeys'
import { deletePasskey, listPasskeys, renamePasskey } from '@sluice/store/queries/accounts/passkeys'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { type Answer, type Binding, bind, type Call } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import { signInMethods } from '../provider-sign-in/sign-in-methods.ts'
import type { CriticalThrottle } from '../sessions/critical-throttle.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { signedInOnWire } from '../sessions/sign-in.ts'
import type { PasskeyCeremonies } from './passkeys.ts'

/** Ties the two halves of a sign-in to one browser, which has no session yet. */
const COOKIE = 'passkey_login'
const COOKIE_BYTES = 32
const COOKIE_SECONDS = 300
const COOKIE_PATH = '/api/user/passkey/login'

const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'Passkey' } }

export type PasskeyDeps = Pick<SharedPorts, 'database' | 'options' | 'now' | 'randomBytes' | 'isSecure' | 'basePath'>

export interface PasskeyParts {
  readonly deps: PasskeyDeps
  readonly sessions: Sessions
  readonly throttle: CriticalThrottle
  readonly devices: KnownDevices
  readonly ceremonies: PasskeyCeremonies
}

/** A user's own passkeys, and sign-in with one. Other users' passkeys do not exist here (class S11). */
export function passkeyRoutes(parts: PasskeyParts): readonly Binding[] {
  const { deps, sessions, ceremonies } = parts
  const db = deps.database.kysely
  return [
    bind(routes.listPasskeys, async ({ caller }) => ({
      data: (await listPasskeys(db, caller.id)).map((row) => ({
        id: row.id,
        credential_name: row.name,
        sign_count: row.signCount,
        created_at: row.createdTime,
        last_used_at: row.usedTime,
      })),
    })),

    bind(routes.beginPasskeyRegistration, async ({ caller }) => {
      const begun = await ceremonies.beginRegistration(caller)
      return isRefusal(begun) ? begun : { data: begun }
    }),

    bind(routes.finishPasskeyRegistration, async ({ caller, body, context }) => {
      const refusal = await ceremonies.finishRegistration(caller, body)
      if (refusal !== undefined) return refusal
      await sessions.renew(context, caller)
      return {}
    }),

    bind(routes.renamePasskey, async ({ caller, id, body }) =>
      (await renamePasskey(db, caller.id, id, body.credential_name)) ? {} : NOT_FOUND,
    ),

    bind(routes.deletePasskey, async ({ caller, id, context }) => {
      const answer = await deletePasskey(db, caller.id, id, signInMethods(deps.options()))
      if (answer === 'last') return { code: 'last_sign_in' }
      if (answer === 'not_found') return NOT_FOUND
      await sessions.renew(context, caller)
      return {}
    }),

    bind(routes.beginPasskeyLogin, (call) => beginLogin(parts, call)),
    bind(routes.finishPasskeyLogin, (call) => finishLogin(parts, call)),
  ]
}

async function beginLogin(
  { deps, throttle, ceremonies }: PasskeyParts,
  { context }: Call<typeof routes.beginPasskeyLogin>,
): Promise<Answer<typeof routes.beginPasskeyLogin> | Refusal> {
  const tooMany = throttle.byAddress(context)
  if (tooMany !== undefined) return tooMany
  const begun = await ceremonies.beginLogin(giveCookie(deps, context))
  return isRefusal(begun) ? begun : { data: begun }
}

function giveCookie(deps: PasskeyDeps, context: Context): string {
  const id = Buffer.from(deps.randomBytes(COOKIE_BYTES)).toString('base64url')
  setCookie(context, COOKIE, id, {
    path: deps.basePath + COOKIE_PATH,
    httpOnly: true,
    sameSite: 'Strict',
    secure: deps.isSecure(context),
    maxAge: COOKIE_SECONDS,
  })
  return ownerOf(id)
}

async function finishLogin(
  { deps, sessions, throttle, devices, ceremonies }: PasskeyParts,
  { body, context }: Call<typeof routes.finishPasskeyLogin>,
): Promise<Answer<typeof routes.finishPasskeyLogin> | Refusal> {
  const id = getCookie(context, COOKIE)
  deleteCookie(context, COOKIE, { path: deps.basePath + COOKIE_PATH })
  const tooMany = throttle.byAddress(context)
  if (tooMany !== undefined) return tooMany
  if (id === undefined) return { code: 'passkey_not_begun' }
  const user = await ceremonies.finishLogin(ownerOf(id), body.credential)
  if (isRefusal(user)) return user
  await sessions.start(context, user.userId)
  devices.remember(context, [user.username])
  return { data: signedInOnWire({ ...user, id: user.userId }) }
}

/** The database stores only digests. The prefix separates these from sessions. */
function ownerOf(cookie: string): string {
  return createHash('sha256').update(`passkey_login ${cookie}`).digest('hex')
}
