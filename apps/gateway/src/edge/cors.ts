import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/**
 * Browser applications on any origin may call `/v1` with an API key. Credentials are never allowed, so cookies of the
 * console give no access from a foreign page.
 */
export const ANY_ORIGIN: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'X-Request-Id, X-Oneapi-Request-Id, Request-Id, X-Sluice-Losses, Retry-After, X-Should-Retry, ' +
    'X-RateLimit-Limit-Requests, X-RateLimit-Remaining-Requests, ' +
    'X-RateLimit-Reset-Requests, X-RateLimit-Limit-Tokens, X-RateLimit-Remaining-Tokens, X-RateLimit-Reset-Tokens',
]

/** Answers a preflight request. `Authorization` must be named: the wildcard does not cover it. */
export function writePreflight(reply: ServerResponse, headers: IncomingHttpHeaders, base: readonly string[]): void {
  const asked = headers['access-control-request-headers']
  const allowed = typeof asked === 'string' && /^[\w\-, ]{1,1000}$/.test(asked) ? asked : 'Authorization, Content-Type'
  reply
    .writeHead(204, [
      ...base,
      ...(headers.origin === undefined ? ANY_ORIGIN : []),
      'Access-Control-Allow-Methods',
      'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'Access-Control-Allow-Headers',
      allowed,
      'Access-Control-Max-Age',
      '86400',
    ])
    .end()
}
