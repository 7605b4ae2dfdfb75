import { BASE_PATH } from '../navigation/base-path.ts'

export const AFTER_SIGN_IN = '/dashboard'

/**
 * A path of this console, or `undefined`. Only one leading slash: `//host` and `/\host` leave the site in browsers, and URL parsers
 * drop control characters, which turns `/\t/host` into the same. A target may begin with the base path, which the router removes.
 */
export function safeRedirectTarget(target: unknown, basePath = BASE_PATH): string | undefined {
  if (typeof target !== 'string' || !target.startsWith('/')) return undefined
  if (target.startsWith('//') || target.startsWith(`${basePath}//`) || target.includes('\\')) return undefined
  // eslint-disable-next-line no-control-regex -- control characters are what this rule is about
  if (/[\u0000-\u001f\u007f]/.test(target)) return undefined
  return target
}

/**
 * The token of the link that the gateway prints at its start, `/login#once=…`. Held here while the sign-in page uses it, so that
 * the address bar and the history lose it at once.
 */
let held = ''

const FRAGMENT = /^#?once=([\w-]{1,100})$/

/** True while the page is using a token, too. `hash`: the fragment of the address, with or without `#`. */
export function isOpenedByLink(hash: string): boolean {
  return held !== '' || FRAGMENT.test(hash)
}

/** Takes the token out of the address; empty when no link opened the page. Returns the same token until it is dropped. */
export function takeLinkToken({ location, history }: Pick<Window, 'location' | 'history'>): string {
  const token = FRAGMENT.exec(location.hash)?.[1]
  if (token === undefined) return held
  held = token
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/** Call when the link has signed someone in, or has turned out to be useless. */
export function dropLinkToken(): void {
  held = ''
}
