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

/** Wire formats that upstreams speak. `raw`: whatever the caller sends. */
export type DialectName = ChatDialect | 'raw'

export type CredentialScheme =
  | 'bearer'
  /** Bearer, or nothing when the key is empty. */
  | 'bearer-optional'
  /** The key of an Azure resource, or an application that signs in at Entra. */
  | 'azure-key'
  | 'x-api-key'
  | 'goog-api-key'
  | 'google-service-account'
  | 'sigv4'
  | 'deepl-key'
  /** A personal access token, or an app that signs for itself. */
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

/** How a channel's base URL becomes an address; see `adapters/base-url.ts`. */
export interface KindAddress {
  /** Empty when the administrator must give one, or when the address follows from the region. */
  readonly defaultBaseUrl: string
  readonly baseUrlEditable: boolean
  readonly baseUrlRequired: boolean
  /** Replaces `/v1` in upstream paths. */
  readonly prefix?: string
}

/** One form in which a key can be written: fields joined by `|`, in this order. A kind's forms must be distinguishable. */
export interface KeyForm {
  /** Names the form in the console's texts. */
  readonly id: string
  /** As shown to administrators. */
  readonly written: string
  readonly accepts: RegExp
  /** Continues "key …" when no form accepts it; by default it names all forms. */
  readonly rule?: string
  readonly parts: readonly [KeyField, ...KeyField[]]
  /** Follows the others when it is given. */
  readonly optionalPart?: KeyField
  /** Fields of `config` that this form needs besides the key. */
  readonly config?: readonly ConfigField[]
  /** The form that the console proposes, if that is not the first one. */
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

/** What the column `other` contains. */
export interface OtherField {
  /** Names the field in the console's texts. */
  readonly meaning: string
  readonly accepts: RegExp
  /** Continues "other …". */
  readonly rule: string
  /** Stored instead of an empty one. */
  readonly fallback?: string
  /** What the console offers. */
  readonly choices?: readonly string[]
}

/** Members of `config` whose rules differ by kind. */
export interface ConfigRule {
  readonly accepts: Pick<RegExp, 'test'>
  /** Continues "config.…". */
  readonly rule: string
}

/** The parts of a channel on which members of its config can depend. `key` is undefined when it cannot be opened. */
export interface ConfigDraft {
  readonly config: JsonObject
  readonly baseUrl: string
  readonly key: string | undefined
}

/**
 * The current state of a provider. `reseller`: not verified to still work · `older`: its successor is another kind · `closed`: its
 * service has ended. `instead` is the code of the kind to choose.
 */
export type Standing = 'current' | { readonly state: 'reseller' | 'older' | 'closed'; readonly instead: number }

/** The evidence that the provider is called correctly. No vendor was called with our own key. */
export interface Evidence {
  /** Folders under `tests/recorded` with its replies. */
  readonly recorded?: readonly string[]
  /** Folder under `tests/recorded/answers` with replies written from the description, if there are no recorded ones. */
  readonly written?: string
  /** Published descriptions, and vectors for credentials. */
  readonly described: string
  /** What an administrator should know before creating such a channel. */
  readonly remark?: string
}

/** Where a seller's list prices come from when a price book is written. Kinds with the same source share the prices. */
export interface PriceSource {
  /** `reseller`: prices for its own kinds only · `vendor` · `host`: a vendor's prices for open models, used last. */
  readonly seller: 'reseller' | 'vendor' | 'host'
  /** File of pi-ai's data. */
  readonly pi?: string
  /** Provider of genai-prices. */
  readonly genai?: string
  /** Table of `tools/prices/overlay`, by its name. */
  readonly overlay?: string
  readonly currency?: 'CNY'
  /** True if the vendor's higher prices already apply at the threshold; pi-ai says "above" it. */
  readonly isInclusive?: true
}

/** A call in OpenAI's format that the provider accepts in another format, and its path from the root. */
export type ConvertedCall = readonly [translation: CallTranslation, path: string]

export interface ProviderKind {
  /** The family's channel type code. */
  readonly code: number
  readonly name: string
  readonly dialect: DialectName
  readonly credentials: CredentialScheme
  readonly address: KindAddress
  /** How it differs from its dialect. */
  readonly quirks: readonly Quirk[]
  /**
   * How its errors tell who is at fault, beyond statuses and the words that all vendors share. The first rule that applies counts.
   */
  readonly failures?: readonly FailureRule[]
  /**
   * Dialects that it speaks besides its main one, so that requests of their clients are passed through. The value is where their
   * paths begin, relative to the root of its own; '' if they are next to the main one.
   */
  readonly also?: Readonly<Partial<Record<ChatDialect, string>>>
  /** The dialect to which clients of other dialects are translated; by default its main one. */
  readonly prefers?: ChatDialect
  /** In chat it refuses functions for models that think, as OpenAI does since GPT-5.4; its Responses accept them. */
  readonly movesToolsToResponses?: true
  /** Calls that the provider serves itself, in its own form or in OpenAI's. */
  readonly endpoints: readonly EndpointName[]
  /** Calls that are served under a path other than OpenAI's, from the root, by the endpoint's name. */
  readonly elsewhere?: Readonly<Partial<Record<EndpointName, string>>>
  readonly adapters: (setup: ChannelSetup) => ChannelAdapters | SetupProblem
  /** Can be in front of any vendor's models, so all of them are offered; its channels declare their dialect with `api_format`. */
  readonly isAnyServer?: true
  /** Accepts `top_k` for models without a capability rule. */
  readonly takesTopK?: true
  /** Reports what each call cost, or can be in front of a provider that does. */
  readonly reportsCost?: true
  /** Stores files, containers and threads of requests that are passed through. */
  readonly holdsThreads?: true
  /** Compacts Responses conversations itself; with all other kinds the model is asked for a summary. */
  readonly compacts?: true
  /** Offers Responses on a websocket as well, at its vendor's own addresses. */
  readonly offersSocket?: true
  /** Limits answers by `max_completion_tokens`, not by `max_tokens`. */
  readonly takesCompletionCap?: true
  /** Whether the provider lists the models of a channel, as its dialect does. */
  readonly modelList: boolean
  /** Undefined if the account's balance cannot be requested. */
  readonly balance?: BalanceSource
  /** Where the balance is requested, when not under the base URL of its models. */
  readonly balanceBaseUrl?: string
  readonly keyForms: readonly [KeyForm, ...KeyForm[]]
  readonly keyDocument?: KeyDocument
  /** Placeholder for a key of one field, in the console. */
  readonly keyPlaceholder?: string
  readonly other?: OtherField
  /** Fields of `config` that the console offers besides those of a key. */
  readonly config?: readonly ConfigField[]
  readonly configRules?: Readonly<Partial<Record<ConfigField, ConfigRule>>>
  /** Members of `config` that a channel requires. */
  readonly missingConfig?: (draft: ConfigDraft) => FieldProblem | undefined
  /** Models can be reached by the ARN of an inference profile. */
  readonly takesArnMap?: true
  readonly standing: Standing
  readonly evidence: Evidence
  /** Sellers whose list prices apply here; none if models have no list price, or their vendor's. */
  readonly prices: readonly PriceSource[]
}
