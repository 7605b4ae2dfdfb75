import type { GroupLimits } from './group-limits.ts'
import { type Groups, groupsOf } from './groups.ts'
import type { ModelFallbacks } from './model-fallbacks.ts'

/** Largest quota gift: the same bound as every other quota input. */
const QUOTA_MAX = 1_000_000_000_000_000
const TEXT_MAX = 1_000
const PAGE_TEXT_MAX = 1_000_000

interface Marks {
  /** Served to visitors who have not signed in. */
  readonly public?: true
}
interface FlagDefinition extends Marks {
  readonly type: 'flag'
  readonly default: boolean
  /** Keys of the options that must be set before this one can be switched on. */
  readonly needs?: readonly string[]
}
interface TextDefinition extends Marks {
  readonly type: 'text'
  readonly default: string
  readonly maxLength: number
  /** The required form of a text, and the sentence that states it. An empty text passes unless `required`. */
  readonly form?: Form
  readonly required?: true
}
interface Form {
  readonly pattern: RegExp
  /** Follows the key: "must be …". */
  readonly rule: string
}
interface SecretDefinition {
  /** Stored sealed, never returned by any call; a blank submission keeps the stored value. */
  readonly type: 'secret'
}
interface ChoiceDefinition<Value extends string> extends Marks {
  readonly type: 'choice'
  readonly default: Value
  readonly values: readonly Value[]
}
interface NumberDefinition extends Marks {
  readonly type: 'integer' | 'decimal'
  readonly default: number
  readonly min: number
  readonly max: number
}
interface ListDefinition extends Marks {
  /** Comma-separated. */
  readonly type: 'list'
  readonly default: readonly string[]
  readonly form: Form
}
interface RatiosDefinition extends Marks {
  /** JSON object from name to ratio. In code: name to millionths, the ledger's scale of group ratios. */
  readonly type: 'ratios'
  readonly default: ReadonlyMap<string, bigint>
}
interface GroupsDefinition extends Marks {
  /** See `group-changes.ts`. */
  readonly type: 'groups'
  readonly default: Groups
}
interface FallbacksDefinition extends Marks {
  /** See `parseModelFallbacks`. */
  readonly type: 'fallbacks'
  readonly default: ModelFallbacks
}
interface LimitsDefinition extends Marks {
  /** See `parseGroupLimits`. */
  readonly type: 'limits'
  readonly default: GroupLimits
}
interface PricesDefinition extends Marks {
  /** JSON object from model to prices, as text; see `pricesTextProblem`. Their grammar is checked where it is known. */
  readonly type: 'prices'
  readonly default: string
}
interface AddressDefinition extends Marks {
  /** An http(s) address; or empty, unless `required`. */
  readonly type: 'address'
  readonly default: string
  readonly required?: true
}

export type OptionDefinition =
  | FlagDefinition
  | TextDefinition
  | SecretDefinition
  | ChoiceDefinition<string>
  | NumberDefinition
  | ListDefinition
  | RatiosDefinition
  | GroupsDefinition
  | FallbacksDefinition
  | LimitsDefinition
  | PricesDefinition
  | AddressDefinition

const isPublic = { public: true } as const
const flag = (on: boolean, marks: Omit<FlagDefinition, 'type' | 'default'> = {}): FlagDefinition => ({
  type: 'flag',
  default: on,
  ...marks,
})
const text = (initial = '', marks: Marks = {}): TextDefinition => ({
  type: 'text',
  default: initial,
  maxLength: TEXT_MAX,
  ...marks,
})
/** Letters, digits, hyphens and dots; `smtps://` before it asks for TLS from the first byte. */
const HOST =
  /^(smtps:\/\/)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*|[0-9a-f]*:[0-9a-f:.]+)$/i
const shaped = (pattern: RegExp, rule: string, marks: Marks = {}): TextDefinition => ({
  ...text('', marks),
  form: { pattern, rule },
})
const pageText = (): TextDefinition => ({ type: 'text', default: '', maxLength: PAGE_TEXT_MAX, ...isPublic })
const secret = (): SecretDefinition => ({ type: 'secret' })
const address = (initial = '', marks: Marks = {}): AddressDefinition => ({
  type: 'address',
  default: initial,
  ...marks,
})
const integer = (initial: number, min: number, max: number): NumberDefinition => ({
  type: 'integer',
  default: initial,
  min,
  max,
})
const decimal = (initial: number, min: number, max: number, marks: Marks = {}): NumberDefinition => ({
  type: 'decimal',
  default: initial,
  min,
  max,
  ...marks,
})
const quota = (): NumberDefinition => integer(0, 0, QUOTA_MAX)
const choice = <const Value extends string>(
  initial: NoInfer<Value>,
  values: readonly Value[],
  marks: Marks = {},
): ChoiceDefinition<Value> => ({ type: 'choice', default: initial, values, ...marks })

const GROUP_RATIOS: ReadonlyMap<string, bigint> = new Map([
  ['default', 1_000_000n],
  ['vip', 1_000_000n],
  ['svip', 1_000_000n],
])

/** Every option, with the names, types and defaults of the One API family. */
export const OPTION_DEFINITIONS = {
  // sign-in and registration
  PasswordLoginEnabled: flag(true, isPublic),
  PasswordRegisterEnabled: flag(true, isPublic),
  RegisterEnabled: flag(true, isPublic),
  EmailVerificationEnabled: flag(false, isPublic),
  EmailDomainRestrictionEnabled: flag(false, { needs: ['EmailDomainWhitelist'] }),
  EmailDomainWhitelist: {
    type: 'list',
    default: [
      'gmail.com',
      '163.com',
      '126.com',
      'qq.com',
      'outlook.com',
      'hotmail.com',
      'icloud.com',
      'yahoo.com',
      'foxmail.com',
    ],
    form: {
      pattern: /^(?=.*\.)[a-z0-9.-]{3,253}$/i,
      rule: 'must be a comma-separated list of domains such as example.com',
    },
  },
  GitHubOAuthEnabled: flag(false, { needs: ['GitHubClientId'], ...isPublic }),
  GitHubClientId: text('', isPublic),
  GitHubClientSecret: secret(),
  OidcEnabled: flag(false, isPublic),
  OidcClientId: text('', isPublic),
  OidcClientSecret: secret(),
  OidcWellKnown: address('', isPublic),
  OidcAuthorizationEndpoint: address('', isPublic),
  OidcTokenEndpoint: address('', isPublic),
  OidcUserinfoEndpoint: address('', isPublic),
  LarkClientId: text('', isPublic),
  LarkClientSecret: secret(),
  WeChatAuthEnabled: flag(false, { needs: ['WeChatServerAddress'], ...isPublic }),
  WeChatServerAddress: address(),
  WeChatServerToken: secret(),
  WeChatAccountQRCodeImageURL: address('', isPublic),
  TurnstileCheckEnabled: flag(false, { needs: ['TurnstileSiteKey', 'TurnstileSecretKey'], ...isPublic }),
  TurnstileSiteKey: text('', isPublic),
  TurnstileSecretKey: secret(),
  // mail and payment
  EmailProvider: choice('', ['', 'smtp', 'resend']),
  ResendAPIKey: secret(),
  SMTPServer: shaped(
    HOST,
    'must be a host name or address without a port; prefix it with smtps:// for TLS from the first byte',
  ),
  SMTPPort: integer(587, 1, 65_535),
  SMTPAccount: text(),
  SMTPFrom: shaped(/^[^\s@<>]+@[^\s@<>]+$|^[^<>\r\n]{1,100} <[^\s@<>]+@[^\s@<>]+>$/, 'must be an email address'),
  SMTPToken: secret(),
  /** Whether mail may leave without TLS; see `deliver-smtp.ts`. */
  SMTPTransportSecurity: choice('require', ['require', 'when_offered', 'none']),
  // branding and content
  SystemName: { ...text('Sluice', isPublic), required: true },
  Logo: shaped(
    /^(https?:\/\/[^\s\\]+|\/(?![/\\])[^\s\\]*)$/i,
    'must be an http(s) address or a path on this site',
    isPublic,
  ),
  Footer: pageText(),
  // Without it, links in mail and sign-in redirects lead nowhere.
  ServerAddress: { ...address('http://localhost:3000', isPublic), required: true },
  Notice: pageText(),
  About: pageText(),
  HomePageContent: pageText(),
  Theme: choice('modern', ['default', 'berry', 'air', 'modern'], isPublic),
  TopUpLink: address('', isPublic),
  ChatLink: address('', isPublic),
  // quota
  QuotaForNewUser: quota(),
  QuotaForInviter: quota(),
  QuotaForInvitee: quota(),
  QuotaRemindThreshold: integer(1_000, 0, QUOTA_MAX),
  PreConsumedQuota: integer(500, 0, 1_000_000_000),
  QuotaPerUnit: decimal(500_000, 1, QUOTA_MAX, isPublic),
  GroupRatio: { type: 'ratios', default: GROUP_RATIOS },
  /** The same groups with all their settings; `UserUsableGroups`, `GroupGroupRatio` and `AutoGroups` are parts of it. */
  Groups: { type: 'groups', default: groupsOf(GROUP_RATIOS, new Map()) },
  /** Model prices on every channel that does not set its own; in the grammar of a channel's `model_configs`. */
  PriceOverrides: { type: 'prices', default: '{}' } as PricesDefinition,
  /** How a model without a price is treated: refused, charged the ratio below, or charged the cost that its provider reports. */
  UnpricedModelPolicy: choice('refuse', ['refuse', 'fallback', 'reported']),
  /** The charge for every token of a model without a price; 1 is one quota point, or 2 US dollars per million tokens. */
  UnpricedModelRatio: decimal(30, 0, 1_000_000),
  DisplayInCurrencyEnabled: flag(true, isPublic),
  DisplayTokenStatEnabled: flag(true),
  ApproximateTokenEnabled: flag(false),
  // answers that are not what was asked for
  ClientLeftEarlyPolicy: choice('void', ['void', 'prompt']),
  ClientLeftPolicy: choice('delivered', ['delivered', 'drain', 'void']),
  UpstreamBrokenPolicy: choice('delivered', ['delivered', 'void']),
  EmptyAnswerPolicy: choice('reported', ['reported', 'void']),
  ErrorInAnswerPolicy: choice('void', ['void', 'reported']),
  /** How a request that cannot be fully translated for its provider is treated. */
  LossPolicy: choice('report', ['report', 'refuse']),
  // limits
  GroupLimits: { type: 'limits', default: new Map() } as LimitsDefinition,
  /**
   * Relayed requests from one address per minute, whatever key they carry; an IPv6 address counts with its /64. 0 sets no limit.
   */
  AddressRequestsPerMinute: integer(0, 0, 1_000_000_000),
  // channels
  AutomaticDisableChannelEnabled: flag(false),
  AutomaticEnableChannelEnabled: flag(false),
  /** Share in percent of a channel's recent tests, and of its calls in the last minutes; 100 never. */
  ChannelDisableThreshold: decimal(5, 0, 100),
  /** An answer to a test that takes longer counts as failed; 0 sets no limit. The family uses its threshold for this. */
  ChannelDisableSeconds: decimal(0, 0, 30),
  /** Minutes between two tests of all enabled channels; 0 for no tests. */
  ChannelTestMinutes: integer(0, 0, 10_080),
  /** Minutes between two tests of what was disabled automatically and may be enabled again; 0 for no tests. */
  ChannelRecoveryMinutes: integer(5, 0, 10_080),
  /** Hours between two checks of all balances; 0 for no checks. */
  ChannelBalanceHours: integer(0, 0, 720),
  /** Further channels that a request may try. The family's default of 0 would pass every hiccup of a provider on to the client. */
  RetryTimes: integer(2, 0, 10),
  /** Models to call instead when no channel answers for a model; for conversations only. */
  ModelFallbacks: { type: 'fallbacks', default: new Map() } as FallbacksDefinition,
  /** Ids and addresses of files, stores and other objects at providers to which every user may refer; `*` for all. */
  SharedObjects: {
    type: 'list',
    default: [] as readonly string[],
    form: {
      pattern: /^(\*|\S{2,256})$/,
      rule: 'must be a comma-separated list of ids or addresses without spaces, of at most 256 characters each, or *',
    },
  },
  // logging and notifications
  LogConsumeEnabled: flag(true),
  /** Unix seconds: rows created before were cleared and are not shown. Only clearing the logs moves it, and never backwards. */
  LogClearedBefore: integer(0, 0, 253_402_300_799),
  MessagePusherAddress: address(),
  MessagePusherToken: secret(),
} as const satisfies Readonly<Record<string, OptionDefinition>>

const OVERRIDDEN = 'prices come from the price book; PriceOverrides and a channel’s model configs override them'

/** Options of the family that have no meaning here, and what to use instead. */
export const RETIRED_OPTIONS: Readonly<Record<string, string>> = {
  AvailableGroups: 'the groups are the names in GroupRatio',
  ModelRatio: OVERRIDDEN,
  StripeSecretKey: 'card payments are not supported; set TopUpLink to your own shop',
  StripeWebhookSecret: 'card payments are not supported; set TopUpLink to your own shop',
  MinTopUpUSD: 'card payments are not supported; set TopUpLink to your own shop',
  CompletionRatio: OVERRIDDEN,
  CacheRatio: OVERRIDDEN,
  CreateCacheRatio: OVERRIDDEN,
  ModelPrice: OVERRIDDEN,
}

export type OptionKey = keyof typeof OPTION_DEFINITIONS

export type OptionValue<D extends OptionDefinition> = D extends { type: 'secret' }
  ? string
  : Widened<Exclude<D, SecretDefinition>['default']>

type Widened<T> = T extends boolean ? boolean : T extends readonly string[] ? readonly string[] : T
