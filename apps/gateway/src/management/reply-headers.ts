import type { MiddlewareHandler } from 'hono'

/**
 * Replies are data for programs: if a browser opens one as a page, nothing in it may run, be framed or be read as another type
 * (class S14). Caches never store them.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Sets these headers on every reply of the management API, including refusals and unexpected failures. */
export const replyHeaders: MiddlewareHandler = async (context, next) => {
  for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
  await next()
}
