import type { DecodedCall } from '../canon/codec.ts'
import type { JsonObject } from '../json-value.ts'
import { promptTokensOf } from '../token-counts.ts'
import type { UsageReport } from '../usage/usage-report.ts'

/**
 * Vectors as `/v1/embeddings` returns them: in the order of the inputs, as numbers or, if the client asked for it, as base64 of
 * little-endian 32-bit floats. Unchecked `vectors` are accepted: anything other than a list of numbers is reported as invalid.
 */
export function embeddingsReply(
  vectors: unknown,
  request: JsonObject,
  usage: UsageReport | undefined,
): DecodedCall | { readonly invalid: string } {
  if (!Array.isArray(vectors) || vectors.length === 0 || !vectors.every(isVector))
    return { invalid: 'it contains no vectors' }
  const encode = request['encoding_format'] === 'base64' ? base64OfFloats : (vector: readonly number[]) => vector
  const tokens = usage?.counts === undefined ? undefined : promptTokensOf(usage.counts)
  return {
    reply: {
      object: 'list',
      data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) })),
      model: request['model'],
      ...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    },
    usage,
  }
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
}

function base64OfFloats(vector: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4))
  vector.forEach((value, i) => view.setFloat32(i * 4, value, true))
  return btoa(Array.from(new Uint8Array(view.buffer), (byte) => String.fromCharCode(byte)).join(''))
}
