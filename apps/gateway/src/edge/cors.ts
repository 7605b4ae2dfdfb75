import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

/** Browser apps on any origin may call `/v1` with a key, but never with credentials, so the console's cookies give no access. */
export const ANY_ORIGIN: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'X-Request-Id, X-Oneapi-Request-Id, Request-Id, X-Sluice-Losses, X-Sluice-Group, X-Sluice-Cost, ' +
    'Retry-After, X-Should-Retry, X-RateLimit-Limit-Requests, X-RateLimit-Remaining-Requests, ' +
    'X-RateLimit-Reset-Requests, X-RateLimit-Limit-Tokens, X-RateLimit-Remaining-Tokens, X-RateLimit-Reset-Tokens',
]

/** `Authorization` must be named: the wildcard does not cover it. */
export function writePreflight(reply: ServerResponse, headers: IncomingHttpHeaders, base: readonly string[]): void {
  const requested = headers['access-control-request-headers']
  const allowed =
    typeof requested === 'string' && /^[\w\-, ]{1,1000}$/.test(requested) ? requested : 'Authorization, Content-Type'
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
