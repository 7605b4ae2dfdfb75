import type { Refusal } from '@sluice/contract/errors'
import type { BodyRefusal } from '@sluice/dialects/body-refusal'
import type { Encoded, Inexpressible } from '@sluice/dialects/canon/codec'
import type { Loss } from '@sluice/dialects/canon/losses'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import { parseExact } from '@sluice/dialects/exact-json'
import { asObject, type JsonObject } from '@sluice/dialects/json-value'
import { putBackBlobs, takeOutBlobs } from '@sluice/dialects/splice/blobs'
import type { Way } from '@sluice/providers/ways/way'
import type { AnswerReader } from '../calls/asked.ts'
import type { Authorised } from '../identify.ts'
import type { Route } from '../route.ts'

/** What the client asked, read once for all candidates and only where it must be read. */
export interface Source extends Pick<Authorised, 'body' | 'asked'> {
  readonly kind: Pick<Authorised['kind'], 'endpoint'>
  readonly accepted: Pick<Authorised['accepted'], 'id' | 'received'>
  /** The body as JSON. */
  readonly light: () => LightJson
  /** The conversation in it; only for calls that have one. */
  readonly conversation: () => CanonRequest | BodyRefusal
}

/** JSON with stand-ins for large pictures and files. */
export interface LightJson {
  readonly json: JsonObject
  /** Bytes of it, or of what was made of it, with the pictures in their places. */
  readonly write: (json: JsonObject) => Buffer
}

/** Whom a request is rendered for. */
export interface Towards {
  readonly route: Route
  readonly way: Way
  /** The provider's name of the model. */
  readonly model: string
}

/** A request in the words of its provider, and how the answer becomes the client's. */
export interface Rendition {
  readonly body: Buffer
  /** Flat names and values, beside those of the route and the way. */
  readonly headers: readonly string[]
  /** The provider is to stream. */
  readonly stream: boolean
  readonly reader: AnswerReader
  readonly losses: readonly Loss[]
}

export function openSource(identified: Pick<Source, 'accepted' | 'body' | 'asked' | 'kind'>): Source {
  const { body, asked } = identified
  const light = once(() => openJson(body, identified.accepted.id))
  return {
    ...identified,
    light,
    conversation: once(() => {
      if (asked.conversation === undefined) throw new Error('a call without a conversation')
      return asked.conversation.codec.decodeRequest(light().json, asked.conversation.facts)
    }),
  }
}

/** Why this provider cannot be asked; another may be. */
export const inexpressible = ({ field, rule }: Inexpressible): Refusal => ({
  code: 'not_expressible',
  params: { field, rule },
  field,
})

/** The body with what its carrier wants differently, as bytes. */
export function bodyOf(
  { write }: LightJson,
  { adapt }: Way,
  { body, headers }: Pick<Encoded, 'body' | 'headers'>,
  stream: boolean,
): Buffer {
  return write(adapt === undefined ? body : adapt(body, stream, headers))
}

/** Reads a body that was scanned before: it is valid JSON, and an object. `id` is the request's. */
export function openJson(bytes: Uint8Array, id: string): LightJson {
  const mark = `sluice-blob-${id}-`
  const { body, blobs } = takeOutBlobs(bytes, mark)
  const json = asObject(parseExact(bufferOf(body).toString()))
  if (json === undefined) throw new Error('a body that is no object')
  return { json, write: (written) => bufferOf(putBackBlobs(JSON.stringify(written), mark, blobs)) }
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length)

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
