import type { ChannelKind } from './kinds.ts'

/** Where one call goes, in the form an HTTP dispatcher wants it. */
export interface UpstreamAddress {
  /** `https://host` or `https://host:port`. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

const CHAT_PATH = '/chat/completions'
/** A last segment that names an API version, so that `/v1` must not follow: `/v4`, `/v1beta`, `/v1beta/openai`. */
const ENDS_IN_VERSION = /\/v\d+[a-z0-9]*(?:\/openai)?$/

/**
 * Joins a channel's base URL (blank: the kind's default) and a client path such as `/v1/chat/completions`.
 * Administrators may paste either form of a base: with its version, without it, or the full address of the chat call.
 * Pure: keep the answer with the channel. `problem` is a sentence for the administrator.
 */
export function upstreamAddress(
  kind: ChannelKind,
  baseUrl: string,
  clientPath: string,
): UpstreamAddress | { readonly problem: string } {
  const given = baseUrl.trim() || kind.address.defaultBaseUrl
  if (given === '') return { problem: 'Base URL is required for this channel type' }
  const url = parseUrl(given)
  if (url === undefined) return { problem: 'Base URL must be an http or https address' }
  if (url.username !== '' || url.password !== '') return { problem: 'Base URL must not carry a user name or password' }
  return { origin: url.origin, path: joinPath(kind, url, clientPath) + url.search }
}

function joinPath(kind: ChannelKind, url: URL, clientPath: string): string {
  const path = clientPath.startsWith('/v1/') ? clientPath.slice(3) : clientPath
  let base = url.pathname.replace(/\/+$/, '')
  if (base.endsWith(CHAT_PATH)) {
    if (path === CHAT_PATH) return base
    base = base.slice(0, -CHAT_PATH.length)
    return base + path
  }
  // Cloudflare's AI gateway has the version inside of its own provider slugs.
  const isVersioned = ENDS_IN_VERSION.test(base) || url.hostname === 'gateway.ai.cloudflare.com'
  return isVersioned ? base + path : base + (kind.address.prefix ?? '/v1') + path
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined
}
