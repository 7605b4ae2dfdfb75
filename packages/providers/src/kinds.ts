import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { Quirk } from '@sluice/dialects/openai-chat/quirks/quirk'
import { CHANNEL_KINDS } from './kind-rows.ts'

/** Wire formats that upstreams speak. `raw`: whatever the caller sends. */
export type DialectName = ChatDialect | 'raw'

export type CredentialScheme =
  | 'bearer'
  /** Bearer, or nothing when the key is empty. */
  | 'bearer-optional'
  /** The key of a resource, or an application that signs in at Entra. */
  | 'azure-key'
  | 'x-api-key'
  | 'goog-api-key'
  | 'google-service-account'
  | 'sigv4'
  | 'deepl-key'
  /** A personal access token, or an app that signs for its own. */
  | 'coze'
  /** Bearer, or a token signed with the key. */
  | 'zhipu'
  /** Bearer, in one word or in the three parts of its older interface. */
  | 'spark'
  /** Bearer; the pair of its older interface opens nothing any more. */
  | 'baidu'
  /** Bearer, or the three parts of a signature. */
  | 'tencent'
  /** The key is the whole Authorization header. */
  | 'verbatim'

/** How a channel's base URL becomes an address; see `ways/base-url.ts`. */
export interface KindAddress {
  /** Empty when the administrator must give one, or when the address follows from the region. */
  readonly defaultBaseUrl: string
  readonly baseUrlEditable: boolean
  readonly baseUrlRequired: boolean
  /** Stands for `/v1` in upstream paths. */
  readonly prefix?: string
}

/** A channel kind: everything the core knows of a provider. */
export interface ChannelKind {
  /** The family's channel type code. */
  readonly code: number
  readonly name: string
  readonly dialect: DialectName
  readonly credentials: CredentialScheme
  readonly address: KindAddress
  /** Where it differs from its dialect. */
  readonly quirks: readonly Quirk[]
  /**
   * Dialects that it speaks beside its main one, so that their clients are passed on: where their paths begin, counted from
   * the root of its own; '' where they stand beside the main one.
   */
  readonly also?: Readonly<Partial<Record<ChatDialect, string>>>
  /** The dialect that clients of a third one are translated to; its main one unless said. */
  readonly prefers?: ChatDialect
  /** Calls that are answered under another path than OpenAI's, from the root, by the endpoint's name. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

/** Undefined for an unknown code. */
export function kindOf(code: number): ChannelKind | undefined {
  return BY_CODE.get(code)
}

const BY_CODE: ReadonlyMap<number, ChannelKind> = new Map(CHANNEL_KINDS.map((kind) => [kind.code, kind]))
