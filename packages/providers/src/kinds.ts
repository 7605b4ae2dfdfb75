export type DialectName =
  | 'openai-chat' | 'anthropic-messages' | 'gemini' | 'bedrock-converse' | 'cohere' | 'coze' | 'replicate' | 'deepl' | 'raw' | 'legacy'

/** A channel kind: everything the core knows of a provider. */
export interface ChannelKind {
  /** The family's channel type code. */
  readonly code: number
  readonly name: string
  readonly dialect: DialectName
  readonly framing: 'sse' | 'aws-event-stream' | 'websocket-json' | 'raw'
  readonly credentials: CredentialScheme
  readonly address: KindAddress
  readonly quirks: readonly Quirk[]
  /** False while its dialect or signer is not here: the console lists it, the relay refuses it. */
  readonly servable: boolean
}
export type CredentialScheme = 'bearer' | 'bearer-optional' | 'own'
export interface KindAddress {
  /** Empty when there is none. */
  readonly defaultBaseUrl: string
  readonly baseUrlEditable: boolean
  readonly baseUrlRequired: boolean
  /** Stands for `/v1` in upstream paths. */
  readonly prefix?: string
}
export type Quirk = 'no-stream-options' | 'max-tokens-field'

/** Undefined for an unknown code. */
export declare function kindOf(code: number): ChannelKind | undefined
/** All 51, by code. */
export declare const CHANNEL_KINDS: readonly ChannelKind[]
