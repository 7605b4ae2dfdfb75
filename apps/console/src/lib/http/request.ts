import type { RouteSpec } from '@sluice/contract/route'
import type { Locale } from '../i18n/texts.ts'

interface RequestParts {
  readonly params?: Readonly<Record<string, string | number>> | undefined
  readonly query?: unknown
  readonly body?: unknown
}

/**
 * Fills in and encodes path parameters; omits empty query values. GET requests include the time (unix ms), so that no cache between
 * browser and gateway answers them.
 */
export function requestUrl(route: RouteSpec, parts: RequestParts, now: number): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(parts.params?.[name] ?? '')),
  )
  const query = new URLSearchParams()
  if (typeof parts.query === 'object' && parts.query !== null) {
    for (const [name, value] of Object.entries(parts.query)) {
      if (typeof value === 'string' && value !== '') query.set(name, value)
      else if (typeof value === 'number' || typeof value === 'boolean') query.set(name, String(value))
    }
  }
  if (route.method === 'GET') query.set('_t', String(now))
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * Cookies are sent; redirects would hide a wrong address. The gateway words its refusals in the console's language, which can
 * differ from the browser's. `X-Requested-With` shows the gateway, even over plain http, that a script of this page sent the
 * request and not a link or picture.
 */
export function requestInit(route: RouteSpec, parts: RequestParts, locale: Locale): RequestInit {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': locale,
    'X-Requested-With': 'XMLHttpRequest',
  }
  if (route.method === 'GET') {
    headers['Cache-Control'] = 'no-cache'
    headers['Pragma'] = 'no-cache'
  }
  const init: RequestInit = { method: route.method, headers, credentials: 'same-origin', cache: 'no-store' }
  if (parts.body === undefined) return init
  headers['Content-Type'] = 'application/json'
  return { ...init, body: JSON.stringify(parts.body) }
}
