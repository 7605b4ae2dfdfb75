import type { CallTranslation, UpstreamCodec } from '@sluice/dialects/canon/codec'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import type { Framing } from '@sluice/dialects/framing/frames'
import type { JsonObject } from '@sluice/dialects/json-value'
import type { Quirk } from '@sluice/dialects/openai-chat/quirks/quirk'

export interface UpstreamAddress {
  /** `https://host` or `https://host:port`. */
  readonly origin: string
  readonly path: string
}

/** How one kind of call reaches one model of one channel. Built once; contains no secret. */
export interface Adapter {
  /** Contains the model name if the provider puts it into the path. */
  address(stream: boolean): UpstreamAddress
  readonly form: AdapterForm
  readonly framing: Framing
  /** Differences between the provider and its dialect; empty for a `pass` whose bytes need no change. */
  readonly quirks: readonly Quirk[]
  readonly headers?: readonly string[]
  /**
   * Final changes to the JSON body for carriers that differ from their dialect (Bedrock, Vertex), where some headers become members
   * of the body: `headers` alternates names and values. Pure.
   */
  readonly adapt?: (body: JsonObject, stream: boolean, headers?: readonly string[]) => JsonObject
  /** For requests that this adapter refuses but the provider accepts in another dialect. */
  readonly instead?: AlternativeAdapter
}

export interface AlternativeAdapter {
  readonly isNeeded: (request: CanonRequest) => boolean
  readonly adapter: Adapter
}

/** pass: the provider speaks the client's format · translate: a conversation · convert: any other call in OpenAI's format */
export type AdapterForm =
  | { readonly kind: 'pass'; readonly codec?: UpstreamCodec }
  | { readonly kind: 'translate'; readonly codec: UpstreamCodec }
  | { readonly kind: 'convert'; readonly translation: CallTranslation }
