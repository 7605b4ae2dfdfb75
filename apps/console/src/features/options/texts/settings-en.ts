import type { SettingKey } from '../model/settings.ts'

/** A setting's name and effect, the consequence of a change that needs confirmation, and the names of its choices. */
export interface SettingTexts {
  readonly label: string
  readonly help: string
  readonly consequence?: string
  readonly choices?: Readonly<Record<string, string>>
}

const CHARGED_AT_ONCE = 'This applies to requests that start from now on. Past charges do not change.'

const OF_GROUPS = 'Part of Groups, under the name that One API’s clients use.'

export const settingsEn = {
  QuotaForNewUser: {
    label: 'Quota for new users',
    help: 'Given to every account when it is created.',
    consequence:
      'Every account registered from now on gets this quota at your expense. Existing accounts do not change.',
  },
  QuotaForInviter: {
    label: 'Quota for inviters',
    help: 'Given to the user who invited a new account, once that account’s first call is charged.',
    consequence: 'Every user whose invitation is used from now on gets this quota at your expense.',
  },
  QuotaForInvitee: {
    label: 'Quota for invited users',
    help: 'Given to a new account that was invited, on top of the quota for new users.',
    consequence: 'Every invited account that registers from now on gets this quota at your expense.',
  },
  QuotaRemindThreshold: {
    label: 'Reminder threshold',
    help: 'Users are reminded by email when their quota falls below this.',
  },
  PreConsumedQuota: {
    label: 'Tokens held for a stream',
    help: 'Answer tokens put on hold at the start of a stream that does not set a limit; the unused part is released.',
  },
  Groups: {
    label: 'Groups',
    help: 'Every group, with the factor for its prices and the users whose tokens may choose it. The group "default" must be among them.',
    consequence: `All prices of a group are multiplied by its ratio, and tokens can use only the groups that their owners may use. ${CHARGED_AT_ONCE}`,
  },
  UserUsableGroups: { label: 'Groups that everyone may choose', help: OF_GROUPS },
  GroupGroupRatio: { label: 'Ratios for users of other groups', help: OF_GROUPS },
  AutoGroups: { label: 'Groups of “auto”', help: OF_GROUPS },
  GroupRatio: {
    label: 'Group ratios',
    help: 'The groups, each with the factor for its prices: 1 charges the list price, 0.5 half of it. The group "default" must be among them.',
    consequence: `All prices of a group are multiplied by its ratio. ${CHARGED_AT_ONCE}`,
  },
  PriceOverrides: {
    label: 'Price overrides',
    help: 'Model prices on every channel that does not set its own: {"gpt-4o": {"ratio": 1.25, "completion_ratio": 4, "cached_input_ratio": 0.625}}; ratio 1 is 2 US dollars per million tokens. {"per_call": {"usd_per_thousand_calls": 40, "only": true}} charges 0.04 dollars for each call and nothing else. All fields of a channel’s model configs apply; models that are not listed cost the list price. At most 2,000 models.',
    consequence: `Every model listed here is charged at these prices on all channels without a price of their own; models removed from the list are charged at the list price. ${CHARGED_AT_ONCE}`,
  },
  GroupLimits: {
    label: 'User limits',
    help: 'What each user of a group may request, across all their tokens: {"default": {"rpm": 60, "tpm": 100000, "concurrency": 10}} limits requests and tokens per minute, and concurrent requests. Anything left out is unlimited.',
  },
  AddressRequestsPerMinute: {
    label: 'Requests per address per minute',
    help: 'Relayed requests, whatever the key; this also limits how fast keys can be guessed. 0 sets no limit. If the gateway is behind a proxy, first add the proxy to SLUICE_TRUSTED_PROXIES, or all users share one limit.',
  },
  UnpricedModelPolicy: {
    label: 'Models without a price',
    help: 'What happens to a request for a model without a known price.',
    consequence: `Requests that are refused now may be charged from now on, or the other way round. ${CHARGED_AT_ONCE}`,
    choices: {
      refuse: 'Refuse the request',
      fallback: 'Charge the ratio below for every token',
      reported: 'Charge the cost reported by the provider, otherwise the ratio below',
    },
  },
  UnpricedModelRatio: {
    label: 'Ratio for models without a price',
    help: 'Quota points for every token of such a model; 1 is 2 US dollars per million tokens.',
    consequence: `Every token of a model without a price costs this many quota points. ${CHARGED_AT_ONCE}`,
  },
  ApproximateTokenEnabled: {
    label: 'Estimate tokens',
    help: 'Tokens that the provider did not report are estimated by size. Off: they are not charged.',
    consequence: `Answers without a usage report are charged by an estimate while this is on, and not at all while it is off. ${CHARGED_AT_ONCE}`,
  },
  ClientLeftEarlyPolicy: {
    label: 'Client disconnects before the answer starts',
    help: 'What to charge when the client disconnects before anything was delivered.',
    consequence: CHARGED_AT_ONCE,
    choices: { void: 'Nothing', prompt: 'The prompt' },
  },
  ClientLeftPolicy: {
    label: 'Client disconnects during a stream',
    help: 'What to charge when a client disconnects during a stream. Answers that may cost more than their text shows (reasoning, audio, images, searches) are read to the end for their usage, unless nothing is charged.',
    consequence: CHARGED_AT_ONCE,
    choices: {
      delivered: 'The delivered part',
      drain: 'The whole answer, always read to the end',
      void: 'Nothing',
    },
  },
  UpstreamBrokenPolicy: {
    label: 'Provider interrupts a stream',
    help: 'What to charge when an answer ends before it is complete.',
    consequence: CHARGED_AT_ONCE,
    choices: { delivered: 'The delivered part', void: 'Nothing' },
  },
  EmptyAnswerPolicy: {
    label: 'Empty answer',
    help: 'What to charge for a complete answer without content.',
    consequence: CHARGED_AT_ONCE,
    choices: { reported: 'The provider’s count', void: 'Nothing' },
  },
  ErrorInAnswerPolicy: {
    label: 'Error with status 200',
    help: 'What to charge when a provider answers with status 200 and an error in the body.',
    consequence: CHARGED_AT_ONCE,
    choices: { void: 'Nothing', reported: 'The provider’s count' },
  },
  TopUpLink: {
    label: 'Top-up link',
    help: 'Your shop for quota. The Top Up page and reminders link to it.',
  },
  ChatLink: { label: 'Chat link', help: 'A chat application for your users.' },
  ServerAddress: {
    label: 'Server address',
    help: 'The address at which people reach this gateway. Links in emails, sign-in redirects and passkeys use it.',
    consequence:
      'Sign-in with other accounts, passkeys and links in emails work only with this address. If it is wrong, people are locked out.',
  },
  QuotaPerUnit: {
    label: 'Quota points per currency unit',
    help: 'How many quota points are shown as $1.00.',
    consequence:
      'Every amount in the console, in emails and in the billing calls changes. Balances and prices are stored in quota points and do not change: no one gains or loses anything.',
  },
  DisplayInCurrencyEnabled: {
    label: 'Show amounts in currency',
    help: 'Off: the console and the billing calls show quota points.',
  },
  DisplayTokenStatEnabled: {
    label: 'Billing calls return the token’s quota',
    help: 'Off: they return the balance of the account instead.',
  },
  AutomaticDisableChannelEnabled: {
    label: 'Disable failing channels',
    help: 'A channel is disabled when more of its tests or calls fail than the threshold allows, and a key when its provider refuses it.',
  },
  AutomaticEnableChannelEnabled: {
    label: 'Enable recovered channels',
    help: 'Channels and keys that the gateway disabled are enabled again after a successful test.',
  },
  ChannelDisableThreshold: {
    label: 'Failure threshold',
    help: 'Share of a channel’s recent tests, and of its calls in 15 minutes, that may fail before it is disabled; 100 never disables it.',
  },
  ChannelDisableSeconds: {
    label: 'Test time limit',
    help: 'A test that takes longer counts as failed; 0 sets no limit.',
  },
  ChannelTestMinutes: {
    label: 'Test enabled channels every',
    help: 'How often all enabled channels are tested; 0 means never.',
  },
  ChannelRecoveryMinutes: {
    label: 'Test disabled channels every',
    help: 'How often channels that the gateway disabled are tested, if they may be enabled again; 0 means never.',
  },
  ChannelBalanceHours: {
    label: 'Update balances every',
    help: 'How often balances are read from the providers that report them; 0 means never.',
  },
  RetryTimes: {
    label: 'Retries',
    help: 'How many other channels to try when one fails; 0 tries none. Fallback models may use the same number again.',
  },
  ModelFallbacks: {
    label: 'Fallback models',
    help: 'Models to use instead when no channel answers for a model: {"model": ["next", "after that"]}. For conversations only; each call is charged as the model that answered.',
  },
  SharedObjects: {
    label: 'Shared objects at providers',
    help: 'Ids or addresses of files, vector stores, prompts and similar objects that every user may refer to in a request; * for all of them. All others may be used only by the user whose call created them, because all users share the channel’s account.',
  },
  LossPolicy: {
    label: 'Requests that cannot be translated in full',
    help: 'What happens to a request with a part that the provider’s API cannot express.',
    choices: { report: 'Send it, and list what was lost', refuse: 'Try another channel, otherwise refuse it' },
  },
  LogConsumeEnabled: {
    label: 'Log every charge',
    help: 'Off: charges are not written to the logs. The ledger stays complete.',
    consequence:
      'From now on, charges will not appear in the logs, the dashboard or the statistics. The ledger stays complete.',
  },
  LogClearedBefore: {
    label: 'Logs cleared up to',
    help: 'Entries older than this were cleared and are no longer shown.',
  },
  PasswordLoginEnabled: {
    label: 'Password sign-in',
    help: 'Off: only root can sign in with a password.',
    consequence:
      'Only root will be able to sign in with a password. Users without another way to sign in will be locked out.',
  },
  PasswordRegisterEnabled: {
    label: 'Password registration',
    help: 'Off: accounts can only be created with other sign-in methods.',
  },
  RegisterEnabled: {
    label: 'Registration',
    help: 'Off: only administrators create accounts.',
  },
  EmailVerificationEnabled: {
    label: 'Email verification',
    help: 'Registering or changing an address needs a code sent by email.',
  },
  EmailDomainRestrictionEnabled: {
    label: 'Restrict email domains',
    help: 'Codes are sent only to addresses of the domains below.',
  },
  EmailDomainWhitelist: {
    label: 'Allowed email domains',
    help: 'Separated by commas: example.com, example.org',
  },
  GitHubOAuthEnabled: { label: 'Sign-in with GitHub', help: 'Shows a button on the sign-in page.' },
  GitHubClientId: { label: 'GitHub client ID', help: 'From the OAuth app that you registered at GitHub.' },
  GitHubClientSecret: { label: 'GitHub client secret', help: 'From the same OAuth app.' },
  OidcEnabled: { label: 'Sign-in with OpenID Connect', help: 'Shows a button on the sign-in page.' },
  OidcClientId: { label: 'OIDC client ID', help: 'From the client that you registered at your provider.' },
  OidcClientSecret: { label: 'OIDC client secret', help: 'From the same client.' },
  OidcWellKnown: {
    label: 'OIDC configuration address',
    help: 'The provider’s document, which lists all other addresses: …/.well-known/openid-configuration',
  },
  OidcAuthorizationEndpoint: {
    label: 'OIDC authorization address',
    help: 'Where the browser is sent, if there is no configuration document.',
  },
  OidcTokenEndpoint: {
    label: 'OIDC token address',
    help: 'Where a code is exchanged, if there is no configuration document.',
  },
  OidcUserinfoEndpoint: {
    label: 'OIDC user info address',
    help: 'Where the user’s profile is read, if there is no configuration document.',
  },
  LarkClientId: { label: 'Lark app ID', help: 'Sign-in with Lark is offered as soon as this is set.' },
  LarkClientSecret: { label: 'Lark app secret', help: 'From the same app.' },
  WeChatAuthEnabled: { label: 'Sign-in with WeChat', help: 'With a code issued by your WeChat server.' },
  WeChatServerAddress: { label: 'WeChat server address', help: 'The server that checks those codes.' },
  WeChatServerToken: { label: 'WeChat server token', help: 'Sent by this gateway to that server.' },
  WeChatAccountQRCodeImageURL: {
    label: 'WeChat QR code image',
    help: 'Address of the image that people scan.',
  },
  TurnstileCheckEnabled: {
    label: 'Bot challenge',
    help: 'Registration, mailed codes and sign-in require a solved Cloudflare Turnstile challenge.',
    consequence:
      'With wrong keys no one can sign in, except on the machine that runs this gateway. Existing sessions continue.',
  },
  TurnstileSiteKey: { label: 'Turnstile site key', help: 'Public; it is part of the sign-in page.' },
  TurnstileSecretKey: { label: 'Turnstile secret key', help: 'Used to check answers to the challenge.' },
  EmailProvider: {
    label: 'Email provider',
    help: 'How email is sent.',
    choices: { '': 'Whichever is set up', smtp: 'SMTP server', resend: 'Resend' },
  },
  SMTPServer: {
    label: 'SMTP server',
    help: 'Host name without a port; prefix it with smtps:// for TLS from the first byte.',
  },
  SMTPPort: { label: 'SMTP port', help: '587 starts TLS after the greeting; 465 uses it from the start.' },
  SMTPAccount: { label: 'SMTP account', help: 'The account that this gateway signs in with.' },
  SMTPToken: { label: 'SMTP password', help: 'Password or token of that account.' },
  SMTPTransportSecurity: {
    label: 'Mail encryption',
    help: 'Whether mail may be sent without TLS. On loopback and private networks the gateway also signs in to servers without TLS; with “None”, it sends mail only there.',
    consequence: 'Without TLS anyone on the network path can read codes, links and the password of the mail account.',
    choices: { require: 'TLS required', when_offered: 'TLS when offered', none: 'None, private networks only' },
  },
  SMTPFrom: {
    label: 'Sender',
    help: 'An address, or a name and an address: Example <mail@example.com>. Empty: the account.',
  },
  ResendAPIKey: { label: 'Resend API key', help: 'For email through Resend.' },
  MessagePusherAddress: { label: 'Message pusher address', help: 'Where operators are notified of events.' },
  MessagePusherToken: { label: 'Message pusher token', help: 'Lets this gateway post there.' },
  SystemName: {
    label: 'System name',
    help: 'Shown in the console, in emails, in authenticator apps and with passkeys.',
  },
  Logo: { label: 'Logo', help: 'Address of an image, or a path on this site: /logo.png' },
  Theme: {
    label: 'Theme',
    help: 'For consoles with several themes. This console has one theme, in light and dark.',
    choices: { default: 'Default', berry: 'Berry', air: 'Air', modern: 'Modern' },
  },
  Notice: { label: 'Notice', help: 'Shown to everyone; empty shows nothing.' },
  HomePageContent: { label: 'Home page', help: 'What visitors see first.' },
  About: { label: 'About page', help: 'Who you are and how to reach you.' },
  Footer: { label: 'Footer', help: 'HTML at the foot of every page; empty shows the version and the year.' },
  AvailableGroups: { label: 'Available groups', help: 'The names in the group ratios.' },
} as const satisfies Readonly<Record<SettingKey, SettingTexts>>
