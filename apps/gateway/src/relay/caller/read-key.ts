import type { IncomingHttpHeaders } from 'node:http'
import type { Accepted } from '../../edge/exchange.ts'
import { KEY_PREFIX, MAX_KEY_LENGTH } from '../../tokens/bare-key.ts'
import type { CredentialHeader } from '../stages/caller-credential.ts'

/** Browsers cannot set headers of a websocket, so OpenAI's SDK offers the key as a protocol with this prefix. */
const KEY_PROTOCOL = 'openai-insecure-api-key.'

/** Only these paths accept a key in the query, as Google's SDKs and New API's key pages send it: URLs end up in proxy logs. */
const QUERY_KEY_PATHS = /^\/(?:v1(?:beta)?\/models(?:\/|$)|api\/log\/token\/?$)/

export interface PresentedKey {
  /** The bare key, whose digest is stored. */
  readonly key: string
  /** Channel id from the suffix `-{id}`; only administrators may use it. */
  readonly pinnedChannel: number | undefined
  /** The key came in a dedicated header, so the other headers may contain the caller's own provider key. */
  readonly isSeparate?: true
}

export type KeyCarrier = Pick<Accepted, 'headers'> & Partial<Pick<Accepted, 'path' | 'query'>>

/** Headers for the gateway's key if the provider's key is in the usual place; LiteLLM's clients use the second one. */
const SEPARATE = ['x-sluice-key', 'x-litellm-api-key'] as const

/**
 * Reads the API key of a request from where SDKs put it: the headers above, then `Authorization` (scheme Bearer, any case, or
 * none), then `X-Api-Key` (Anthropic), `Api-Key` (Azure), `X-Goog-Api-Key` (Google), the websocket protocol
 * `openai-insecure-api-key.{key}`, and `?key=` on the paths above. Undefined without a key; an empty key counts as none.
 */
export function readKey(carrier: KeyCarrier): PresentedKey | undefined {
  const { headers } = carrier
  const separate = SEPARATE.map((name) => withoutScheme(single(headers[name]))).find((key) => key !== undefined)
  const place = separate === undefined ? {} : ({ isSeparate: true } as const)
  const presented =
    separate ??
    withoutScheme(headers.authorization) ??
    single(headers['x-api-key']) ??
    single(headers['api-key']) ??
    single(headers['x-goog-api-key']) ??
    fromProtocols(headers['sec-websocket-protocol']) ??
    fromQuery(carrier) ??
    ''
  const key = presented.trim().replace(KEY_PREFIX, '')
  if (key === '') return undefined
  if (key.length > MAX_KEY_LENGTH) {
    return { key: key.slice(0, MAX_KEY_LENGTH + 1), pinnedChannel: undefined, ...place }
  }
  const dash = key.indexOf('-')
  if (dash === -1) return { key, pinnedChannel: undefined, ...place }
  const pin = key.slice(dash + 1)
  return /^\d{1,9}$/.test(pin)
    ? { key: key.slice(0, dash), pinnedChannel: Number(pin), ...place }
    : { key, pinnedChannel: undefined, ...place }
}

function withoutScheme(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const text = header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7) : header
  return text.trim() === '' ? undefined : text
}

function single(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header
  return text === undefined || text.trim() === '' ? undefined : text
}

function fromProtocols(header: string | undefined): string | undefined {
  const protocol = header?.split(',').find((name) => name.trim().startsWith(KEY_PROTOCOL))
  return single(protocol?.trim().slice(KEY_PROTOCOL.length))
}

function fromQuery({ path = '', query = '' }: KeyCarrier): string | undefined {
  if (!query.includes('key=') || !QUERY_KEY_PATHS.test(path)) return undefined
  return single(new URLSearchParams(query).get('key') ?? undefined)
}

/** Sign-in tokens are longer than keys; headers as a whole are bounded by the edge. */
const CREDENTIAL_MAX = 8_192
const PRINTABLE = /^[!-~]+$/

/** The key as it was sent; undefined without a key, empty if the value cannot be a key. */
export function readCredential(headers: IncomingHttpHeaders): { header: CredentialHeader; key: string } | undefined {
  const bearer = headers.authorization?.replace(/^bearer(?:\s+|$)/i, '')
  const found = named('Authorization', bearer) ?? named('X-Api-Key', headers['x-api-key'])
  return found ?? named('X-Goog-Api-Key', headers['x-goog-api-key'])
}

function named(header: CredentialHeader, value: string | string[] | undefined) {
  const key = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
  if (key === '') return undefined
  return { header, key: key.length <= CREDENTIAL_MAX && PRINTABLE.test(key) ? key : '' }
}
