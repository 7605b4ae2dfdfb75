import type { OptionKey } from '../../packages/store/src/options/option-definitions.ts'

/** What an option does, and the file under `apps/gateway/src` where it takes effect. */
export interface OptionEffect {
  readonly effect: string
  readonly file: string
}

const SIGN_IN = 'management/sessions/sign-in.ts'
const REGISTRATION = 'management/account/registration.ts'
const CODES = 'management/account/email-codes.ts'
const PROVIDERS = 'sign-in-providers/sign-in-providers.ts'
const PROVIDER_CALLS = 'management/provider-sign-in/sign-in-methods.ts'
const CHALLENGE = 'management/identity/bot-challenge.ts'
const MAIL = 'messages/mail-transport.ts'
const NOTIFY = 'messages/notify.ts'
const STATUS = 'management/system/system.ts'
const GIFTS = 'management/account/new-account.ts'
const BILLING = 'management/key-holder/billing.ts'
const BROKEN = 'relay/charge/billing-rule.ts'
const RESERVE = 'relay/charge/reserve.ts'
const CHOOSE = 'relay/routing/look-at-channel.ts'
const VERDICT = 'management/channels/jobs/channel-verdict.ts'
const SCHEDULE = 'jobs/channel-schedule.ts'

/** One row per option: an option without a row does not compile, and the test fails if the row's file never reads it. */
export const OPTION_EFFECTS: Readonly<Record<OptionKey, OptionEffect>> = {
  PasswordLoginEnabled: { effect: 'Off: only root can sign in with a password.', file: SIGN_IN },
  PasswordRegisterEnabled: { effect: 'Off: no registration with a password.', file: REGISTRATION },
  RegisterEnabled: { effect: 'Off: only administrators create accounts.', file: REGISTRATION },
  EmailVerificationEnabled: {
    effect: 'On: registering and changing an address require a code sent by email.',
    file: REGISTRATION,
  },
  EmailDomainRestrictionEnabled: { effect: 'On: codes are sent only to the listed mail domains.', file: CODES },
  EmailDomainWhitelist: { effect: 'The mail domains that are accepted while they are restricted.', file: CODES },
  GitHubOAuthEnabled: { effect: 'On: sign-in with GitHub.', file: PROVIDER_CALLS },
  GitHubClientId: { effect: 'Client id at GitHub, also for the console’s button.', file: PROVIDERS },
  GitHubClientSecret: { effect: 'Client secret at GitHub.', file: PROVIDERS },
  OidcEnabled: { effect: 'On: sign-in with the OpenID Connect provider.', file: PROVIDER_CALLS },
  OidcClientId: { effect: 'Client id at the OpenID Connect provider.', file: PROVIDERS },
  OidcClientSecret: { effect: 'Client secret at the OpenID Connect provider.', file: PROVIDERS },
  OidcWellKnown: { effect: 'Address of the provider’s configuration document.', file: PROVIDERS },
  OidcAuthorizationEndpoint: { effect: 'Where the browser is sent, if there is no such document.', file: PROVIDERS },
  OidcTokenEndpoint: { effect: 'Where a code is exchanged, if there is no such document.', file: PROVIDERS },
  OidcUserinfoEndpoint: {
    effect: 'Where the user’s identity is requested, if there is no such document.',
    file: PROVIDERS,
  },
  LarkClientId: { effect: 'App id at Lark; sign-in with Lark is offered if it is set.', file: PROVIDERS },
  LarkClientSecret: { effect: 'App secret at Lark.', file: PROVIDERS },
  WeChatAuthEnabled: { effect: 'On: sign-in with a code from the WeChat server.', file: PROVIDER_CALLS },
  WeChatServerAddress: { effect: 'Address of the WeChat server.', file: PROVIDERS },
  WeChatServerToken: { effect: 'Token for the WeChat server.', file: PROVIDERS },
  WeChatAccountQRCodeImageURL: { effect: 'Image to scan, in the public status.', file: STATUS },
  TurnstileCheckEnabled: {
    effect:
      'On: registering, emailed codes and sign-in require the bot challenge; without its secret, only users at this machine can sign in.',
    file: CHALLENGE,
  },
  TurnstileSiteKey: { effect: 'Site key of the challenge, in the public status.', file: STATUS },
  TurnstileSecretKey: { effect: 'Secret with which answers to the challenge are checked.', file: CHALLENGE },
  EmailProvider: { effect: 'How mail is sent: smtp, resend, or whichever is set up.', file: MAIL },
  ResendAPIKey: { effect: 'Key for mail through Resend.', file: MAIL },
  SMTPServer: { effect: 'Mail server.', file: MAIL },
  SMTPPort: { effect: 'Port of the mail server; 465 uses TLS from the start.', file: MAIL },
  SMTPAccount: { effect: 'Account at the mail server.', file: MAIL },
  SMTPFrom: { effect: 'Sender of mail; by default the account.', file: MAIL },
  SMTPToken: { effect: 'Password at the mail server.', file: MAIL },
  SMTPTransportSecurity: {
    effect:
      'Whether mail may be sent without TLS: never, where the server offers none, or always, on private networks only.',
    file: MAIL,
  },
  SystemName: { effect: 'Name in the console, in mail, in authenticator apps and passkeys.', file: STATUS },
  Logo: { effect: 'Image in the console, in the public status.', file: STATUS },
  Footer: { effect: 'Footer of the console, in the public status.', file: STATUS },
  ServerAddress: {
    effect: 'The gateway’s own address: links in mail, redirects of sign-in, own origin.',
    file: 'management/management.ts',
  },
  Notice: { effect: 'Text of `/api/notice`.', file: STATUS },
  About: { effect: 'Text of `/api/about`.', file: STATUS },
  HomePageContent: { effect: 'Text of `/api/home_page_content`.', file: STATUS },
  Theme: { effect: 'Name of the theme, in the public status for consoles that have several.', file: STATUS },
  TopUpLink: { effect: 'Where users buy quota: in the public status and in reminders.', file: STATUS },
  ChatLink: { effect: 'Link to a chat application, in the public status.', file: STATUS },
  QuotaForNewUser: { effect: 'Quota given to every new account.', file: GIFTS },
  QuotaForInviter: {
    effect: 'Quota given to the inviter of a new account, once its first call is charged.',
    file: GIFTS,
  },
  QuotaForInvitee: { effect: 'Additional quota given to an invited account.', file: GIFTS },
  QuotaRemindThreshold: {
    effect: 'Users are reminded by mail when their quota falls below this.',
    file: 'messages/ledger-events.ts',
  },
  PreConsumedQuota: { effect: 'Answer tokens held at the start of a stream that sets no limit itself.', file: RESERVE },
  QuotaPerUnit: {
    effect: 'Quota points per currency unit: in the public status and the billing calls.',
    file: BILLING,
  },
  PriceOverrides: {
    effect:
      'Model prices on every channel that does not set its own, ahead of the price book; in the grammar of `model_configs` ([prices](../prices.md)).',
    file: 'relay/open-relay.ts',
  },
  UnpricedModelPolicy: {
    effect:
      'A model without a price is refused (`refuse`), costs `UnpricedModelRatio` for every token (`fallback`), or the cost that its provider reports, and that ratio if none is reported (`reported`).',
    file: CHOOSE,
  },
  UnpricedModelRatio: { effect: 'Quota per token of a model without a price; 1 is 2 USD per million.', file: CHOOSE },
  GroupRatio: {
    effect: 'The groups, each with the factor for its prices: the names and ratios of `Groups`.',
    file: 'management/users/create-user.ts',
  },
  Groups: {
    effect:
      'The groups with their ratios, who else may use them for tokens, other ratios for certain users, and the order in which `auto` tries them. The family’s `UserUsableGroups`, `GroupGroupRatio` and `AutoGroups` are parts of it.',
    file: 'relay/routing/plan.ts',
  },
  DisplayInCurrencyEnabled: { effect: 'Off: the console and the billing calls show quota points.', file: BILLING },
  DisplayTokenStatEnabled: {
    effect: 'Off: the billing calls return the account’s balance instead of the token’s.',
    file: BILLING,
  },
  ApproximateTokenEnabled: {
    effect: 'On: tokens that the provider did not report are estimated by size.',
    file: 'relay/charge/own-counts.ts',
  },
  ClientLeftEarlyPolicy: {
    effect:
      'What is charged when a client disconnects before any of its answer has arrived: void, nothing; prompt, its prompt.',
    file: BROKEN,
  },
  ClientLeftPolicy: {
    effect:
      'What is charged when a client disconnects during a stream: delivered, what it received, or the count of an answer that is read to its end if that does not show the cost; drain, always that count; void, nothing. Reading on is bounded by SLUICE_READ_ON_TIMEOUT.',
    file: BROKEN,
  },
  UpstreamBrokenPolicy: {
    effect: 'What is charged for a stream that the provider interrupts: delivered, what arrived; void, nothing.',
    file: BROKEN,
  },
  EmptyAnswerPolicy: {
    effect: 'What is charged for a complete but empty answer: reported, what the provider counted; void, nothing.',
    file: BROKEN,
  },
  LossPolicy: {
    effect:
      'A request that the provider’s dialect cannot express in full: report, translated with its losses listed; refuse, another provider is used or the request is refused.',
    file: 'relay/upstream/dispatch.ts',
  },
  ErrorInAnswerPolicy: {
    effect: 'What is charged for an error with a success status: void, nothing; reported, what the provider counted.',
    file: BROKEN,
  },
  AutomaticDisableChannelEnabled: {
    effect: 'On: failing tests and calls disable a channel or its key.',
    file: VERDICT,
  },
  AutomaticEnableChannelEnabled: {
    effect: 'On: a successful test enables again what the gateway has disabled.',
    file: VERDICT,
  },
  ChannelDisableThreshold: {
    effect:
      'A channel is disabled when more than this percentage of its recent tests, or of its calls in 15 minutes, failed.',
    file: VERDICT,
  },
  ChannelDisableSeconds: { effect: 'Seconds after which a test counts as failed.', file: VERDICT },
  ChannelTestMinutes: { effect: 'Minutes between two tests of all enabled channels; 0 none.', file: SCHEDULE },
  ChannelRecoveryMinutes: {
    effect: 'Minutes between two tests of what the gateway has disabled and may enable again; 0 none.',
    file: SCHEDULE,
  },
  ChannelBalanceHours: { effect: 'Hours between two look-ups of all balances; 0 none.', file: SCHEDULE },
  GroupLimits: {
    effect:
      'Limits for each user of a group, all tokens together: requests and tokens per minute, concurrent requests.',
    file: 'relay/caller/limits/admit.ts',
  },
  AddressRequestsPerMinute: {
    effect: 'Relayed requests of one address per minute, whatever their key.',
    file: 'relay/caller/limits/limit.ts',
  },
  RetryTimes: {
    effect:
      'Further channels that are tried when one fails; 0 tries none. Fallback models may be tried as many times in addition.',
    file: 'relay/routing/plan.ts',
  },
  ModelFallbacks: {
    effect:
      'Models that are used instead when no channel can serve one; conversations only, charged as the model that answered.',
    file: 'relay/routing/plan.ts',
  },
  SharedObjects: {
    effect:
      'Files, stores, prompts and other objects at providers that every user may name in a request; `*` for all of them. Others are refused, except those that the user’s own calls have made.',
    file: 'relay/stored/find-stored.ts',
  },
  LogConsumeEnabled: { effect: 'Off: charges leave no log row; the ledger can still be proved.', file: RESERVE },
  LogClearedBefore: {
    effect: 'Set by clearing the logs: older rows are hidden from everyone.',
    file: 'management/logs/log-scope.ts',
  },
  MessagePusherAddress: { effect: 'Where operators are notified of events; by default by mail.', file: NOTIFY },
  MessagePusherToken: { effect: 'Token for that address.', file: NOTIFY },
}
