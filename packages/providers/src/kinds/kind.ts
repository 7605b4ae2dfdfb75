import type { CallTranslation } from '@sluice/dialects/canon/codec'
import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { JsonObject } from '@sluice/dialects/json-value'
import type { Quirk } from '@sluice/dialects/openai-chat/quirks/quirk'
import type { ChannelAdapters } from '../adapters/dialect-endpoints.ts'
import type { BalanceSource } from '../balance-source.ts'
import type { ConfigField, KeyField } from '../channel-fields/field-names.ts'
import type { FieldProblem } from '../channel-fields/field-problem.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { EndpointName } from '../endpoints.ts'
import type { FailureRule } from '../failures/failure-rule.ts'

/** `raw`: passed on as the caller sends it. */
export type DialectName = ChatDialect | 'raw'

export type CredentialScheme =
  | 'bearer'
  /** Bearer, or nothing when the key is empty. */
  | 'bearer-optional'
  /** The key of an Azure resource, or an Entra application that signs in. */
  | 'azure-key'
  | 'x-api-key'
  | 'goog-api-key'
  | 'google-service-account'
  | 'sigv4'
  | 'deepl-key'
  /** A personal access token, or an app that signs its own tokens. */
  | 'coze'
  /** Bearer, or a token signed with the key. */
  | 'zhipu'
  /** Bearer, as one word or in the three parts of the older interface. */
  | 'spark'
  /** Bearer, or the two-part key of the older interface. */
  | 'baidu'
  /** Bearer, or a signature with a three-part key. */
  | 'tencent'
  /** The key is the whole Authorization header. */
  | 'verbatim'

export interface KindAddress {
  /** Empty when the administrator must give one, or when the address follows from the region. */
  readonly defaultBaseUrl: string
  readonly baseUrlEditable: boolean
  readonly baseUrlRequired: boolean
  /** Replaces `/v1` in upstream paths. */
  readonly prefix?: string
}

/** A form in which a key can be written: fields joined by `|`, in this order. A kind's forms must be distinguishable. */
export interface KeyForm {
  readonly id: string
  readonly written: string
  readonly accepts: RegExp
  /** Continues "key …" when no form accepts it; by default it names all forms. */
  readonly rule?: string
  readonly parts: readonly [KeyField, ...KeyField[]]
  /** Follows the others if present. */
  readonly optionalPart?: KeyField
  readonly config?: readonly ConfigField[]
  /** Marks the form that the console proposes, if it is not the first. */
  readonly usual?: true
}

/** A key that is a JSON document, or ends in one. It can contain line breaks and `|`. */
export interface KeyDocument {
  /** As shown to administrators, if no key form states it. */
  readonly written?: string
  readonly isExpected: (config: JsonObject) => boolean
  /** The rule that the key breaks; it never repeats the key. */
  readonly problem: (key: string) => string | undefined
}

/** The column `other`. */
export interface OtherField {
  readonly meaning: string
  readonly accepts: RegExp
  /** Continues "other …". */
  readonly rule: string
  /** Replaces an empty value. */
  readonly fallback?: string
  /** Offered by the console. */
  readonly choices?: readonly string[]
}

export interface ConfigRule {
  readonly accepts: Pick<RegExp, 'test'>
  /** Continues "config.…". */
  readonly rule: string
}

/** The parts of a channel on which rules for its config can depend. `key` is undefined when it cannot be decrypted. */
export interface ConfigDraft {
  readonly config: JsonObject
  readonly baseUrl: string
  readonly key: string | undefined
}

/** `reseller`: not verified to still work · `older`: replaced by another kind · `closed`: ended. `instead`: the kind to choose. */
export type Standing = 'current' | { readonly state: 'reseller' | 'older' | 'closed'; readonly instead: number }

/** The evidence that the provider is called correctly. No vendor was called with our own key. */
export interface Evidence {
  /** Folders under `tests/recorded` with its replies. */
  readonly recorded?: readonly string[]
  /** If there are no recorded replies: folder under `tests/recorded/answers` with replies written from the description. */
  readonly written?: string
  /** Published descriptions, and vectors for credentials. */
  readonly described: string
  /** For administrators who are about to create such a channel. */
  readonly remark?: string
}

/** Where price books get a seller's list prices from. Kinds with the same source share the prices. */
export interface PriceSource {
  /** `reseller`: prices for its own kinds only · `vendor` · `host`: a vendor's prices for open models, used last. */
  readonly seller: 'reseller' | 'vendor' | 'host'
  readonly pi?: string
  readonly genai?: string
  readonly overlay?: string
  readonly currency?: 'CNY'
  /** True if the vendor's higher prices already apply at the threshold; pi-ai says "above" it. */
  readonly isInclusive?: true
}

/** A call in OpenAI's format that the provider accepts in another format, and its path from the root. */
export type ConvertedCall = readonly [translation: CallTranslation, path: string]

export interface ProviderKind {
  readonly code: number
  readonly name: string
  readonly dialect: DialectName
  readonly credentials: CredentialScheme
  readonly address: KindAddress
  readonly quirks: readonly Quirk[]
  /** How its errors tell who is at fault, beyond statuses and the words that all vendors share. The first matching rule applies. */
  readonly failures?: readonly FailureRule[]
  /**
   * Further dialects that it speaks, so that their clients' requests are passed through. The value is where their paths begin,
   * relative to the root of its own; '' if they are next to the main one.
   */
  readonly also?: Readonly<Partial<Record<ChatDialect, string>>>
  /** The dialect that clients of other dialects are translated to; by default its main one. */
  readonly prefers?: ChatDialect
  /** Its chat refuses functions for models that think, as OpenAI does since GPT-5.4; its Responses accept them. */
  readonly movesToolsToResponses?: true
  /** Calls that the provider serves itself, in its own form or in OpenAI's. */
  readonly endpoints: readonly EndpointName[]
  /** Paths from the root that differ from OpenAI's, by endpoint name. */
  readonly elsewhere?: Readonly<Partial<Record<EndpointName, string>>>
  readonly adapters: (setup: ChannelSetup) => ChannelAdapters | SetupProblem
  /** Can be in front of any vendor's models, so all of them are offered; its channels declare their dialect with `api_format`. */
  readonly isAnyServer?: true
  /** Accepts `top_k` for models without a capability rule. */
  readonly takesTopK?: true
  /** Reports the cost of each call, or can be in front of a provider that does. */
  readonly reportsCost?: true
  /** Stores files, containers and threads of requests that are passed through. */
  readonly holdsThreads?: true
  /** Compacts Responses conversations itself; for other kinds the model is asked for a summary. */
  readonly compacts?: true
  /** Also offers Responses on a websocket, at its vendor's own addresses. */
  readonly offersSocket?: true
  /** Limits answers by `max_completion_tokens`, not by `max_tokens`. */
  readonly takesCompletionCap?: true
  /** Whether the provider lists the models of a channel, as its dialect does. */
  readonly modelList: boolean
  /** Undefined if the provider does not report balances. */
  readonly balance?: BalanceSource
  /** Base URL for the balance, if not that of its models. */
  readonly balanceBaseUrl?: string
  readonly keyForms: readonly [KeyForm, ...KeyForm[]]
  readonly keyDocument?: KeyDocument
  readonly keyPlaceholder?: string
  readonly other?: OtherField
  /** Fields of `config` that the console offers, besides those of a key. */
  readonly config?: readonly ConfigField[]
  readonly configRules?: Readonly<Partial<Record<ConfigField, ConfigRule>>>
  readonly missingConfig?: (draft: ConfigDraft) => FieldProblem | undefined
  /** Accepts inference profile ARNs for models. */
  readonly takesArnMap?: true
  readonly standing: Standing
  readonly evidence: Evidence
  /** Sellers whose list prices apply here; empty if models have no list price, or their vendor's. */
  readonly prices: readonly PriceSource[]
}
