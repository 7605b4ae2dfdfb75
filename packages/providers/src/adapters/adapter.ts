import type { CallTranslation, UpstreamCodec } from '@sluice/dialects/canon/codec'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import type { Framing } from '@sluice/dialects/framing/frames'
import type { JsonObject } from '@sluice/dialects/json-value'
import type { Quirk } from '@sluice/dialects/openai-chat/quirks/quirk'

/** Where a call goes, in the form that an HTTP dispatcher needs. */
export interface UpstreamAddress {
  /** `https://host` or `https://host:port`. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

/** How one kind of call reaches one model of one channel. Built once; contains no secret. */
export interface Adapter {
  /** Includes the model's name if the path contains it. */
  address(stream: boolean): UpstreamAddress
  readonly form: AdapterForm
  readonly framing: Framing
  /** How the provider differs from its dialect. Empty for a `pass` whose bytes need no change. */
  readonly quirks: readonly Quirk[]
  /** Headers that this adapter needs besides credentials. */
  readonly headers?: readonly string[]
  /**
   * Final changes to the JSON body for carriers that differ from their dialect (Bedrock, Vertex), where some headers become members
   * of the body: `headers` alternates names and values. Pure.
   */
  readonly adapt?: (body: JsonObject, stream: boolean, headers?: readonly string[]) => JsonObject
  /** For requests that are refused here but that the provider accepts in another dialect. */
  readonly instead?: AlternativeAdapter
}

export interface AlternativeAdapter {
  readonly isNeeded: (request: CanonRequest) => boolean
  readonly adapter: Adapter
}

/**
 * pass → the provider speaks the client's format · translate → a conversation, through its codec · convert → any other call in
 * OpenAI's format, through its translation
 */
export type AdapterForm =
  | { readonly kind: 'pass'; readonly codec?: UpstreamCodec }
  | { readonly kind: 'translate'; readonly codec: UpstreamCodec }
  | { readonly kind: 'convert'; readonly translation: CallTranslation }
