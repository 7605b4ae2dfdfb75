import type { Refusal } from '@sluice/contract/errors'
import type { BodyRefusal } from '@sluice/dialects/body-refusal'
import type { Encoded, Inexpressible } from '@sluice/dialects/canon/codec'
import type { Loss } from '@sluice/dialects/canon/losses'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import type { Adapter } from '@sluice/providers/adapters/adapter'
import type { AnswerReader } from '../../calls/answer-reader.ts'
import { type LightJson, openJson } from '../../calls/light-json.ts'
import type { Authorised } from '../../stages/authorised.ts'
import type { Route } from '../../stages/route.ts'

/** The client's request, parsed once for all candidates and only if needed. */
export interface Source extends Pick<Authorised, 'body' | 'parsed'> {
  readonly kind: Pick<Authorised['kind'], 'endpoint'>
  readonly accepted: Pick<Authorised['accepted'], 'id' | 'received'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly light: () => LightJson
  /** Only for calls that have a conversation. */
  readonly conversation: () => CanonRequest | BodyRefusal
}

export interface Target {
  readonly route: Route
  readonly adapter: Adapter
  readonly model: string
}

/** A request in its provider's dialect, and how the answer becomes the client's. */
export interface UpstreamBody {
  readonly body: Buffer
  /** Flat list of headers, in addition to those of the route and the adapter. */
  readonly headers: readonly string[]
  readonly stream: boolean
  readonly reader: AnswerReader
  readonly losses: readonly Loss[]
}

export function openSource(
  identified: Pick<Source, 'accepted' | 'body' | 'parsed' | 'kind'>,
  now: () => number,
): Source {
  const { body, parsed } = identified
  const light = once(() => openJson(body, identified.accepted.id))
  return {
    ...identified,
    now,
    light,
    conversation: once(() => {
      if (parsed.conversation === undefined) throw new Error('a call without a conversation')
      return parsed.conversation.codec.decodeRequest(light().json, parsed.conversation.facts)
    }),
  }
}

/** Why this provider cannot be called, although another might. */
export const inexpressible = ({ field, rule }: Inexpressible): Refusal => ({
  code: 'not_expressible',
  params: { field, rule },
  field,
})

export function bodyOf(
  { write }: LightJson,
  { adapt }: Adapter,
  { body, headers }: Pick<Encoded, 'body' | 'headers'>,
  stream: boolean,
): Buffer {
  return write(adapt === undefined ? body : adapt(body, stream, headers))
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
