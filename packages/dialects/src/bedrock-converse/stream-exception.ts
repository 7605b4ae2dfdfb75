import type { ErrorEvent } from '../canon/events.ts'
import { readUpstreamError } from '../canon/upstream-error.ts'

/** The status that each exception has outside a stream; keys in lower case, without `exception`. */
const STATUS: Readonly<Record<string, number>> = {
  validation: 400,
  accessdenied: 403,
  resourcenotfound: 404,
  modeltimeout: 408,
  modelstreamerror: 424,
  throttling: 429,
  modelnotready: 429,
  servicequotaexceeded: 400,
  internalserver: 500,
  serviceunavailable: 503,
}

/** An exception inside a stream, by its type (`throttlingException`) and its payload; the code is its HTTP status. */
export function readException(type: string, payload: string): ErrorEvent {
  const { message, param } = readUpstreamError(new TextEncoder().encode(payload))
  const kind = type.replace(/exception$/i, '').toLowerCase()
  const code = Object.hasOwn(STATUS, kind) ? STATUS[kind] : 502
  const text = message === '' ? `the provider broke off (${type})` : message
  return { type: 'error', error: { message: text, type, code, param } }
}
