import { parseExact } from '@sluice/dialects/exact-json'
import { asObject, type JsonObject } from '@sluice/dialects/json-value'
import { MARK_NAME, putBackBlobs, takeOutBlobs } from '@sluice/dialects/splice/blobs'

/** JSON with placeholders for large pictures and files. */
export interface LightJson {
  readonly json: JsonObject
  /** Serializes the JSON, changed or not, and restores the pictures. */
  readonly write: (json: JsonObject) => Buffer
}

/** Reads a body that has already been scanned: valid JSON, and an object. `id` is the request's. */
export function openJson(bytes: Uint8Array, id: string): LightJson {
  const mark = `${MARK_NAME}${id}-`
  const { body, blobs } = takeOutBlobs(bytes, mark)
  const json = asObject(parseExact(bufferOf(body).toString()))
  if (json === undefined) throw new Error('a body that is not an object')
  return { json, write: (written) => bufferOf(putBackBlobs(JSON.stringify(written), mark, blobs)) }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length)
