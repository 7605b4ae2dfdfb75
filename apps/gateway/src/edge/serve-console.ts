import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ConsoleFile, type ConsoleFiles, PAGE } from './console-files.ts'
import { cutSlowReader } from './slow-reader.ts'
import { writeRefusal } from './write-refusal.ts'

/**
 * The content security policy of the console's pages. Scripts come from our own files and `scripts` only. Style attributes are
 * allowed because component libraries position their layers with them; they cannot run code. Pages embedded as home page or chat
 * are foreign origins in frames, never scripts here.
 */
const contentSecurityPolicy = (scripts: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    // blob: allows data of the page itself, such as a picture that a user has just chosen.
    "img-src 'self' data: blob: https:",
    "worker-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    'frame-src https:',
    "frame-ancestors 'none'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ')

/**
 * The only foreign scripts, allowed only while sign-in needs them:
 * https://developers.cloudflare.com/turnstile/reference/content-security-policy/
 */
const CHALLENGE_SCRIPTS = 'https://challenges.cloudflare.com'
const POLICY = contentSecurityPolicy("'self'")
const POLICY_WITH_CHALLENGE = contentSecurityPolicy(`'self' ${CHALLENGE_SCRIPTS}`)

const securityHeaders = (policy: string): readonly string[] => [
  'Content-Security-Policy',
  policy,
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'Permissions-Policy',
  'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
]
const HEADERS = securityHeaders(POLICY)
const HEADERS_WITH_CHALLENGE = securityHeaders(POLICY_WITH_CHALLENGE)

/** One year, which caches treat as forever. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
/** A browser that reads nothing of a file for this long counts as gone. */
const STALL_MS = 60_000

export interface ConsoleSettings {
  readonly challengeOn: () => boolean
}

/**
 * Serves a file of the console. Paths that are not files get the console's page, because the console has its own routes
 * (`/channels/edit/7`). A missing asset is not found, so a stale tab fails loudly instead of running HTML as script.
 */
export function serveConsole(
  files: ConsoleFiles,
  request: IncomingMessage,
  reply: ServerResponse,
  path: string,
  requestId: string,
  settings: ConsoleSettings,
): void {
  const method = request.method ?? ''
  const page = files.get(PAGE)
  const known = files.get(path)
  if (known === undefined && path !== '/' && isProgram(request)) {
    writeRefusal(reply, { code: 'outside_of_api', params: { method, path } }, requestId, HEADERS)
    return
  }
  const file = known ?? (path.startsWith('/assets/') ? undefined : page)
  if (file === undefined || (method !== 'GET' && method !== 'HEAD')) {
    writeRefusal(reply, { code: 'unknown_path', params: { method, path } }, requestId, HEADERS)
    return
  }
  const cache = file.hashed ? IMMUTABLE : REVALIDATE
  const withChallenge = file === page && settings.challengeOn()
  // After a 304, browsers keep the policy of the cached page.
  const etag = withChallenge ? file.etag.replace(/"$/, '-challenge"') : file.etag
  const security = withChallenge ? HEADERS_WITH_CHALLENGE : HEADERS
  const head = ['Cache-Control', cache, 'ETag', etag, 'Vary', 'Accept-Encoding', ...security]
  if (request.headers['if-none-match'] === etag) {
    reply.writeHead(304, head).end()
    return
  }
  const { bytes, encoding } = pick(file, request.headers['accept-encoding'] ?? '')
  head.push('Content-Type', file.type, 'Content-Length', String(bytes.length))
  if (encoding !== '') head.push('Content-Encoding', encoding)
  reply.writeHead(200, head).end(method === 'HEAD' ? undefined : bytes)
  cutSlowReader(reply, STALL_MS)
}

/** Headers that provider clients send and that browsers omit when they open a page. */
const OF_PROGRAMS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'anthropic-version', 'x-stainless-lang']

/**
 * Whether the request is from an API client, which would take a page with status 200 for a broken answer. A browser that opens a
 * page accepts HTML, whatever headers a proxy before the gateway adds.
 */
function isProgram({ headers }: IncomingMessage): boolean {
  const { accept = '' } = headers
  if (accept.includes('text/html')) return false
  return accept.includes('application/json') || OF_PROGRAMS.some((name) => headers[name] !== undefined)
}

function pick(file: ConsoleFile, accepted: string): { bytes: Buffer; encoding: string } {
  if (file.br !== undefined && accepts(accepted, 'br')) return { bytes: file.br, encoding: 'br' }
  if (file.gzip !== undefined && accepts(accepted, 'gzip')) return { bytes: file.gzip, encoding: 'gzip' }
  return { bytes: file.plain, encoding: '' }
}

export function accepts(header: string, coding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';')
    return name.trim().toLowerCase() === coding && !parameters.some((text) => /^\s*q=0(\.0+)?\s*$/i.test(text))
  })
}
