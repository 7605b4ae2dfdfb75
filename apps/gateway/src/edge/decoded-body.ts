import type { Refusal } from '@sluice/contract/errors'
import { type ContentCoding, openDecoder } from './content-coding.ts'
import type { MemoryClaim } from './upgrade.ts'

/**
 * Decodes a request body that is held in `claim`. The first pass only measures the size, which is limited like that of a plain body
 * and claimed before any memory is allocated, so a small body that expands to a huge one costs no memory (class S43). Afterwards
 * only the decoded body is held.
 */
export async function decodedBody(
  body: Buffer,
  coding: ContentCoding,
  limit: number,
  claim: MemoryClaim,
): Promise<Buffer | Refusal> {
  try {
    let size = 0
    for await (const { length } of decoded(body, coding)) {
      size += length
      if (size > limit) return { code: 'body_too_large', params: { limit } }
    }
    const refusal = claim.hold(body.length + size)
    if (refusal !== undefined) return refusal
    const whole = Buffer.allocUnsafeSlow(size)
    let at = 0
    for await (const piece of decoded(body, coding)) at += piece.copy(whole, at)
    claim.hold(size)
    return whole
  } catch {
    return { code: 'body_not_decodable', params: { coding } }
  }
}

/** Leaving the loop over the pieces destroys the decoder. */
function decoded(body: Buffer, coding: ContentCoding): AsyncIterable<Buffer> {
  const decoder = openDecoder(coding, body, false)
  decoder.end(body)
  return decoder
}
