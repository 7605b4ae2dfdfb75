import { createHash } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import { USER_STATUS } from '@sluice/contract/user'
import { deleteSession, extendSession, findSession, insertSession } from '@sluice/store/queries/sessions'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { ManagementDeps } from '../ports.ts'
import type { Caller } from './caller.ts'

/** The family's cookie name. */
const COOKIE = 'session'
const ID_BYTES = 32
/** A session ends after so long without a request. */
const LIFETIME_SECONDS = 7 * 24 * 3600
/** The end is moved at most once an hour, so that not every request writes. */
const RENEW_AFTER_SECONDS = 3600

/** Server-side sessions: the cookie holds 256 random bits, the database their SHA-256. */
export interface Sessions {
  /** Who sent this request, as the database knows them now. A session of a disabled user ends here. */
  readonly identify: (context: Context) => Promise<Caller | Refusal>
  /** Signs a user in under a new id; the session the request came with ends (no fixation). */
  readonly start: (context: Context, userId: number) => Promise<void>
  /** Signs out; nothing happens without a session. */
  readonly end: (context: Context) => Promise<void>
}

export function createSessions(deps: Pick<ManagementDeps, 'database' | 'now' | 'randomBytes' | 'isSecure'>): Sessions {
  const db = deps.database.kysely
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)

  const giveCookie = (context: Context, id: string): void =>
    setCookie(context, COOKIE, id, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: deps.isSecure(context),
      maxAge: LIFETIME_SECONDS,
    })

  const identify = async (context: Context): Promise<Caller | Refusal> => {
    const id = getCookie(context, COOKIE)
    if (id === undefined) return { code: 'not_logged_in' }
    const now = nowSeconds()
    const session = await findSession(db, hashOf(id), now)
    if (session === undefined) return { code: 'not_logged_in' }
    if (session.status !== USER_STATUS.enabled) {
      await deleteSession(db, session.idHash)
      return { code: 'user_banned' }
    }
    if (session.expires - now < LIFETIME_SECONDS - RENEW_AFTER_SECONDS) {
      await extendSession(db, session.idHash, now + LIFETIME_SECONDS)
      giveCookie(context, id)
    }
    const { userId, username, role, group } = session
    return { id: userId, username, role, group }
  }

  return {
    identify,
    start: async (context, userId) => {
      const id = Buffer.from(deps.randomBytes(ID_BYTES)).toString('base64url')
      const previous = getCookie(context, COOKIE)
      const now = nowSeconds()
      await insertSession(db, {
        idHash: hashOf(id),
        userId,
        now,
        expires: now + LIFETIME_SECONDS,
        replaces: previous === undefined ? undefined : hashOf(previous),
      })
      giveCookie(context, id)
    },
    end: async (context) => {
      const id = getCookie(context, COOKIE)
      if (id !== undefined) await deleteSession(db, hashOf(id))
      deleteCookie(context, COOKIE, { path: '/' })
    },
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
