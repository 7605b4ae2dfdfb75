import { createHash } from 'node:crypto'
import { keySet } from '@sluice/dialects/splice/key-set'
import { isScanFault, scanObject } from '@sluice/dialects/splice/scan'

const OPEN_OBJECT = 0x7b
/** Ids that a program may change in each repetition of a request, so they do not distinguish requests. */
const NAMES = keySet(
  'metadata',
  'client_metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'previous_response_id',
  'stream',
  'stream_options',
)

/** The same for bodies that differ only in ids: 22 characters of base64url. */
export function bodyDigest(body: Buffer): string {
  const digest = createHash('sha256')
  const scanned = body[0] === OPEN_OBJECT ? scanObject(body, NAMES, { duplicates: 'last' }) : undefined
  let at = 0
  if (scanned !== undefined && !isScanFault(scanned)) {
    const spans = Object.values(scanned.values).flatMap((span) => span ?? [])
    for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
      digest.update(body.subarray(at, start))
      at = end
    }
  }
  return digest.update(body.subarray(at)).digest('base64url').slice(0, DIGEST_LENGTH)
}

const DIGEST_LENGTH = 22
