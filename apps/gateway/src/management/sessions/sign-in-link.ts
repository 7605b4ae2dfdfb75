import { createHash, timingSafeEqual } from 'node:crypto'

const TOKEN_BYTES = 32
export const LINK_LIFETIME_MS = 10 * 60_000

/** Signs in a root without password, once, within ten minutes. Only a digest is held, in memory, so links end with the process. */
export interface SignInLink {
  /** A new token; an earlier one stops working. */
  readonly issue: () => string
  /** Whether the token's link still works. Does not use it up. */
  readonly fits: (token: string) => boolean
  /** Uses up the link. False if it does not work, as for all but the first of several calls. */
  readonly take: (token: string) => boolean
}

export function createSignInLink(deps: {
  readonly randomBytes: (size: number) => Uint8Array
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
}): SignInLink {
  let issued: { readonly digest: Buffer; readonly expires: number } | undefined

  const fits = (token: string): boolean => {
    const isRight = timingSafeEqual(digestOf(token), issued?.digest ?? digestOf(''))
    return isRight && issued !== undefined && deps.now() < issued.expires
  }
  return {
    issue: () => {
      const token = Buffer.from(deps.randomBytes(TOKEN_BYTES)).toString('base64url')
      issued = { digest: digestOf(token), expires: deps.now() + LINK_LIFETIME_MS }
      return token
    },
    fits,
    take: (token) => {
      if (!fits(token)) return false
      issued = undefined
      return true
    },
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
