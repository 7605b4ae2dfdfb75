import { createHash } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import { USER_STATUS } from '@sluice/contract/user'
import {
  deleteSession,
  deleteSessionsOf,
  extendSession,
  findSession,
  insertSession,
  type SessionRow,
} from '@sluice/store/queries/accounts/sessions'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { SharedPorts } from '../ports.ts'
import { identifyByToken } from './access-token.ts'
import type { Caller } from './caller.ts'

const COOKIE = 'session'
const ID_BYTES = 32
/** Seconds without a request after which a session ends. */
export const LIFETIME_SECONDS = 7 * 24 * 3600
/** Characters. */
const USER_AGENT_MAX = 200
/** The end is postponed at most once an hour, so that not every request writes. */
const RENEW_AFTER_SECONDS = 3600

/** Server-side sessions: the cookie holds 256 random bits, the database their SHA-256. */
export interface Sessions {
  /** The caller by session cookie, otherwise by an access token in `Authorization`. Ends the session of a disabled user. */
  readonly identify: (context: Context) => Promise<Caller | Refusal>
  /**
   * Signs a user in under a new id and ends the session of the request (no fixation). `passwordHash`: the hash that the password
   * was checked against. False if it has been replaced since; then no one is signed in.
   */
  readonly start: (context: Context, userId: number, passwordHash?: string) => Promise<boolean>
  /** Ends all sessions of the caller, who stays signed in here under a new id; that does not count as a new sign-in. */
  readonly renew: (context: Context, caller: Caller) => Promise<void>
  /** Signs out; does nothing without a session. */
  readonly end: (context: Context) => Promise<void>
}

type SessionDeps = Pick<SharedPorts, 'database' | 'now' | 'randomBytes' | 'isSecure' | 'basePath' | 'clientAddress'>

export function createSessions(deps: SessionDeps): Sessions {
  const db = deps.database.kysely
  const cookies = new SessionCookies(deps)
  return {
    identify: async (context) => {
      const id = getCookie(context, COOKIE)
      const session = id === undefined ? undefined : await findSession(db, hashOf(id), secondsOf(deps.now()))
      if (id !== undefined && session !== undefined) return await cookies.callerOf(context, id, session)
      const authorization = context.req.header('authorization')
      if (authorization === undefined) return { code: 'not_logged_in' }
      return await identifyByToken(deps.database, authorization)
    },
    start: (context, userId, passwordHash) => cookies.begin(context, userId, { passwordHash }),
    renew: async (context, caller) => {
      await deleteSessionsOf(db, caller.id)
      if (caller.via === 'session') await cookies.begin(context, caller.id, { created: caller.signedIn })
    },
    end: async (context) => {
      const id = getCookie(context, COOKIE)
      if (id !== undefined) await deleteSession(db, hashOf(id))
      cookies.remove(context)
    },
  }
}

class SessionCookies {
  readonly #deps: SessionDeps
  readonly #path: string

  constructor(deps: SessionDeps) {
    this.#deps = deps
    this.#path = deps.basePath || '/'
  }

  /** The user of a session. Extends the session if it is old enough. */
  async callerOf(context: Context, id: string, session: SessionRow): Promise<Caller | Refusal> {
    const db = this.#deps.database.kysely
    if (session.status !== USER_STATUS.enabled) {
      await deleteSession(db, session.idHash)
      return { code: 'user_banned' }
    }
    const now = secondsOf(this.#deps.now())
    // A session that seems to end later than possible was begun by a clock that was ahead.
    if (Math.abs(session.expires - now - LIFETIME_SECONDS) > RENEW_AFTER_SECONDS) {
      await extendSession(db, session.idHash, now + LIFETIME_SECONDS)
      this.#give(context, id)
    }
    const { userId, username, role, group, idHash, created } = session
    return { id: userId, username, role, group, via: 'session', signedIn: created, proof: idHash }
  }

  async begin(
    context: Context,
    userId: number,
    known: { readonly passwordHash?: string | undefined; readonly created?: number | undefined },
  ): Promise<boolean> {
    const id = Buffer.from(this.#deps.randomBytes(ID_BYTES)).toString('base64url')
    const previous = getCookie(context, COOKIE)
    const now = secondsOf(this.#deps.now())
    const isStored = await insertSession(this.#deps.database.kysely, {
      idHash: hashOf(id),
      userId,
      now,
      expires: now + LIFETIME_SECONDS,
      replaces: previous === undefined ? undefined : hashOf(previous),
      ...known,
      userAgent: (context.req.header('user-agent') ?? '').slice(0, USER_AGENT_MAX),
      address: this.#deps.clientAddress(context),
    })
    if (isStored) this.#give(context, id)
    return isStored
  }

  remove(context: Context): void {
    deleteCookie(context, COOKIE, { path: this.#path })
  }

  #give(context: Context, id: string): void {
    setCookie(context, COOKIE, id, {
      path: this.#path,
      httpOnly: true,
      sameSite: 'Lax',
      secure: this.#deps.isSecure(context),
      maxAge: LIFETIME_SECONDS,
    })
  }
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000)
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
