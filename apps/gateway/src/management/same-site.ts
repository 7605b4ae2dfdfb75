import type { RouteSpec } from '@sluice/contract/route'

/** Destination of script requests: https://fetch.spec.whatwg.org/#concept-request-destination */
const SCRIPTED = 'empty'
/** Modes of navigations, pictures and saved links; scripts of our pages use `cors`. */
const UNSCRIPTED = ['navigate', 'no-cors']
/** First word of every browser's `User-Agent`, which no page can change: https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5 */
const BROWSER = /^mozilla\//i

/**
 * True when the browser says, or might hide, that something other than a script of our own pages caused a request that changes
 * something.
 *
 * The session cookie is SameSite=Lax: other sites' pages can have it sent with top-level navigations, hosts of the same site with
 * everything. Additional checks:
 *
 * - `Sec-Fetch-Site`, which every current browser sends to https and localhost: same-origin, or caused by the user;
 * - otherwise `Origin` (sent with every method but GET): it must name the host that was called, or the configured address;
 * - for a GET, which a mere link or picture can cause: a script must make it, see `isScripted`.
 *
 * Programs send none of these headers and pass: they hold no cookies that another site's page could borrow.
 */
export function isCrossSite(spec: RouteSpec, headers: Headers, serverAddress: string): boolean {
  if (spec.method === 'GET' && !spec.changes) return false
  if (spec.method === 'GET' && !isScripted(headers)) return true
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  return origin !== null && !isOwnOrigin(origin, headers.get('host'), serverAddress)
}

/**
 * True when the request is from a script, or from a program that is not a browser. Where the browser does not say so (over plain
 * http to any host but this machine, or before 2023), it takes a header that only scripts of our own pages can add: others would
 * have to ask permission first (https://fetch.spec.whatwg.org/#cors-preflight-fetch). `Cache-Control` and `Pragma` do not qualify,
 * because browsers add them to any page's requests, nor does `Accept`, which any page can set.
 */
function isScripted(headers: Headers): boolean {
  const dest = headers.get('sec-fetch-dest')
  if (dest !== null || headers.has('sec-fetch-site')) {
    return dest === SCRIPTED && !UNSCRIPTED.includes(headers.get('sec-fetch-mode') ?? '')
  }
  if (headers.has('x-requested-with')) return true
  return !BROWSER.test(headers.get('user-agent') ?? '') && !asksForContent(headers.get('accept') ?? '')
}

/** Whether the request accepts content types that navigations and pictures accept, but API calls do not. */
function asksForContent(accept: string): boolean {
  return accept.includes('text/html') || accept.includes('image/')
}

function isOwnOrigin(origin: string, host: string | null, serverAddress: string): boolean {
  if (!URL.canParse(origin)) return false
  const { host: asking, origin: full } = new URL(origin)
  return asking === host || (URL.canParse(serverAddress) && new URL(serverAddress).origin === full)
}
