import { isRefusal, type Refusal } from '@sluice/contract/errors'
import { DROPPED_KEYS } from '@sluice/contract/json-schema'
import { hasNul } from '@sluice/store/column-types'
import { BodyClaim, type BodyMemory, type BodyOwner } from '../edge/body-memory.ts'
import { type PaceLimits, UploadPace } from '../edge/upload-pace.ts'
import { GatheredBytes } from '../outbound/gathered-bytes.ts'

/** Management bodies are forms, and no legitimate one comes near this size. */
const BODY_LIMIT = 1_048_576
/** Guests send only names, passwords, codes and passkeys. */
const GUEST_BODY_LIMIT = 65_536
const PACE = { timeoutMs: 30_000, leastRate: 1_024, spanMs: 10_000 } as const

/** Limit for all management bodies together, separate from the relay's, so that the console stays usable when that is full. */
export const MANAGEMENT_BODIES = { ceiling: 33_554_432, largest: BODY_LIMIT } as const

export interface BodyBudget {
  readonly memory: BodyMemory
  readonly owner: BodyOwner
}

/**
 * The parsed JSON body, or the refusal. Reads at most `BODY_LIMIT` bytes, or `GUEST_BODY_LIMIT` from a guest. The content type must
 * be JSON unless `anyType`: scripts of the family send JSON under whatever type their client chose.
 */
export async function readJsonBody(
  request: Request,
  { memory, owner }: BodyBudget,
  anyType: boolean,
): Promise<{ readonly json: unknown } | Refusal> {
  const type = request.headers.get('content-type') ?? 'none'
  const isJson = /^application\/json\s*(;|$)/i.test(type)
  if (!isJson && !anyType)
    return { code: 'unsupported_content_type', params: { wanted: 'application/json', got: type } }
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') return { code: 'unsupported_encoding', params: { got: encoding } }

  const claim = new BodyClaim(memory, owner)
  try {
    const bytes = await readLimited(request, owner.userId === undefined ? GUEST_BODY_LIMIT : BODY_LIMIT, claim)
    if (isRefusal(bytes)) return bytes
    const text = decodeUtf8(bytes.whole())
    if (text === undefined) return { code: 'invalid_json', params: { reason: 'it is not UTF-8' } }
    return parseJson(text)
  } finally {
    claim.release()
  }
}

async function readLimited(request: Request, limit: number, claim: BodyClaim): Promise<GatheredBytes | Refusal> {
  const tooLarge: Refusal = { code: 'body_too_large', params: { limit } }
  const declared = Number(request.headers.get('content-length') ?? 0)
  const full = declared > limit ? tooLarge : claim.hold(declared)
  if (full !== undefined) return full
  const bytes = new GatheredBytes()
  const refusal = await readPieces(request, PACE, (piece) => {
    if (bytes.size + piece.byteLength > limit) return tooLarge
    bytes.add(piece)
    return claim.hold(Math.max(declared, bytes.held))
  })
  return refusal ?? bytes
}

/** Passes a body to `take` in pieces, one at a time. Returns its first result, or the refusal of a slow or incomplete body. */
export async function readPieces(
  request: Request,
  pace: PaceLimits,
  take: (piece: Uint8Array) => Refusal | undefined | Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  const reader = request.body?.getReader()
  if (reader === undefined) return undefined
  let late: Refusal | undefined
  const leave = () => void reader.cancel().catch(() => {})
  const watch = new UploadPace(pace, (refusal) => {
    late = refusal
    leave()
  })
  try {
    for (;;) {
      const next = await reader.read().catch(() => undefined)
      if (late !== undefined) return late
      if (next === undefined) return { code: 'body_cut' }
      const { done, value } = next
      if (done) return undefined
      watch.add(value.byteLength)
      const refusal = await take(value)
      if (refusal !== undefined) return refusal
    }
  } finally {
    watch.stop()
    leave()
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parseJson(text: string): { readonly json: unknown } | Refusal {
  let nul = false
  let dropped: string | undefined
  try {
    const json: unknown = JSON.parse(text, (key, value: unknown) => {
      if (DROPPED_KEYS.has(key)) dropped = key
      if (hasNul(key) || (typeof value === 'string' && hasNul(value))) nul = true
      return value
    })
    if (nul) return { code: 'invalid_json', params: { reason: 'it contains a NUL character' } }
    if (dropped !== undefined)
      return { code: 'invalid_json', params: { reason: `the key "${dropped}" is not allowed` } }
    return { json }
  } catch (error) {
    return { code: 'invalid_json', params: { reason: error instanceof SyntaxError ? reasonOf(error) : 'unknown' } }
  }
}

/** V8 quotes the input in its message; only the start of the message is useful. */
function reasonOf(error: SyntaxError): string {
  return error.message.replace(/, (\.\.\.)?".*$/s, '').slice(0, 120)
}
