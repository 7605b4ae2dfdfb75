import { createHash } from 'node:crypto'
import { asObject, parseJson } from '@sluice/dialects/json-value'
import type { SetupProblem } from '../channel-setup.ts'
import type { AccessToken, TokenRequest } from './credentials.ts'

/** Larger numbers of seconds are unix times, not durations: Coze returns `expires_in` as unix time. */
const MOMENT_FROM = 1_000_000_000
const HEADER_SAFE = /^[\u0021-\u007e]{1,16384}$/

/** Reads the answer of an OAuth token endpoint: `access_token`, and its lifetime in seconds in `expires_in`. */
export function readTokenReply(status: number, body: string, now: number): AccessToken | { readonly problem: string } {
  const reply = asObject(parseJson(body))
  const token = reply?.['access_token']
  if (status < 200 || status > 299 || typeof token !== 'string') return { problem: refusal(status, reply?.['error']) }
  if (!HEADER_SAFE.test(token)) return { problem: 'the token in the reply cannot be sent in a header' }
  const lifetime = Number(reply?.['expires_in'])
  if (!Number.isFinite(lifetime) || lifetime <= 0) return { problem: 'the token in the reply has no lifetime' }
  return { token, expiresAt: lifetime > MOMENT_FROM ? lifetime * 1_000 : now + lifetime * 1_000 }
}

/** Reports only OAuth's error code; other text of the response might repeat what was sent. */
function refusal(status: number, error: unknown): string {
  const word = typeof error === 'string' && /^[\w.-]{1,60}$/.test(error) ? `: ${error}` : ''
  return `no token was issued for the channel's key (status ${status}${word})`
}

/** A form POST, as OAuth requires. `address` must have been checked. */
export function formRequest(address: URL, fields: Readonly<Record<string, string>>): TokenRequest {
  return {
    origin: address.origin,
    path: address.pathname + address.search,
    headers: ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json'],
    body: new URLSearchParams(fields).toString(),
  }
}

/**
 * The token address in a key's document. A signature made with the key is sent there, and the document's author could otherwise
 * choose which hosts this machine calls, so it must be an https address of the vendor, or be at the origin that the administrator
 * set for the channel.
 */
export function tokenAddress(
  text: string,
  isVendor: (host: string) => boolean,
  baseUrl: string,
): { readonly url: URL } | SetupProblem {
  const url = URL.parse(text)
  const isOwn = url !== null && url.origin !== 'null' && url.origin === URL.parse(baseUrl.trim())?.origin
  const isTheirs = url !== null && url.protocol === 'https:' && url.port === '' && isVendor(url.hostname)
  const isPlain = url !== null && url.username === '' && url.password === '' && url.hash === ''
  if (url === null || !isPlain || !(isOwn || isTheirs)) return { problem: 'must be an https:// address of the vendor' }
  return { url }
}

export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
