import type { DisplayedModel } from '@sluice/contract/price-list'
/** A field of a channel and the rule that it breaks, without the field's value. `rule` continues the field's name. */
export interface FieldProblem {
  readonly field: string
  readonly rule: string
}

export type Config = Readonly<Record<string, unknown>>

/** The fields of a channel whose rules depend on its type. */
export interface ChannelDraft {
  readonly type: number
  readonly baseUrl: string
  readonly other: string
  /** Without blank members. */
  readonly config: Config
  readonly modelMapping: string | null
  readonly modelConfigs: string | null
  readonly inferenceProfileArnMap: string | null
  /** Undefined when it cannot be opened. */
  readonly key: string | undefined
}

/** One request of a look at a balance; its reply leads to the next one, to the balance, or to nothing that can be read. */
export interface BalanceStep {
  readonly url: string
  readonly secretHeaders: Readonly<Record<string, string>>
  readonly read: (reply: unknown) => BalanceStep | Balance | { readonly unread: string }
}
export interface Balance {
  /** Millionths of the currency; may be negative. */
  readonly micros: number
  readonly currency: string
}

/** One request for the names of a provider's models. `headers` are for any server, the secret ones for this origin alone. */
export interface ModelListStep {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly secretHeaders: Readonly<Record<string, string>>
  /** Names in the provider's order; undefined when the reply holds no list. */
  readonly read: (reply: unknown) => readonly string[] | undefined
}

/** What is known of the channel types, as data and pure functions. Unknown types have no name, no address, no models. */
export interface ChannelKinds {
  readonly name: (type: number) => string | undefined
  /** Empty when the operator must give one. */
  readonly defaultBaseUrl: (type: number) => string
  readonly baseUrlEditable: (type: number) => boolean
  /** Whether requests can be relayed to the type; others can be stored. */
  readonly isServable: (type: number) => boolean
  readonly endpoints: readonly {
    readonly id: number
    readonly name: string
    readonly description: string
    readonly path: string
  }[]
  readonly defaultEndpoints: (type: number) => readonly string[]
  /** Whether a model can be asked a question, as far as its name tells. */
  readonly isChatModel: (model: string) => boolean
  /** What each model of a channel costs; undefined for a model without a price. */
  readonly prices: (channel: {
    readonly type: number
    readonly modelConfigs: string | null
    readonly modelMapping: string | null
  }) => (model: string) => DisplayedModel | undefined
  /** What is wrong with a text of the option `PriceOverrides`, with model and field; undefined when nothing is. */
  readonly priceOverridesProblem: (text: string) => string | undefined
  /** Model names by type code. */
  readonly knownModels: () => Readonly<Record<string, readonly string[]>>
  /** Every known model, in order of name, with the name of the type that it comes from. */
  readonly modelOwners: () => readonly { readonly model: string; readonly owner: string }[]
  /** Default `model_configs` of a type, as JSON text. */
  readonly defaultModelConfigs: (type: number) => string
  /** The same prices in two tables, as JSON texts. */
  readonly defaultRatios: (type: number) => { readonly modelRatio: string; readonly completionRatio: string }
  /** Members of `config` that are credentials: they become part of the sealed key. */
  readonly secretConfigFields: readonly string[]
  readonly withoutBlanks: (config: Config) => Config
  /** Why keys of callers may not be sent to a channel of this type at this address; `extra` are further origins that may get them. */
  callerHostProblem(type: number, baseUrl: string, extra: readonly string[]): string | undefined
  /** Names of the vendors that keys of callers may be sent to. */
  readonly vendors: readonly string[]
  /** Why a text cannot be a key of a vendor: it is one of another vendor, or of a form that is not sent. */
  readonly vendorKeyProblem: (vendor: string, key: string) => { readonly owner: string } | 'unfit' | undefined
  /** The vendor whose keys a channel takes from its callers, by its type and settings; undefined where it takes none. */
  readonly callerVendor: (type: number, config: string) => string | undefined
  /** The text of `other` to store. */
  readonly storedOther: (type: number, other: string) => string
  readonly problems: (draft: ChannelDraft) => readonly FieldProblem[]
  /** The checked keys of a create call, one per line or joined from `config`; at most `max`. */
  readonly newKeys: (type: number, key: string, config: Config, max?: number) => readonly string[] | FieldProblem
  /** The checked key of an updated channel; undefined keeps the stored one. */
  readonly updatedKey: (
    type: number,
    key: string,
    config: Config,
    changes: Config,
    stored: string | undefined,
  ) => string | undefined | FieldProblem
  readonly keyProblem: (type: number, key: string, config: Config) => FieldProblem | undefined
  /** Whether two types write their keys alike. */
  readonly hasSameKeyForm: (type: number, other: number) => boolean
  readonly typesWithBalance: readonly number[]
  /** The first request of a look at a balance. */
  readonly balanceStep: (
    type: number,
    account: { readonly baseUrl: string; readonly key: string },
  ) => BalanceStep | FieldProblem
  /** Types whose providers can be asked for the names of their models. */
  readonly typesWithModelList: readonly number[]
  /** Undefined where the type, or a key of this kind, opens no list. */
  readonly modelListStep: (
    type: number,
    account: { readonly baseUrl: string; readonly other: string; readonly config: Config; readonly key: string },
  ) => ModelListStep | FieldProblem | undefined
}
