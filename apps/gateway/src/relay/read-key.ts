import type { Accepted } from '../edge/exchange.ts'

/** Longer than any key of this family; longer input is not worth hashing. */
const MAX_KEY_LENGTH = 256

/**
 * What is shown before a key but not stored. Other servers of the family list keys without it, so their scripts put one
 * before the key, and before one that has it already.
 */
const PREFIX = /^(?:sk-(?:sk-)?|laisky-)/

/** Browsers cannot set headers of a websocket, so OpenAI's SDK offers the key as a protocol of this name. */
const KEY_PROTOCOL = 'openai-insecure-api-key.'

/** Where Google's SDKs put a key into the query. Elsewhere it is not looked for there: addresses end up in logs of proxies. */
const QUERY_KEY_PATHS = /^\/v1(?:beta)?\/models(?:\/|$)/

export interface PresentedKey {
  /** The bare key, as its digest is stored. */
  readonly key: string
  /** Channel id from the suffix `-{id}`; only administrators may use it. */
  readonly pinnedChannel: number | undefined
}

/** Where a request may carry its key. */
export type KeyCarrier = Pick<Accepted, 'headers'> & Partial<Pick<Accepted, 'path' | 'query'>>

/**
 * Reads the API key of a request from the place where its SDK puts it: `Authorization` (scheme Bearer, any case, or none), then
 * `X-Api-Key` (Anthropic), `Api-Key` (Azure), `X-Goog-Api-Key` (Google), the websocket protocol `openai-insecure-api-key.{key}`,
 * and `?key=` on Google's paths. Undefined when there is none; an empty key is none.
 */
export function readKey(carrier: KeyCarrier): PresentedKey | undefined {
  const { headers } = carrier
  const presented =
    withoutScheme(headers.authorization) ??
    single(headers['x-api-key']) ??
    single(headers['api-key']) ??
    single(headers['x-goog-api-key']) ??
    fromProtocols(headers['sec-websocket-protocol']) ??
    fromQuery(carrier) ??
    ''
  const key = presented.trim().replace(PREFIX, '')
  if (key === '') return undefined
  if (key.length > MAX_KEY_LENGTH) return { key: key.slice(0, MAX_KEY_LENGTH + 1), pinnedChannel: undefined }
  const dash = key.indexOf('-')
  if (dash === -1) return { key, pinnedChannel: undefined }
  const pin = key.slice(dash + 1)
  return /^\d{1,9}$/.test(pin)
    ? { key: key.slice(0, dash), pinnedChannel: Number(pin) }
    : { key, pinnedChannel: undefined }
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
