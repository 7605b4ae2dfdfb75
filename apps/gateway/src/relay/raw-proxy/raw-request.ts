import type { IncomingHttpHeaders } from 'node:http'
import type { Accepted } from '../../edge/exchange.ts'
import { percentDecoded } from '../endpoints/percent-decoded.ts'
import type { RawTarget } from '../endpoints/targets.ts'
import type { RawChannel } from './raw-channels.ts'

/** TRACE is not among them: it would show the channel's key to the caller. */
export const RAW_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type RawMethod = (typeof RAW_METHODS)[number]

/** How many times a server behind the channel might decode a path. */
const DECODINGS = 3

/**
 * False for a path that a server could read as one outside the channel's base: `..` in any spelling, backslashes, escapes that do
 * not decode. An administrator may have granted access to only part of a host.
 */
export function isPlainPath(path: string): boolean {
  let text = path
  for (let round = 0; round <= DECODINGS; round++) {
    if (/[\\\p{Cc}]/u.test(text) || text.split(/[/;]/).some((segment) => segment === '.' || segment === '..'))
      return false
    const next = percentDecoded(text)
    if (next === undefined) return round > 0
    if (next === text) return true
    text = next
  }
  return false
}

export function upstreamPath({ basePath, baseQuery }: RawChannel, { path }: RawTarget, query: string): string {
  const full = basePath + path
  const search = [baseQuery.slice(1), query].filter((part) => part !== '').join('&')
  return (full === '' ? '/' : full) + (search === '' ? '' : `?${search}`)
}

/** Headers that apply to one connection only (RFC 9110, 7.6.1). */
export const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

/**
 * Headers meant for this gateway, for proxies in front of it or for trace collectors, above all the key, and headers that would
 * select another account of the channel's owner.
 */
const NOT_SENT: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'host',
  'content-length',
  // The body is decoded before it is sent.
  'content-encoding',
  'expect',
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'x-litellm-api-key',
  'cookie',
  'origin',
  'referer',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'x-request-id',
  'traceparent',
  'tracestate',
  'baggage',
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
])
const NOT_SENT_PREFIX = /^(?:x-forwarded-|x-sluice-|x-oneapi-|sec-|cf-)/

/** Flat list: the caller's headers that concern the provider, then the channel's key. */
export function upstreamHeaders({ headers }: Pick<Accepted, 'headers'>, { authorization }: RawChannel): string[] {
  const named = namedByConnection(headers)
  const list: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || NOT_SENT.has(name) || NOT_SENT_PREFIX.test(name) || named.has(name)) continue
    for (const each of [value].flat()) list.push(name, each)
  }
  list.push('authorization', authorization)
  return list
}

/** Headers that a sender declares to be for the next hop only. */
export function namedByConnection({ connection }: IncomingHttpHeaders): ReadonlySet<string> {
  return new Set(
    (connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
}
