import { createHash, createHmac } from 'node:crypto'
import type { OAuthStateRow } from '@sluice/store/queries/accounts/oauth-states'
import { insertOAuthState, takeOAuthState } from '@sluice/store/queries/accounts/oauth-states'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { SignInMarks } from '../../sign-in-providers/provider.ts'
import type { SharedPorts } from '../ports.ts'

const COOKIE = 'oauth_browser'
const COOKIE_PATH = '/api/oauth'
const BROWSER_BYTES = 32
/** 32 base64url characters. */
const STATE_BYTES = 24
const LIFETIME_MS = 10 * 60_000

/** Consoles of the family append the next page to the state; that part is not trusted here. */
const STATE_FORM = /^([\w-]{32})(?:[^\w-]?redirect_to=.*)?$/s

/**
 * Sign-ins with a provider between their start and the provider's answer. A state belongs to one browser (by a separate cookie),
 * works once, for 10 minutes, and records its purpose. So no one can complete a sign-in in another's browser (class S34) or use an
 * answer twice. It remains valid for another attempt only if the provider could not be reached.
 */
export interface BegunSignIns {
  /** Undefined when too many sign-ins are open in total. */
  readonly begin: (context: Context, row: Omit<OAuthStateRow, 'expires'>) => Promise<SignInMarks | undefined>
  /** Returns the purpose of a state and uses the state up. Undefined unless the state is valid. */
  readonly take: (context: Context, state: string) => Promise<BegunSignIn | undefined>
  /** Makes a used state valid again for the rest of its lifetime, because the provider could not be reached. */
  readonly restore: (context: Context, begun: BegunSignIn) => Promise<void>
  /** Stores a name for one more call of this browser: for the second step of a sign-in whose first step cannot be repeated. */
  readonly putBack: (context: Context, name: string, row: Omit<OAuthStateRow, 'expires'>) => Promise<void>
  /** As `take`, for a name stored by `putBack`. */
  readonly takeNamed: (context: Context, name: string) => Promise<OAuthStateRow | undefined>
}

export interface BegunSignIn extends OAuthStateRow {
  readonly marks: SignInMarks
}

export function createBegunSignIns(
  deps: Pick<SharedPorts, 'database' | 'now' | 'randomBytes' | 'isSecure' | 'basePath'>,
): BegunSignIns {
  const db = deps.database.kysely
  const random = (bytes: number): string => Buffer.from(deps.randomBytes(bytes)).toString('base64url')

  const browserOf = (context: Context): string => {
    const known = getCookie(context, COOKIE)
    const browser = known !== undefined && /^[\w-]{43}$/.test(known) ? known : random(BROWSER_BYTES)
    setCookie(context, COOKIE, browser, {
      path: deps.basePath + COOKIE_PATH,
      httpOnly: true,
      sameSite: 'Lax',
      secure: deps.isSecure(context),
      maxAge: LIFETIME_MS / 1_000,
    })
    return browser
  }

  const takeNamed = async (context: Context, name: string): Promise<OAuthStateRow | undefined> => {
    const browser = getCookie(context, COOKIE)
    if (browser === undefined) return undefined
    return await takeOAuthState(db, { state: hash(name), browser: hash(browser) }, deps.now())
  }

  const store = async (browser: string, name: string, row: OAuthStateRow) =>
    await insertOAuthState(db, { state: hash(name), browser: hash(browser) }, row, deps.now())

  const put = async (browser: string, name: string, row: Omit<OAuthStateRow, 'expires'>) =>
    await store(browser, name, { ...row, expires: deps.now() + LIFETIME_MS })

  return {
    begin: async (context, row) => {
      const browser = browserOf(context)
      const state = random(STATE_BYTES)
      return (await put(browser, state, row)) === 'full' ? undefined : marksOf(browser, state)
    },
    take: async (context, state) => {
      const name = STATE_FORM.exec(state)?.[1]
      const row = name === undefined ? undefined : await takeNamed(context, name)
      return name === undefined || row === undefined
        ? undefined
        : { ...row, marks: marksOf(getCookie(context, COOKIE) ?? '', name) }
    },
    restore: async (context, { marks, ...row }) => {
      const browser = getCookie(context, COOKIE)
      if (browser !== undefined) await store(browser, marks.state, row)
    },
    putBack: async (context, name, row) => void (await put(browserOf(context), name, row)),
    takeNamed,
  }
}

/** The name of a state, without any text that a console appended. */
export function stateName(state: string): string {
  return STATE_FORM.exec(state)?.[1] ?? ''
}

/** Nonce and verifier are derived from a secret that only this browser has, so neither is in the database. */
function marksOf(browser: string, state: string): SignInMarks {
  const derive = (purpose: string): string =>
    createHmac('sha256', browser).update(`${purpose}|${state}`).digest('base64url')
  return { state, nonce: derive('nonce'), verifier: derive('pkce') }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
