import type { Setting } from './setting.ts'

/** Largest number of quota points that the gateway accepts. */
const QUOTA_MAX = 1_000_000_000_000_000
const MAIL_DOMAINS = 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com'

const ON = { kind: 'flag', initial: 'true' } as const
const OFF = { kind: 'flag', initial: 'false' } as const
const TEXT = { kind: 'text', initial: '' } as const
const ADDRESS = { kind: 'address', initial: '' } as const
const PAGE = { kind: 'page', initial: '' } as const
const SECRET = { kind: 'secret' } as const
const QUOTA = { kind: 'integer', initial: '0', min: 0, max: QUOTA_MAX, unit: 'quota' } as const
const VIEW = { kind: 'shown', initial: '', as: 'text', whereListed: true } as const
const ASKS = { asks: 'always' } as const

type SettingForm = Setting extends infer S ? (S extends Setting ? Omit<S, 'key'> : never) : never

const FORMS = {
  // what accounts receive
  QuotaForNewUser: { group: 'quota', ...QUOTA, ...ASKS },
  QuotaForInviter: { group: 'quota', ...QUOTA, ...ASKS },
  QuotaForInvitee: { group: 'quota', ...QUOTA, ...ASKS },
  QuotaRemindThreshold: { group: 'quota', ...QUOTA, initial: '1000' },
  PreConsumedQuota: { group: 'quota', kind: 'integer', initial: '500', min: 0, max: 1_000_000_000, unit: 'tokens' },
  PriceOverrides: { group: 'quota', kind: 'json', initial: '{}', ...ASKS },
  // the groups; the family's settings for groups are parts of `Groups`
  Groups: { group: 'groups', kind: 'groups', initial: '{}', whereListed: true, ...ASKS },
  GroupRatio: { group: 'groups', kind: 'ratios', initial: '{"default":1,"vip":1,"svip":1}', ...ASKS },
  UserUsableGroups: { group: 'groups', ...VIEW },
  GroupGroupRatio: { group: 'groups', ...VIEW },
  AutoGroups: { group: 'groups', ...VIEW },
  // what is charged for models without a price, and for answers that are not what was requested
  UnpricedModelPolicy: { group: 'charging', ...choice('refuse', 'fallback', 'reported'), ...ASKS },
  UnpricedModelRatio: { group: 'charging', kind: 'decimal', initial: '30', min: 0, max: 1_000_000, ...ASKS },
  ApproximateTokenEnabled: { group: 'charging', ...OFF, ...ASKS },
  ClientLeftEarlyPolicy: { group: 'charging', ...choice('void', 'prompt'), ...ASKS },
  ClientLeftPolicy: { group: 'charging', ...choice('delivered', 'drain', 'void'), ...ASKS },
  UpstreamBrokenPolicy: { group: 'charging', ...choice('delivered', 'void'), ...ASKS },
  EmptyAnswerPolicy: { group: 'charging', ...choice('reported', 'void'), ...ASKS },
  ErrorInAnswerPolicy: { group: 'charging', ...choice('void', 'reported'), ...ASKS },
  // limits per minute, and on concurrent requests
  GroupLimits: { group: 'limits', kind: 'json', initial: '{}' },
  AddressRequestsPerMinute: { group: 'limits', kind: 'integer', initial: '0', min: 0, max: 1_000_000_000 },
  // what everyone sees
  TopUpLink: { group: 'links', ...ADDRESS },
  ChatLink: { group: 'links', ...ADDRESS },
  ServerAddress: { group: 'links', ...ADDRESS, initial: 'http://localhost:3000', required: true, ...ASKS },
  QuotaPerUnit: { group: 'display', kind: 'decimal', initial: '500000', min: 1, max: QUOTA_MAX, ...ASKS },
  DisplayInCurrencyEnabled: { group: 'display', ...ON },
  DisplayTokenStatEnabled: { group: 'display', ...ON },
  // channels and logs
  AutomaticDisableChannelEnabled: { group: 'channels', ...OFF },
  AutomaticEnableChannelEnabled: { group: 'channels', ...OFF },
  ChannelDisableThreshold: { group: 'channels', kind: 'decimal', initial: '5', min: 0, max: 100, unit: 'percent' },
  ChannelDisableSeconds: { group: 'channels', kind: 'decimal', initial: '0', min: 0, max: 30, unit: 'seconds' },
  ChannelTestMinutes: { group: 'channels', kind: 'integer', initial: '0', min: 0, max: 10_080, unit: 'minutes' },
  ChannelRecoveryMinutes: { group: 'channels', kind: 'integer', initial: '5', min: 0, max: 10_080, unit: 'minutes' },
  ChannelBalanceHours: { group: 'channels', kind: 'integer', initial: '0', min: 0, max: 720, unit: 'hours' },
  RetryTimes: { group: 'channels', kind: 'integer', initial: '2', min: 0, max: 10 },
  ModelFallbacks: { group: 'channels', kind: 'json', initial: '{}' },
  SharedObjects: { group: 'channels', kind: 'list', initial: '' },
  LossPolicy: { group: 'channels', ...choice('report', 'refuse') },
  LogConsumeEnabled: { group: 'logging', ...ON, asks: 'off' },
  LogClearedBefore: { group: 'logging', kind: 'shown', initial: '0', as: 'time' },
  // who can sign in, and how
  PasswordLoginEnabled: { group: 'authentication', ...ON, asks: 'off' },
  PasswordRegisterEnabled: { group: 'authentication', ...ON },
  RegisterEnabled: { group: 'authentication', ...ON },
  EmailVerificationEnabled: { group: 'authentication', ...OFF },
  EmailDomainRestrictionEnabled: { group: 'authentication', ...OFF, needs: ['EmailDomainWhitelist'] },
  EmailDomainWhitelist: { group: 'authentication', kind: 'list', initial: MAIL_DOMAINS },
  GitHubOAuthEnabled: { group: 'github', ...OFF, needs: ['GitHubClientId'] },
  GitHubClientId: { group: 'github', ...TEXT },
  GitHubClientSecret: { group: 'github', ...SECRET },
  OidcEnabled: { group: 'oidc', ...OFF },
  OidcClientId: { group: 'oidc', ...TEXT },
  OidcClientSecret: { group: 'oidc', ...SECRET },
  OidcWellKnown: { group: 'oidc', ...ADDRESS },
  OidcAuthorizationEndpoint: { group: 'oidc', ...ADDRESS },
  OidcTokenEndpoint: { group: 'oidc', ...ADDRESS },
  OidcUserinfoEndpoint: { group: 'oidc', ...ADDRESS },
  LarkClientId: { group: 'lark', ...TEXT },
  LarkClientSecret: { group: 'lark', ...SECRET },
  WeChatAuthEnabled: { group: 'wechat', ...OFF, needs: ['WeChatServerAddress'] },
  WeChatServerAddress: { group: 'wechat', ...ADDRESS },
  WeChatServerToken: { group: 'wechat', ...SECRET },
  WeChatAccountQRCodeImageURL: { group: 'wechat', ...ADDRESS },
  TurnstileCheckEnabled: { group: 'security', ...OFF, needs: ['TurnstileSiteKey', 'TurnstileSecretKey'], asks: 'on' },
  TurnstileSiteKey: { group: 'security', ...TEXT },
  TurnstileSecretKey: { group: 'security', ...SECRET },
  // how the gateway sends mail
  EmailProvider: { group: 'email', ...choice('', 'smtp', 'resend') },
  SMTPServer: { group: 'email', ...TEXT },
  SMTPPort: { group: 'email', kind: 'integer', initial: '587', min: 1, max: 65_535 },
  SMTPAccount: { group: 'email', ...TEXT },
  SMTPToken: { group: 'email', ...SECRET },
  SMTPTransportSecurity: { group: 'email', ...choice('require', 'when_offered', 'none'), ...ASKS },
  SMTPFrom: { group: 'email', ...TEXT },
  ResendAPIKey: { group: 'email', ...SECRET },
  MessagePusherAddress: { group: 'notifications', ...ADDRESS },
  MessagePusherToken: { group: 'notifications', ...SECRET },
  // name, appearance and pages
  SystemName: { group: 'branding', ...TEXT, initial: 'Sluice', required: true },
  Logo: { group: 'branding', ...TEXT },
  Theme: { group: 'branding', ...choice('modern', 'default', 'berry', 'air') },
  Notice: { group: 'content', ...PAGE },
  HomePageContent: { group: 'content', ...PAGE },
  About: { group: 'content', ...PAGE },
  Footer: { group: 'content', ...PAGE },
  // settings without a group
  AvailableGroups: { group: 'other', kind: 'shown', initial: '', as: 'text' },
} as const satisfies Readonly<Record<string, SettingForm>>

/** The first value is the gateway's default. */
function choice<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return { kind: 'choice', initial: values[0], values } as const
}

export type SettingKey = keyof typeof FORMS

/**
 * In page order. Fields, search, anchors and tests are made from this table; `tools/reference/console-settings.test.ts` checks it
 * against the definitions of the gateway.
 */
export const SETTINGS: readonly Setting[] = Object.entries<SettingForm>(FORMS).map(([key, form]) => ({ key, ...form }))

export function isKnownSetting(key: string): key is SettingKey {
  return Object.hasOwn(FORMS, key)
}
