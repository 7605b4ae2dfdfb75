import type { ChatDialect } from '@sluice/dialects/canon/parts'
import { CHANNEL_KINDS } from './kind-rows.ts'

/** Wire formats that upstreams speak. `raw`: whatever the caller sends. */
export type DialectName = ChatDialect | 'raw'

export type FramingName = 'sse' | 'aws-event-stream' | 'raw'

export type CredentialScheme =
  | 'bearer'
  /** Bearer, or nothing when the key is empty. */
  | 'bearer-optional'
  | 'azure-key'
  | 'x-api-key'
  | 'goog-api-key'
  | 'google-service-account'
  | 'sigv4'
  | 'deepl-key'
  | 'coze'
  | 'zhipu'
  | 'spark'
  | 'baidu'
  | 'tencent'
  /** The key is the whole Authorization header. */
  | 'verbatim'

/** Where a kind differs from its dialect. One word per difference; what each means in bytes is the dialect's matter. */
export type Quirk =
  /** Knows `max_tokens` only, not `max_completion_tokens`. */
  | 'max-tokens-only'
  /** No `developer` role. */
  | 'no-developer'
  /** Refuses `store`, `metadata` and other account features of OpenAI. */
  | 'no-store'
  /** Refuses `stream_options`; sends usage unasked. */
  | 'no-stream-options'
  /** Message content must be a string, not a list of parts. */
  | 'string-content'
  /** Temperature and top_p stay inside (0, 1). */
  | 'clamp-sampling'
  /** Tool call ids are nine letters or digits. */
  | 'short-tool-ids'
  /** Knows `json_object` only, not `json_schema`. */
  | 'no-json-schema'
  /** Reports errors inside of HTTP 200 bodies by a code of its own. */
  | 'error-in-200'
  /** Thinking is switched by a vendor's field. */
  | 'own-thinking'
  /** Wants headers that name the calling site. */
  | 'site-headers'
  /** The account id is part of the path. */
  | 'account-path'
  /** Deployment and api-version are part of the address. */
  | 'azure-paths'

/** How a channel's base URL becomes an address; see `upstreamAddress`. */
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
  readonly framing: FramingName
  readonly credentials: CredentialScheme
  readonly address: KindAddress
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

/**
 * Whether the relay can serve the kind: its dialect, framing and credentials are here and it has no quirk, since none
 * is handled yet. The console lists the others, the relay refuses them.
 */
export function isServable(kind: ChannelKind): boolean {
  const { dialect, framing, credentials, quirks } = kind
  const isBearer = credentials === 'bearer' || credentials === 'bearer-optional'
  return dialect === 'openai-chat' && framing === 'sse' && isBearer && quirks.length === 0
}

const BY_CODE: ReadonlyMap<number, ChannelKind> = new Map(CHANNEL_KINDS.map((kind) => [kind.code, kind]))
