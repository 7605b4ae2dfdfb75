import type { CallTranslation, UpstreamCodec } from '@sluice/dialects/canon/codec'
import type { Framing } from '@sluice/dialects/framing/frames'
import type { JsonObject } from '@sluice/dialects/json-value'
import type { Quirk } from '@sluice/dialects/openai-chat/quirks/quirk'

/** Where one call goes, in the form an HTTP dispatcher wants it. */
export interface UpstreamAddress {
  /** `https://host` or `https://host:port`. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

/** How one kind of call reaches one model of one channel. Made once and kept; knows no secret. */
export interface Way {
  /** With the model's name where the path holds it. */
  address(stream: boolean): UpstreamAddress
  readonly form: WayForm
  readonly framing: Framing
  /** What the provider's dialect differs in. Empty for a `pass` whose bytes may stay as they are. */
  readonly quirks: readonly Quirk[]
  /** Headers that this way needs beside credentials. */
  readonly headers?: readonly string[]
  /**
   * Last changes to the JSON body for carriers that differ from their dialect (Bedrock, Vertex), which may want there what
   * others want in headers: names and values in turn. Pure.
   */
  readonly adapt?: (body: JsonObject, stream: boolean, headers?: readonly string[]) => JsonObject
}

/**
 * pass → the provider speaks the client's format · translate → a conversation, through its codec · convert → any other call of
 * OpenAI's shape, through its translation
 */
export type WayForm =
  | { readonly kind: 'pass'; readonly codec?: UpstreamCodec }
  | { readonly kind: 'translate'; readonly codec: UpstreamCodec }
  | { readonly kind: 'convert'; readonly translation: CallTranslation }
