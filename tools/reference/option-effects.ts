import type { OptionKey } from '../../packages/store/src/option-definitions.ts'

/** What an option does, and the file under `apps/gateway/src` where it takes effect. */
export interface OptionEffect {
  readonly effect: string
  readonly file: string
}

const SIGN_IN = 'management/sessions/sign-in.ts'
const REGISTRATION = 'management/account/registration.ts'
const CODES = 'management/account/email-codes.ts'
const PROVIDERS = 'sign-in-providers/sign-in-providers.ts'
const PROVIDER_CALLS = 'management/provider-sign-in/ways-in.ts'
const CHALLENGE = 'management/identity/bot-challenge.ts'
const MAIL = 'messages/mail-transport.ts'
const NOTIFY = 'messages/notify.ts'
const STATUS = 'management/system/system.ts'
const GIFTS = 'management/account/new-account.ts'
const BILLING = 'management/key-holder/billing.ts'
const BROKEN = 'relay/broken-answer.ts'
const RESERVE = 'relay/reserve.ts'
const CHOOSE = 'relay/choose.ts'
const VERDICT = 'management/channels/channel-verdict.ts'
const SCHEDULE = 'jobs/channel-schedule.ts'

/** One row for every option: one without an effect does not compile, one whose file never reads it fails the test. */
export const OPTION_EFFECTS: Readonly<Record<OptionKey, OptionEffect>> = {
  PasswordLoginEnabled: { effect: 'Off: only root signs in with a password.', file: SIGN_IN },
  PasswordRegisterEnabled: { effect: 'Off: no registration with a password.', file: REGISTRATION },
  RegisterEnabled: { effect: 'Off: no new account by any way but an administrator’s.', file: REGISTRATION },
  EmailVerificationEnabled: {
    effect: 'On: registering and changing an address need a code by mail.',
    file: REGISTRATION,
  },
  EmailDomainRestrictionEnabled: { effect: 'On: codes go to listed mail domains only.', file: CODES },
  EmailDomainWhitelist: { effect: 'The mail domains that are accepted while restricted.', file: CODES },
  GitHubOAuthEnabled: { effect: 'On: sign-in with GitHub.', file: PROVIDER_CALLS },
  GitHubClientId: { effect: 'Client id at GitHub, also for the console’s button.', file: PROVIDERS },
  GitHubClientSecret: { effect: 'Client secret at GitHub.', file: PROVIDERS },
  OidcEnabled: { effect: 'On: sign-in with the OpenID Connect provider.', file: PROVIDER_CALLS },
  OidcClientId: { effect: 'Client id at the OpenID Connect provider.', file: PROVIDERS },
  OidcClientSecret: { effect: 'Client secret at the OpenID Connect provider.', file: PROVIDERS },
  OidcWellKnown: { effect: 'Address of the provider’s configuration document.', file: PROVIDERS },
  OidcAuthorizationEndpoint: { effect: 'Where the browser is sent, if there is no such document.', file: PROVIDERS },
  OidcTokenEndpoint: { effect: 'Where a code is exchanged, if there is no such document.', file: PROVIDERS },
  OidcUserinfoEndpoint: { effect: 'Where the person is asked for, if there is no such document.', file: PROVIDERS },
  LarkClientId: { effect: 'App id at Lark; set: sign-in with Lark.', file: PROVIDERS },
  LarkClientSecret: { effect: 'App secret at Lark.', file: PROVIDERS },
  WeChatAuthEnabled: { effect: 'On: sign-in with a code of the WeChat server.', file: PROVIDER_CALLS },
  WeChatServerAddress: { effect: 'Address of the WeChat server.', file: PROVIDERS },
  WeChatServerToken: { effect: 'Token for the WeChat server.', file: PROVIDERS },
  WeChatAccountQRCodeImageURL: { effect: 'Picture to scan, in the public status.', file: STATUS },
  TurnstileCheckEnabled: {
    effect:
      'On: registering, mailed codes and sign-in need the bot challenge; without its secret, only who sits at this machine signs in.',
    file: CHALLENGE,
  },
  TurnstileSiteKey: { effect: 'Site key of the challenge, in the public status.', file: STATUS },
  TurnstileSecretKey: { effect: 'Secret with which answers to the challenge are checked.', file: CHALLENGE },
  EmailProvider: { effect: 'How mail leaves: smtp, resend, or by what is set up.', file: MAIL },
  ResendAPIKey: { effect: 'Key for mail through Resend.', file: MAIL },
  SMTPServer: { effect: 'Mail server.', file: MAIL },
  SMTPPort: { effect: 'Port of the mail server; 465 speaks TLS from the start.', file: MAIL },
  SMTPAccount: { effect: 'Account at the mail server.', file: MAIL },
  SMTPFrom: { effect: 'Sender of mail; else the account.', file: MAIL },
  SMTPToken: { effect: 'Password at the mail server.', file: MAIL },
  SMTPTransportSecurity: {
    effect:
      'Whether mail may leave without TLS: never, where the server offers none, or always, on private networks only.',
    file: MAIL,
  },
  SystemName: { effect: 'Name in the console, in mail, in authenticator apps and passkeys.', file: STATUS },
  Logo: { effect: 'Picture in the console, in the public status.', file: STATUS },
  Footer: { effect: 'Footer of the console, in the public status.', file: STATUS },
  ServerAddress: {
    effect: 'The gateway’s own address: links in mail, redirects of sign-in, own origin.',
    file: 'management/management.ts',
  },
  Notice: { effect: 'Text of `/api/notice`.', file: STATUS },
  About: { effect: 'Text of `/api/about`.', file: STATUS },
  HomePageContent: { effect: 'Text of `/api/home_page_content`.', file: STATUS },
  Theme: { effect: 'Name of the look, in the public status for consoles that have several.', file: STATUS },
  TopUpLink: { effect: 'Where users buy quota: in the public status and in reminders.', file: STATUS },
  ChatLink: { effect: 'Link to a chat application, in the public status.', file: STATUS },
  QuotaForNewUser: { effect: 'Quota given to every new account.', file: GIFTS },
  QuotaForInviter: { effect: 'Quota given to who invited a new account.', file: GIFTS },
  QuotaForInvitee: { effect: 'Quota given to an invited account on top.', file: GIFTS },
  QuotaRemindThreshold: {
    effect: 'Users are reminded by mail when their quota falls below.',
    file: 'messages/ledger-events.ts',
  },
  PreConsumedQuota: { effect: 'Answer tokens held at first for a stream without a limit of its own.', file: RESERVE },
  QuotaPerUnit: {
    effect: 'Quota points of one currency unit: in the public status and the billing calls.',
    file: BILLING,
  },
  UnpricedModelPolicy: {
    effect:
      'A model without a price is refused (`refuse`), costs `UnpricedModelRatio` for every token (`fallback`), or what its provider says the call cost and that ratio where it says nothing (`reported`).',
    file: CHOOSE,
  },
  UnpricedModelRatio: { effect: 'Quota per token of a model without a price; 1 is 2 USD per million.', file: CHOOSE },
  GroupRatio: { effect: 'The groups, and the factor on every price for each.', file: RESERVE },
  DisplayInCurrencyEnabled: { effect: 'Off: the console and the billing calls show quota points.', file: BILLING },
  DisplayTokenStatEnabled: {
    effect: 'Off: the billing calls tell the account’s balance instead of the token’s.',
    file: BILLING,
  },
  ApproximateTokenEnabled: {
    effect: 'On: tokens that no provider reported are counted by size.',
    file: 'relay/settle.ts',
  },
  ClientLeftEarlyPolicy: {
    effect: 'What a client pays that leaves before anything of its answer came: void, nothing; prompt, its prompt.',
    file: BROKEN,
  },
  ClientLeftPolicy: {
    effect:
      'What a client pays that leaves a stream: delivered, what it got, or the count of an answer that is read on where that does not show what it cost; drain, always that count; void, nothing. Reading on is bounded by SLUICE_READ_ON_TIMEOUT.',
    file: BROKEN,
  },
  UpstreamBrokenPolicy: {
    effect: 'What is paid for a stream that the provider breaks off: delivered, what came; void, nothing.',
    file: BROKEN,
  },
  EmptyAnswerPolicy: {
    effect: 'What is paid for a proper answer with nothing in it: reported, what the provider counted; void, nothing.',
    file: BROKEN,
  },
  LossPolicy: {
    effect:
      'A request that its provider cannot be told in full: report, told with what is lost listed; refuse, another is asked or the request is refused.',
    file: 'relay/dispatch.ts',
  },
  ErrorInAnswerPolicy: {
    effect:
      'What is paid for an error under a good status: void, nothing; reported, what the provider counted beside it.',
    file: BROKEN,
  },
  AutomaticDisableChannelEnabled: {
    effect: 'On: tests and calls that fail switch a channel or its key off.',
    file: VERDICT,
  },
  AutomaticEnableChannelEnabled: {
    effect: 'On: a good test switches on again what the gateway has switched off.',
    file: VERDICT,
  },
  ChannelDisableThreshold: {
    effect:
      'A channel is switched off when more than this percentage of its recent tests, or of its calls in 15 minutes, failed.',
    file: VERDICT,
  },
  ChannelDisableSeconds: { effect: 'Seconds after which an answer to a test counts as failed.', file: VERDICT },
  ChannelTestMinutes: { effect: 'Minutes between two tests of all enabled channels; 0 none.', file: SCHEDULE },
  ChannelRecoveryMinutes: {
    effect:
      'Minutes between two tests of what the gateway has switched off, where it may be switched on again; 0 none.',
    file: SCHEDULE,
  },
  ChannelBalanceHours: { effect: 'Hours between two looks at all balances; 0 none.', file: SCHEDULE },
  GroupLimits: {
    effect:
      'What each user of a group may ask for, all tokens together: requests and tokens in a minute, requests at once.',
    file: 'relay/limits/admit.ts',
  },
  AddressRequestsPerMinute: {
    effect: 'Relayed requests of one address in a minute, whatever key they carry.',
    file: 'relay/limit.ts',
  },
  RetryTimes: {
    effect:
      'Further channels that are tried when one fails; 0 tries none. Fallback models may be tried as often again.',
    file: 'relay/plan.ts',
  },
  ModelFallbacks: {
    effect:
      'Models that are asked instead when no channel answers for one; conversations only, charged as what answered.',
    file: 'relay/plan.ts',
  },
  SharedObjects: {
    effect:
      'Files, stores, prompts and other objects at providers that every user may name in a request; `*` for all of them. Others are refused, but for what the user’s own calls have made.',
    file: 'relay/kept/locate.ts',
  },
  LogConsumeEnabled: { effect: 'Off: charges leave no log row; the books stay provable.', file: RESERVE },
  LogClearedBefore: {
    effect: 'Set by clearing the logs: older rows are shown to nobody.',
    file: 'management/logs/log-scope.ts',
  },
  MessagePusherAddress: { effect: 'Where operators are told of events; else by mail.', file: NOTIFY },
  MessagePusherToken: { effect: 'Token for that place.', file: NOTIFY },
}
