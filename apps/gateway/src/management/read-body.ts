import type { Refusal } from '@sluice/contract/errors'

/** Management bodies are forms; nothing they hold comes near this. */
const BODY_LIMIT = 1_048_576

/**
 * The parsed JSON body, or why it cannot be had. Reads at most `BODY_LIMIT` bytes. A body must be called JSON, unless
 * `anyType`: scripts of the family send JSON under whatever type their client made up.
 */
export async function readJsonBody(request: Request, anyType: boolean): Promise<{ readonly json: unknown } | Refusal> {
  const type = request.headers.get('content-type') ?? 'none'
  const isJson = /^application\/json\s*(;|$)/i.test(type)
  if (!isJson && !anyType) return { code: 'unsupported_content_type', params: { got: type } }
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') return { code: 'unsupported_encoding', params: { got: encoding } }

  const bytes = await readLimited(request)
  if (bytes === undefined) return { code: 'body_too_large', params: { limit: BODY_LIMIT } }
  const text = decodeUtf8(bytes)
  if (text === undefined) return { code: 'invalid_json', params: { reason: 'it is not UTF-8' } }
  return parseJson(text)
}

/** True when a text holds the one character that no database column takes. */
export function hasNul(text: string): boolean {
  return text.includes('\u0000')
}

async function readLimited(request: Request): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > BODY_LIMIT) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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
  try {
    const json: unknown = JSON.parse(text, (key, value: unknown) => {
      if (hasNul(key) || (typeof value === 'string' && hasNul(value))) nul = true
      return value
    })
    return nul ? { code: 'invalid_json', params: { reason: 'it holds a NUL character' } } : { json }
  } catch (error) {
    return { code: 'invalid_json', params: { reason: error instanceof SyntaxError ? reasonOf(error) : 'unknown' } }
  }
}

/** V8 quotes the input in its message; only its start is of use. */
function reasonOf(error: SyntaxError): string {
  return error.message.replace(/, (\.\.\.)?".*$/s, '').slice(0, 120)
}
