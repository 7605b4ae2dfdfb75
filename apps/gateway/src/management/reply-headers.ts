import type { MiddlewareHandler } from 'hono'

/** Replies are data: a browser that opens one must not run, frame or reinterpret it (class S14), and caches must not store it. */
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
