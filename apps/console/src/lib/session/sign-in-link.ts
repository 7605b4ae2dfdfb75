/**
 * The token of the link that the gateway prints at its start, `/login#once=…`. It is held here while the sign-in page uses it, so
 * that the address bar and the history lose it at once.
 */
let held = ''

const FRAGMENT = /^#?once=([\w-]{1,100})$/

/** True when the page was opened by such a link, or uses one. `hash`: the fragment of its address, with or without `#`. */
export function isOpenedByLink(hash: string): boolean {
  return held !== '' || FRAGMENT.test(hash)
}

/** Takes the token out of the address; empty when the page was not opened by a link. Returns the same until it is dropped. */
export function takeLinkToken({ location, history }: Pick<Window, 'location' | 'history'>): string {
  const token = FRAGMENT.exec(location.hash)?.[1]
  if (token === undefined) return held
  held = token
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/** To be called when the link has signed someone in, or cannot. */
export function dropLinkToken(): void {
  held = ''
}
