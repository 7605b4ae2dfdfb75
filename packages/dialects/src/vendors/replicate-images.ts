import type { CallTranslation, DecodedCall, Encoded, FollowUp } from '../canon/codec.ts'
import { Losses } from '../canon/losses.ts'
import type { JsonObject } from '../json-value.ts'
import { failureOf, followUpOf, outputOf, WAIT_HEADERS } from './replicate-prediction.ts'

/** Pictures on Replicate, for `/v1/images/generations`: they are returned as addresses that are valid for an hour. */
export const replicateImages: CallTranslation = { encode, decode }

/** Models can name their inputs freely; these names are the common ones. */
function encode(request: JsonObject): Encoded {
  const losses = new Losses()
  const { model: _, prompt, n, size, response_format: format, user: __, ...rest } = request
  const [width, height] = typeof size === 'string' ? size.split('x').map(Number) : []
  const isSized = Number.isInteger(width) && Number.isInteger(height)
  if (size !== undefined && size !== null && !isSized) losses.dropped('size')
  if (format === 'b64_json') losses.changed('response_format')
  for (const [name, value] of Object.entries(rest)) if (value !== null) losses.dropped(name)
  const input = {
    prompt,
    ...(typeof n === 'number' ? { num_outputs: n } : {}),
    ...(isSized ? { width, height } : {}),
  }
  return { body: { input }, losses: losses.list(), headers: WAIT_HEADERS }
}

function decode(reply: JsonObject): DecodedCall | { readonly invalid: string } | { readonly follow: FollowUp } {
  const follow = followUpOf(reply)
  if (follow !== undefined) return { follow }
  const error = failureOf(reply)
  if (error !== undefined) return { reply: {}, usage: undefined, error }
  const urls = outputOf(reply)
  if (urls === undefined || urls.length === 0) return { invalid: 'it does not contain any images' }
  const created = Math.floor(Date.parse(typeof reply['created_at'] === 'string' ? reply['created_at'] : '') / 1_000)
  return {
    reply: { created: Number.isNaN(created) ? 0 : created, data: urls.map((url) => ({ url })) },
    usage: { counts: countsOf(urls.length), reportedNanoUsd: undefined, own: asMetrics(reply['metrics']) },
  }
}

const countsOf = (image: number) => ({
  input: 0,
  cachedInput: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  units: { image },
})

const asMetrics = (metrics: unknown): JsonObject => (typeof metrics === 'object' && metrics !== null ? { metrics } : {})
