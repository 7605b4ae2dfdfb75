import type { RouteSpec } from '@sluice/contract/route'

/** Destination of what scripts ask for: https://fetch.spec.whatwg.org/#concept-request-destination */
const SCRIPTED = 'empty'

/**
 * True when the browser says, or may hide, that a page of another site caused a request that changes something.
 *
 * The session cookie is SameSite=Lax, so foreign pages can send it with top-level navigations only. What is checked on top:
 *
 * - `Sec-Fetch-Site`, which every current browser sends to https and localhost: same-origin, or typed by the user;
 * - `Sec-Fetch-Dest` of a same-origin GET: our pages change things by `fetch` alone. A link or a picture comes from a text that
 *   operators or models wrote;
 * - else `Origin` (sent with every method but GET): it must name the host that was asked, or the configured address;
 * - else, for a GET that changes something: a navigation asks for HTML, a program's call does not.
 *
 * Programs send none of these headers and pass: they hold no cookies that a foreign page could borrow.
 */
export function isCrossSite(spec: RouteSpec, headers: Headers, serverAddress: string): boolean {
  if (spec.method === 'GET' && spec.stateChanging !== true) return false
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin') return spec.method === 'GET' && (headers.get('sec-fetch-dest') ?? SCRIPTED) !== SCRIPTED
  if (site !== null) return site !== 'none'
  const origin = headers.get('origin')
  if (origin !== null) return !isOwnOrigin(origin, headers.get('host'), serverAddress)
  return spec.method === 'GET' && (headers.get('accept') ?? '').includes('text/html')
}

function isOwnOrigin(origin: string, host: string | null, serverAddress: string): boolean {
  if (!URL.canParse(origin)) return false
  const { host: asking, origin: full } = new URL(origin)
  return asking === host || (URL.canParse(serverAddress) && new URL(serverAddress).origin === full)
}
