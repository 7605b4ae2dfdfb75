import { hash } from 'node:crypto'
import type { Identity } from './authenticate.ts'
import type { Identified } from './identify.ts'

/** Headers by which clients name a conversation; the second is that of a well-known coding agent. */
const HEADERS = ['x-session-id', 'session_id'] as const
const NAME_MAX = 200
/**
 * Prompts are cached by providers from about 1,024 tokens on. A body that is longer begins, in every turn of a conversation,
 * with the same bytes; a shorter one has nothing in a cache that it could lose.
 */
const PREFIX_BYTES = 4_096

/**
 * Name of the conversation that a request belongs to: what the client says, else what its body begins with. Undefined for
 * requests that no cache helps. Names of two tokens never meet.
 */
export function sessionName(
  headers: Identified['accepted']['headers'],
  { tokenId }: Pick<Identity, 'tokenId'>,
  body: Buffer | undefined,
): string | undefined {
  for (const header of HEADERS) {
    const named = headers[header]
    if (typeof named === 'string' && named !== '') return `${tokenId} ${named.slice(0, NAME_MAX)}`
  }
  if (body === undefined || body.length < PREFIX_BYTES) return undefined
  return `${tokenId} ${hash('sha1', body.subarray(0, PREFIX_BYTES), 'base64')}`
}
