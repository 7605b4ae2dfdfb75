import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import * as v from 'valibot'
import type { SharedPorts } from '../ports.ts'

const COOKIE = 'known_device'
const COOKIE_PATH = '/api'
/** A browser is forgotten this many seconds after its last sign-in. */
const LIFETIME_SECONDS = 90 * 24 * 3600
const ID_BYTES = 16
/** Names remembered for one browser; the one with the oldest sign-in is dropped first. */
const NAMES_MAX = 8
/** Longer cookies are not ours and not worth opening. */
const SEALED_MAX = 2_000

export interface KnownDevice {
  readonly id: string
  /** Whether a user has signed in here with this name, as `loginName` writes it. */
  readonly knows: (name: string) => boolean
}

/**
 * Stores in a cookie, sealed by the vault, the names that have signed in with a browser. Tries from that browser are counted
 * separately, so that no one can lock a person out by failing elsewhere in their name
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). The cookie alone gives no access, and
 * contains only digests of names.
 */
export interface KnownDevices {
  readonly read: (context: Context) => KnownDevice | undefined
  /** Call after a user has signed in with these names, or proved that they may. */
  readonly remember: (context: Context, names: readonly string[]) => void
}

export function knownFor(device: KnownDevice | undefined, name: string): KnownDevice | undefined {
  return device?.knows(loginName(name)) ? device : undefined
}

/** A name in a uniform spelling, however a person types it. */
export function loginName(typed: string): string {
  return typed.trim().normalize('NFKC').toLowerCase()
}

const content = v.object({ id: v.string(), until: v.number(), names: v.array(v.string()) })
type Content = v.InferOutput<typeof content>

export function createKnownDevices(
  deps: Pick<SharedPorts, 'vault' | 'now' | 'randomBytes' | 'isSecure' | 'basePath'>,
): KnownDevices {
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)

  const open = (context: Context): Content | undefined => {
    const sealed = getCookie(context, COOKIE)
    if (sealed === undefined || sealed.length > SEALED_MAX) return undefined
    const opened = deps.vault.open('known_device', sealed)
    const parsed = opened.ok ? v.safeParse(content, JSON.parse(opened.text)) : undefined
    return parsed?.success && parsed.output.until > nowSeconds() ? parsed.output : undefined
  }

  return {
    read: (context) => {
      const device = open(context)
      return device && { id: device.id, knows: (name) => device.names.includes(digest(name)) }
    },
    remember: (context, names) => {
      const known = open(context)
      const all = [...new Set([...names.map(loginName).map(digest), ...(known?.names ?? [])])]
      const device: Content = {
        id: known?.id ?? Buffer.from(deps.randomBytes(ID_BYTES)).toString('base64url'),
        until: nowSeconds() + LIFETIME_SECONDS,
        names: all.slice(0, NAMES_MAX),
      }
      setCookie(context, COOKIE, deps.vault.seal('known_device', JSON.stringify(device)), {
        path: deps.basePath + COOKIE_PATH,
        httpOnly: true,
        sameSite: 'Strict',
        secure: deps.isSecure(context),
        maxAge: LIFETIME_SECONDS,
      })
    },
  }
}

function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}
