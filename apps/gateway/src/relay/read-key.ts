import type { IncomingHttpHeaders } from 'node:http'

/** Longer than any key of this family; longer input is not worth hashing. */
const MAX_KEY_LENGTH = 256

/**
 * What is shown before a key but not stored. Other servers of the family list keys without it, so their scripts put one
 * before the key, and before one that has it already.
 */
const PREFIX = /^(?:sk-(?:sk-)?|laisky-)/

export interface PresentedKey {
  /** The bare key, as its digest is stored. */
  readonly key: string
  /** Channel id from the suffix `-{id}`; only administrators may use it. */
  readonly pinnedChannel: number | undefined
}

/**
 * Reads the API key of a request: `Authorization` (scheme Bearer, any case, or none), then `X-Api-Key`, then `Api-Key`.
 * Undefined when there is none; an empty key is none.
 */
export function readKey(headers: IncomingHttpHeaders): PresentedKey | undefined {
  const presented =
    withoutScheme(headers.authorization) ?? single(headers['x-api-key']) ?? single(headers['api-key']) ?? ''
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
