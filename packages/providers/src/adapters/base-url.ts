import type { SetupProblem } from '../channel-setup.ts'
import type { UpstreamAddress } from './adapter.ts'

export interface BaseUrl {
  /** `https://host` or `https://host:port`. */
  readonly origin: string
  readonly host: string
  /** Without a trailing slash; '' for the root. */
  readonly path: string
  /** With `?`, or ''; part of every address. */
  readonly query: string
}

const CHAT_PATH = '/chat/completions'
/** A last segment that names an API version, so that `/v1` must not follow: `/v4`, `/v1beta`, `/v1beta/openai`. */
const VERSION = /\/v\d[a-z0-9]*(?:\/openai)?$/
/** Where vendors put calls in OpenAI's format, next to those in other formats. */
const OPENAI_ROOM = /\/(?:openai|compatible-mode|compatibility|beta|api\/(?:coding\/)?paas)$/
/** Its provider slugs contain the provider's API version, or need none. */
const CLOUDFLARE_GATEWAY = 'gateway.ai.cloudflare.com'

export function readBaseUrl(baseUrl: string, fallback: string): BaseUrl | SetupProblem {
  const given = baseUrl.trim() || fallback
  if (given === '') return { problem: 'Base URL is required for this channel type' }
  const url = URL.parse(given)
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    return { problem: 'Base URL must be an http or https address' }
  }
  if (url.username !== '' || url.password !== '')
    return { problem: 'Base URL must not contain a user name or password' }
  const { origin, hostname: host, pathname, search: query } = url
  return { origin, host, path: pathname.replace(/(?<!\/)\/+$/, ''), query }
}

/**
 * The address of a call in OpenAI's format, such as `/v1/chat/completions`; `prefix` replaces `/v1`. Administrators may paste a
 * base with its version, without it, or with the full path of the chat call.
 */
export function openAiAddress(base: BaseUrl, prefix: string, clientPath: string): UpstreamAddress {
  const path = withoutVersion(clientPath)
  if (base.path.endsWith(CHAT_PATH)) {
    return addressAt(base, path === CHAT_PATH ? base.path : base.path.slice(0, -CHAT_PATH.length) + path)
  }
  const isVersioned = VERSION.test(base.path) || base.host === CLOUDFLARE_GATEWAY
  return addressAt(base, base.path + (isVersioned ? '' : prefix) + path)
}

/** The address of a path next to the calls in OpenAI's format, relative to the root of the base. */
export function rootAddress(base: BaseUrl, path: string): UpstreamAddress {
  return addressAt(base, rootOf(base) + path)
}

/** The base's path without the part that leads to calls in OpenAI's format. */
export function rootOf({ path }: Pick<BaseUrl, 'path'>): string {
  const place = path.endsWith(CHAT_PATH) ? path.slice(0, -CHAT_PATH.length) : path
  return place.replace(VERSION, '').replace(OPENAI_ROOM, '')
}

/** An address on the base's origin; `path` replaces the base's path. */
export function addressAt({ origin, query }: BaseUrl, path: string): UpstreamAddress {
  return { origin, path: path + query }
}

export function withoutVersion(path: string): string {
  return path.replace(/^\/v\d+(?=\/)/, '')
}
