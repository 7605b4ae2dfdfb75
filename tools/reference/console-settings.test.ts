import { OPTION_DEFINITIONS, type OptionDefinition } from '@sluice/store/options/option-definitions'
import { optionText, readOptions } from '@sluice/store/options/options'
import { describe, expect, test } from 'vitest'
import { CARDS, missingNeeds, placedCards } from '../../apps/console/src/features/options/model/placed-settings.ts'
import type { Setting } from '../../apps/console/src/features/options/model/setting.ts'
import { SETTINGS } from '../../apps/console/src/features/options/model/settings.ts'
import { settingsEn } from '../../apps/console/src/features/options/texts/settings-en.ts'

/** Not set by hand; the console shows it. */
const SET_BY_CLEARING = 'LogClearedBefore'
/** The gateway derives them from the groups. */
const DERIVED = ['AvailableGroups', 'UserUsableGroups', 'GroupGroupRatio', 'AutoGroups']
/** Fields whose names differ from what they hold. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'page'],
  fallbacks: ['json'],
  limits: ['json'],
  prices: ['json'],
}

const settingOf = (key: string): Setting => {
  const found = SETTINGS.find((setting) => setting.key === key)
  if (found === undefined) throw new Error(`${key} has no place in the console`)
  return found
}
/** With all keys listed, as the gateway lists them. */
const LISTED = Object.fromEntries([...Object.keys(OPTION_DEFINITIONS), ...DERIVED].map((key) => [key, '']))
const placedKeys = () => placedCards(LISTED).flatMap(({ settings }) => settings.map(({ key }) => key))
const expectPlaced = (...keys: readonly string[]) => expect(placedKeys()).toEqual(expect.arrayContaining([...keys]))
const kindOf = (key: string) => settingOf(key).kind

test(
  'every option of the gateway has one place in the console, and nothing else has one',
  { tags: ['C2.23', 'C3.2'] },
  () => {
    const placed = placedKeys()
    expect(placed.toSorted()).toEqual(Object.keys(LISTED).toSorted())
    expect(new Set(placed).size).toBe(placed.length)
  },
)

describe.each(Object.entries<OptionDefinition>(OPTION_DEFINITIONS))('the field of %s', (key, definition) => {
  const setting = settingOf(key)
  test('is of the option’s kind, bounds and choices', () => {
    if (key === SET_BY_CLEARING) return expect(setting.kind).toBe('shown')
    expect(KINDS[definition.type] ?? [definition.type]).toContain(setting.kind)
    if ('min' in definition) expect(setting).toMatchObject({ min: definition.min, max: definition.max })
    if ('values' in definition) {
      expect('values' in setting && setting.values.toSorted()).toEqual(definition.values.toSorted())
      const { choices } = settingsEn[key as keyof typeof settingsEn] as { choices?: object }
      expect(Object.keys(choices ?? {}).toSorted()).toEqual(definition.values.toSorted())
    }
    if ('required' in setting || 'required' in definition) expect(setting).toMatchObject({ required: true })
    const needs = definition.type === 'flag' ? (definition.needs ?? []) : []
    expect(missingNeeds(setting, { values: {}, secretsSet: [], managedBy: {} })).toEqual(needs)
  })
  test('shows the option’s default while the gateway names no value', () => {
    if (setting.kind === 'secret') return expect(definition.type).toBe('secret')
    if (setting.whereListed === true)
      return expect(placedCards({}).flatMap(({ settings }) => settings)).not.toContain(setting)
    const { options } = readOptions(new Map(), () => undefined)
    expect(setting.initial).toBe(optionText(key as keyof typeof OPTION_DEFINITIONS, options))
  })
})

test('what asks before saving states its consequence, and nothing else has one', () => {
  const asking = SETTINGS.filter(({ asks }) => asks !== undefined).map(({ key }) => key)
  const telling = Object.entries(settingsEn).filter(([, texts]) => 'consequence' in texts)
  expect(asking.toSorted()).toEqual(telling.map(([key]) => key).toSorted())
})

test('what moves money asks first', () => {
  const money = ['QuotaPerUnit', 'GroupRatio', 'Groups', 'QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee']
  const policies = Object.keys(OPTION_DEFINITIONS).filter((key) =>
    /Left|Broken|EmptyAnswer|ErrorIn|Unpriced|PriceOverrides/.test(key),
  )
  for (const key of [...money, ...policies]) expect(settingOf(key).asks, key).toBe('always')
})

test('settings for sign-in and registration have their fields', { tags: 'C3.3' }, () => {
  expectPlaced('PasswordLoginEnabled', 'PasswordRegisterEnabled', 'RegisterEnabled', 'EmailVerificationEnabled')
  expectPlaced('EmailDomainRestrictionEnabled', 'EmailDomainWhitelist')
  expect(kindOf('EmailDomainWhitelist')).toBe('list')
})

test('settings for sign-in with GitHub have their fields', { tags: 'C3.4' }, () => {
  expectPlaced('GitHubOAuthEnabled', 'GitHubClientId', 'GitHubClientSecret')
})

test('settings for OpenID Connect have their fields', { tags: 'C3.5' }, () => {
  expectPlaced('OidcEnabled', 'OidcClientId', 'OidcClientSecret', 'OidcWellKnown')
  expectPlaced('OidcAuthorizationEndpoint', 'OidcTokenEndpoint', 'OidcUserinfoEndpoint')
})

test('settings for Lark and WeChat have their fields', { tags: ['C3.6', 'C3.7'] }, () => {
  expectPlaced('LarkClientId', 'LarkClientSecret')
  expectPlaced('WeChatAuthEnabled', 'WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL')
})

test('settings for the bot challenge and for email have their fields', { tags: ['C3.8', 'C3.9'] }, () => {
  expectPlaced('TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey')
  expectPlaced('SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPToken', 'SMTPFrom', 'SMTPTransportSecurity')
})

test('settings for branding and content have their fields, the theme its four names', { tags: 'C3.10' }, () => {
  expectPlaced('SystemName', 'Logo', 'Footer', 'Notice', 'About', 'HomePageContent', 'Theme')
  expectPlaced('TopUpLink', 'ChatLink', 'ServerAddress')
  const theme = settingOf('Theme')
  expect(theme.kind === 'choice' && theme.values.toSorted()).toEqual(['air', 'berry', 'default', 'modern'])
})

test('settings for quota have their fields, group ratios in JSON', { tags: 'C3.11' }, () => {
  expectPlaced('QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee', 'QuotaRemindThreshold', 'PreConsumedQuota')
  expectPlaced('QuotaPerUnit', 'DisplayInCurrencyEnabled', 'DisplayTokenStatEnabled', 'ApproximateTokenEnabled')
  expect(kindOf('GroupRatio')).toBe('ratios')
})

test('settings for channels have their fields, the threshold a percentage of 5', { tags: ['C3.12', 'C9.17'] }, () => {
  expectPlaced('AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled', 'RetryTimes')
  expect(settingOf('ChannelDisableThreshold')).toMatchObject({ initial: '5', unit: 'percent', max: 100 })
})

test('settings for logging and the message pusher have their fields', { tags: ['C3.13', 'C3.14'] }, () => {
  expectPlaced('LogConsumeEnabled', 'MessagePusherAddress', 'MessagePusherToken')
})

test('keys that end in Enabled are switches of true and false, and no others are', { tags: ['C3.16', 'B9.16'] }, () => {
  const flags = SETTINGS.filter(({ kind }) => kind === 'flag').map(({ key }) => key)
  expect(flags).toEqual(SETTINGS.map(({ key }) => key).filter((key) => key.endsWith('Enabled')))
  for (const key of flags) expect(['true', 'false']).toContain(Reflect.get(settingOf(key), 'initial'))
})

test('secret keys have blank fields, those of the specification among them', { tags: 'B9.15' }, () => {
  const secrets = ['SMTPToken', 'GitHubClientSecret', 'OidcClientSecret', 'LarkClientSecret', 'WeChatServerToken']
  for (const key of [...secrets, 'MessagePusherToken']) expect(kindOf(key), key).toBe('secret')
})

test('keys are grouped by what they are about', { tags: 'B9.14' }, () => {
  const groups = new Set(CARDS.flatMap(({ id, groups: parts }) => [id, ...parts]))
  const named = ['authentication', 'oauth', 'security', 'email', 'branding', 'links', 'quota', 'channels', 'logging']
  expect([...groups]).toEqual(expect.arrayContaining(named))
})

test(
  'the operation form counts from 0; points per unit are 500000 and links are empty by default',
  { tags: 'C5.1' },
  () => {
    const counted = SETTINGS.filter(({ group }) => group === 'quota' || group === 'channels')
    for (const setting of counted) if ('min' in setting) expect(setting.min, setting.key).toBe(0)
    expect(settingOf('QuotaPerUnit')).toMatchObject({ kind: 'decimal', initial: '500000' })
    for (const key of ['TopUpLink', 'ChatLink']) expect(settingOf(key)).toMatchObject({ kind: 'address', initial: '' })
  },
)
