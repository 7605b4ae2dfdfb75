import type { SettingKey } from '../model/settings.ts'

/** What a setting is called and does; what follows from changing it, where saving asks; the names of its choices. */
export interface SettingTexts {
  readonly label: string
  readonly help: string
  readonly consequence?: string
  readonly choices?: Readonly<Record<string, string>>
}

const CHARGED_AT_ONCE = 'It applies to requests that begin from now on. What has been charged stays as it is.'

export const settingsEn = {
  QuotaForNewUser: {
    label: 'Quota for new users',
    help: 'Given to every account when it is created.',
    consequence:
      'Every account that registers from now on is given this quota at your expense. Existing accounts keep what they have.',
  },
  QuotaForInviter: {
    label: 'Quota for inviters',
    help: 'Given to whoever invited a new account.',
    consequence: 'Everybody whose invitation is used from now on is given this quota at your expense.',
  },
  QuotaForInvitee: {
    label: 'Quota for invited users',
    help: 'Given to a new account that was invited, on top of the quota for new users.',
    consequence: 'Every invited account that registers from now on is given this quota at your expense.',
  },
  QuotaRemindThreshold: {
    label: 'Reminder threshold',
    help: 'Users are reminded by email when their quota falls below.',
  },
  PreConsumedQuota: {
    label: 'Tokens held for a stream',
    help: 'Answer tokens held at first for a stream without a limit of its own; what is not used is released.',
  },
  GroupRatio: {
    label: 'Group ratios',
    help: 'The groups, and the factor on every price for each: 1 charges the list price, 0.5 half of it. The group "default" must be among them.',
    consequence: `Every price of a group is multiplied by its ratio. ${CHARGED_AT_ONCE}`,
  },
  GroupLimits: {
    label: 'Limits of users',
    help: 'What each user of a group may ask for, with all tokens together: {"default": {"rpm": 60, "tpm": 100000, "concurrency": 10}} are requests and tokens per minute, and requests at the same time. What is left out is not limited.',
  },
  AddressRequestsPerMinute: {
    label: 'Requests of one address per minute',
    help: 'Relayed requests, whatever key they carry; so keys cannot be guessed any faster. 0 sets no limit. Behind a proxy, name it in SLUICE_TRUSTED_PROXIES first, or all users share one limit.',
  },
  UnpricedModelPolicy: {
    label: 'Models without a price',
    help: 'What becomes of a request for a model that no price is known of.',
    consequence: `Requests that are refused now may be charged, or the other way round. ${CHARGED_AT_ONCE}`,
    choices: {
      refuse: 'Refuse the request',
      fallback: 'Charge the ratio below for every token',
      reported: 'Charge what the provider says it cost, else the ratio below',
    },
  },
  UnpricedModelRatio: {
    label: 'Ratio of models without a price',
    help: 'Quota points for every token of such a model; 1 is 2 US dollars per million tokens.',
    consequence: `Every token of a model without a price costs this many quota points. ${CHARGED_AT_ONCE}`,
  },
  ApproximateTokenEnabled: {
    label: 'Estimate tokens',
    help: 'Tokens that no provider reported are counted by size. Off: they are not charged.',
    consequence: `Answers without a usage report are charged by an estimate while this is on, and not at all while it is off. ${CHARGED_AT_ONCE}`,
  },
  ClientLeftEarlyPolicy: {
    label: 'Client leaves before its answer begins',
    help: 'What is charged when nobody waits any more and nothing was delivered.',
    consequence: CHARGED_AT_ONCE,
    choices: { void: 'Nothing', prompt: 'The prompt' },
  },
  ClientLeftPolicy: {
    label: 'Client leaves a stream',
    help: 'What is charged when a client goes away while its answer streams. Answers that may cost more than their text shows (reasoning, sound, pictures, searches) are read on for their count, unless nothing is charged.',
    consequence: CHARGED_AT_ONCE,
    choices: {
      delivered: 'What was delivered',
      drain: 'The whole answer, always read on',
      void: 'Nothing',
    },
  },
  UpstreamBrokenPolicy: {
    label: 'Provider breaks off a stream',
    help: 'What is charged when an answer ends before it is complete.',
    consequence: CHARGED_AT_ONCE,
    choices: { delivered: 'What was delivered', void: 'Nothing' },
  },
  EmptyAnswerPolicy: {
    label: 'Answer with nothing in it',
    help: 'What is charged for a proper answer that is empty.',
    consequence: CHARGED_AT_ONCE,
    choices: { reported: 'What the provider counted', void: 'Nothing' },
  },
  ErrorInAnswerPolicy: {
    label: 'Error under a good status',
    help: 'What is charged when a provider answers 200 with an error inside.',
    consequence: CHARGED_AT_ONCE,
    choices: { void: 'Nothing', reported: 'What the provider counted' },
  },
  TopUpLink: {
    label: 'Top-up link',
    help: 'Your shop for quota. The Top Up page and reminders lead there; without it they do not.',
  },
  ChatLink: { label: 'Chat link', help: 'A chat application for your users.' },
  ServerAddress: {
    label: 'Server address',
    help: 'The address by which people reach this gateway. Links in email, sign-in redirects and passkeys are made from it.',
    consequence:
      'Sign-in with other accounts, passkeys and links in email work only under this address. A wrong one locks people out of them.',
  },
  QuotaPerUnit: {
    label: 'Quota points per currency unit',
    help: 'How many quota points are shown as $1.00.',
    consequence:
      'Every amount in the console, in email and in the billing calls is shown anew. Balances and prices are kept in quota points and stay as they are: nobody gains or loses any.',
  },
  DisplayInCurrencyEnabled: {
    label: 'Show amounts in currency',
    help: 'Off: the console and the billing calls show quota points.',
  },
  DisplayTokenStatEnabled: {
    label: 'Billing calls tell the token’s quota',
    help: 'Off: they tell the balance of the account instead.',
  },
  AutomaticDisableChannelEnabled: {
    label: 'Switch failing channels off',
    help: 'A channel is switched off when more of its tests or calls fail than the threshold allows, a key when its provider refuses it.',
  },
  AutomaticEnableChannelEnabled: {
    label: 'Switch recovered channels on',
    help: 'What the gateway has switched off is switched on by a good test.',
  },
  ChannelDisableThreshold: {
    label: 'Failure threshold',
    help: 'Share of a channel’s recent tests, and of its calls in 15 minutes, that may fail before it is switched off; 100 never switches it off.',
  },
  ChannelDisableSeconds: {
    label: 'Slowest test',
    help: 'An answer to a test that takes longer counts as failed; 0 sets no limit.',
  },
  ChannelTestMinutes: {
    label: 'Test enabled channels every',
    help: 'All enabled channels are tested this often; 0 never.',
  },
  ChannelRecoveryMinutes: {
    label: 'Test channels that were switched off every',
    help: 'What the gateway has switched off is tested this often, where it may be switched on again; 0 never.',
  },
  ChannelBalanceHours: {
    label: 'Ask for balances every',
    help: 'Providers that tell it are asked what is left this often; 0 never.',
  },
  RetryTimes: {
    label: 'Retries',
    help: 'Further channels that are tried when one fails; 0 tries none. Fallback models may be tried as often again.',
  },
  ModelFallbacks: {
    label: 'Fallback models',
    help: 'What is asked instead when no channel answers for a model: {"model": ["next", "after that"]}. For conversations only; each call is charged as the model that answered.',
  },
  SharedObjects: {
    label: 'Shared objects at providers',
    help: 'Ids or addresses of files, vector stores, prompts and the like that every user may name in a request; * for all of them. Others can only be named by the user whose call made them, because all users share the channel’s account.',
  },
  LossPolicy: {
    label: 'Requests that a provider cannot be told in full',
    help: 'What becomes of a request with a part that the provider’s own interface does not know.',
    choices: { report: 'Send it, and list what was lost', refuse: 'Try another channel, else refuse it' },
  },
  LogConsumeEnabled: {
    label: 'Log every charge',
    help: 'Off: charges leave no row in the logs. The books stay complete.',
    consequence:
      'Charges from now on leave no row in the logs, the dashboard and the statistics. The books stay complete.',
  },
  LogClearedBefore: {
    label: 'Logs cleared up to',
    help: 'Entries older than this were cleared and are shown to nobody.',
  },
  PasswordLoginEnabled: {
    label: 'Sign-in with password',
    help: 'Off: only root signs in with a password.',
    consequence:
      'Nobody but root signs in with a password any more. Whoever has no other way of signing in is locked out.',
  },
  PasswordRegisterEnabled: {
    label: 'Registration with password',
    help: 'Off: new accounts come from other ways of signing in only.',
  },
  RegisterEnabled: {
    label: 'Registration',
    help: 'Off: new accounts are created by administrators only.',
  },
  EmailVerificationEnabled: {
    label: 'Email verification',
    help: 'Registering and changing an address need a code sent by email.',
  },
  EmailDomainRestrictionEnabled: {
    label: 'Restrict email domains',
    help: 'Codes are sent to addresses of the domains below only.',
  },
  EmailDomainWhitelist: {
    label: 'Allowed email domains',
    help: 'Separated by commas: example.com, example.org',
  },
  GitHubOAuthEnabled: { label: 'Sign-in with GitHub', help: 'Shows a button on the sign-in page.' },
  GitHubClientId: { label: 'GitHub client ID', help: 'Of the OAuth app that you registered at GitHub.' },
  GitHubClientSecret: { label: 'GitHub client secret', help: 'Of the same OAuth app.' },
  OidcEnabled: { label: 'Sign-in with OpenID Connect', help: 'Shows a button on the sign-in page.' },
  OidcClientId: { label: 'OIDC client ID', help: 'Of the client that you registered at your provider.' },
  OidcClientSecret: { label: 'OIDC client secret', help: 'Of the same client.' },
  OidcWellKnown: {
    label: 'OIDC configuration address',
    help: 'The provider’s document, which names all other addresses: …/.well-known/openid-configuration',
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
    help: 'Where the person is asked for, if there is no configuration document.',
  },
  LarkClientId: { label: 'Lark app ID', help: 'Sign-in with Lark is offered as soon as this is set.' },
  LarkClientSecret: { label: 'Lark app secret', help: 'Of the same app.' },
  WeChatAuthEnabled: { label: 'Sign-in with WeChat', help: 'With a code that your WeChat server hands out.' },
  WeChatServerAddress: { label: 'WeChat server address', help: 'The server that checks those codes.' },
  WeChatServerToken: { label: 'WeChat server token', help: 'With which this gateway asks that server.' },
  WeChatAccountQRCodeImageURL: {
    label: 'WeChat QR code picture',
    help: 'Address of the picture that people scan.',
  },
  TurnstileCheckEnabled: {
    label: 'Bot challenge',
    help: 'Registering, mailed codes and sign-in need a solved Cloudflare Turnstile challenge.',
    consequence:
      'With wrong keys nobody signs in any more, except whoever sits at the machine of this gateway. Sessions that exist go on.',
  },
  TurnstileSiteKey: { label: 'Turnstile site key', help: 'Public; it is part of the sign-in page.' },
  TurnstileSecretKey: { label: 'Turnstile secret key', help: 'With which answers to the challenge are checked.' },
  EmailProvider: {
    label: 'Email provider',
    help: 'How email leaves.',
    choices: { '': 'Whichever is set up', smtp: 'SMTP server', resend: 'Resend' },
  },
  SMTPServer: {
    label: 'SMTP server',
    help: 'Host name without port; smtps:// before it asks for TLS from the first byte.',
  },
  SMTPPort: { label: 'SMTP port', help: '587 begins TLS after the greeting; 465 speaks it from the start.' },
  SMTPAccount: { label: 'SMTP account', help: 'With which this gateway signs in there.' },
  SMTPToken: { label: 'SMTP password', help: 'Password or token of that account.' },
  SMTPTransportSecurity: {
    label: 'Encryption of mail',
    help: 'Whether mail may leave without TLS. On loopback and private networks the gateway also signs in to servers without TLS; with none it sends nowhere else.',
    consequence: 'Without TLS anyone along the way can read codes, links and the password of the mail account.',
    choices: { require: 'TLS required', when_offered: 'TLS when offered', none: 'None, private networks only' },
  },
  SMTPFrom: {
    label: 'Sender',
    help: 'An address, or a name and an address: Example <mail@example.com>. Empty: the account.',
  },
  ResendAPIKey: { label: 'Resend API key', help: 'For email through Resend.' },
  MessagePusherAddress: { label: 'Message pusher address', help: 'Where operators are told of events.' },
  MessagePusherToken: { label: 'Message pusher token', help: 'With which this gateway may post there.' },
  SystemName: { label: 'System name', help: 'In the console, in email, in authenticator apps and passkeys.' },
  Logo: { label: 'Logo', help: 'Address of a picture, or a path of this site: /logo.png' },
  Theme: {
    label: 'Theme',
    help: 'Told to consoles that have several looks. This console has one, light and dark.',
    choices: { default: 'Default', berry: 'Berry', air: 'Air', modern: 'Modern' },
  },
  Notice: { label: 'Notice', help: 'Shown to everybody; empty shows nothing.' },
  HomePageContent: { label: 'Home page', help: 'What visitors see first.' },
  About: { label: 'About page', help: 'Who you are and how to reach you.' },
  Footer: { label: 'Footer', help: 'HTML at the foot of every page; empty shows the version and the year.' },
  AvailableGroups: { label: 'Available groups', help: 'The names in the group ratios.' },
} as const satisfies Readonly<Record<SettingKey, SettingTexts>>
