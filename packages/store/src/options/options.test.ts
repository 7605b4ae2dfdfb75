import { describe, expect, test } from 'vitest'
import { OPTION_DEFINITIONS, type OptionDefinition } from './option-definitions.ts'
import { changeOptions, isOptionKey, type Options, type OptionSubmission, optionText, readOptions } from './options.ts'

const read = (stored: Record<string, string> = {}) =>
  readOptions(new Map(Object.entries(stored)), (sealed) => (sealed === 'sealed' ? 'plain' : undefined))
const defaults: Options = read().options
const keys = Object.keys(OPTION_DEFINITIONS).filter(isOptionKey)

describe('stored options', () => {
  test('are defaults while nothing is set', () => {
    const { options, problems } = read()
    expect(problems).toEqual([])
    expect(options.SystemName).toBe('Sluice')
    expect(options.QuotaPerUnit).toBe(500_000)
    expect(options.RegisterEnabled).toBe(true)
    expect(options.SMTPToken).toBe('')
    expect(options.EmailDomainWhitelist).toContain('gmail.com')
    expect([...options.GroupRatio.keys()]).toEqual(['default', 'vip', 'svip'])
  })

  test('are read with their types', () => {
    const stored = {
      RegisterEnabled: 'false',
      RetryTimes: '3',
      ChannelDisableThreshold: '2.5',
      EmailDomainWhitelist: 'a.com, b.com,',
    }
    expect(read(stored).options).toMatchObject({
      RegisterEnabled: false,
      RetryTimes: 3,
      ChannelDisableThreshold: 2.5,
      EmailDomainWhitelist: ['a.com', 'b.com'],
    })
  })

  test('hold group ratios as exact millionths', () => {
    const { options } = read({ GroupRatio: '{"default":1,"vip":0.85,"free":0,"odd":1.000001}' })
    expect(options.GroupRatio).toEqual(
      new Map([
        ['default', 1_000_000n],
        ['vip', 850_000n],
        ['free', 0n],
        ['odd', 1_000_001n],
      ]),
    )
  })

  test('fall back to the default, with a problem named, where a value does not fit', () => {
    const { options, problems } = read({
      GroupRatio: '{broken',
      RetryTimes: 'many',
      Unheard: 'x',
      RegisterEnabled: 'yes',
    })
    expect(options).toEqual(defaults)
    expect(problems).toEqual([
      'GroupRatio must be a JSON object that maps a name to a ratio',
      'RetryTimes must be an integer from 0 to 10',
      '"Unheard" is not an option',
      'RegisterEnabled must be true or false',
    ])
  })

  test('open their secrets, and are empty where that fails', () => {
    expect(read({ SMTPToken: 'sealed' }).options.SMTPToken).toBe('plain')
    const { options, problems } = read({ SMTPToken: 'canary-0123' })
    expect(options.SMTPToken).toBe('')
    expect(problems).toEqual(['SMTPToken cannot be decrypted with the current master key'])
  })

  test('do not inherit anything from a key like __proto__', () => {
    const { options, problems } = read(JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>)
    expect(problems).toEqual(['"__proto__" is not an option', '"constructor" is not an option'])
    expect(Object.keys(options).toSorted()).toEqual(keys.toSorted())
  })
})

describe('changing an option', () => {
  const changeAll = (submitted: readonly OptionSubmission[], current: Partial<Options> = {}) => {
    const result = changeOptions(submitted, { ...defaults, ...current })
    return result.outcome === 'set' ? result.changes : result.problem
  }
  const change = (key: string, value: string | number | boolean, current: Partial<Options> = {}) =>
    changeAll([{ key, value }], current)

  test.each([
    ['SystemName', 'Acme', 'Acme'],
    ['RegisterEnabled', false, 'false'],
    ['QuotaForNewUser', 500_000, '500000'],
    ['ChannelDisableThreshold', 12.5, '12.5'],
    ['ServerAddress', 'https://ai.example.com', 'https://ai.example.com'],
    ['Logo', '/logo.png', '/logo.png'],
    ['TopUpLink', '', ''],
    ['Theme', 'berry', 'berry'],
    ['SMTPServer', 'smtps://mail.example.com', 'smtps://mail.example.com'],
    ['SMTPServer', '127.0.0.1', '127.0.0.1'],
    ['SMTPServer', '::1', '::1'],
    ['SMTPFrom', 'Sluice <noreply@example.com>', 'Sluice <noreply@example.com>'],
    ['EmailProvider', '', ''],
  ])('%s takes %j', (key, value, text) => {
    expect(change(key, value)).toEqual([{ key, text, secret: false }])
  })

  test.each([
    ['SystemNme', 'x', '"SystemNme" is not an option'],
    ['ModelRatio', '{}', 'ModelRatio is not used: prices come from'],
    ['__proto__', 'x', 'is not an option'],
    ['toString', 'x', 'is not an option'],
    ['RegisterEnabled', 'yes', 'must be true or false'],
    ['RegisterEnabled', 1, 'must be true or false'],
    ['SMTPPort', 0, 'an integer from 1 to 65535'],
    ['SMTPPort', '25.5', 'an integer'],
    ['RetryTimes', -1, 'from 0 to 10'],
    ['QuotaForNewUser', '1e3', 'an integer'],
    ['QuotaForNewUser', 1_000_000_000_000_001, 'to 1000000000000000'],
    ['QuotaPerUnit', 0, 'from 1'],
    ['QuotaPerUnit', 'NaN', 'a number'],
    ['ChannelDisableThreshold', '', 'a number'],
    ['Theme', 'neon', 'one of default, berry, air, modern'],
    ['SystemName', 'x'.repeat(1_001), '1000 characters'],
    ['SystemName', ' ', 'must not be empty'],
    ['Logo', '//evil.example/x.png', 'a path on this site'],
    ['Logo', 'javascript:alert(1)', 'http(s) address'],
    ['SMTPServer', 'smtp.example.com:465', 'without a port'],
    ['SMTPFrom', 'nobody', 'an email address'],
    ['EmailDomainWhitelist', 'example.com,@b.com', 'list of domains'],
    ['StripeSecretKey', 'x', 'is not used: card payments'],
    ['AvailableGroups', 'a,b', 'is not used: the groups are the names in GroupRatio'],
    ['ServerAddress', '', 'must not be empty'],
    ['ServerAddress', 'ftp://x', 'http:// or https://'],
    ['ServerAddress', 'javascript:alert(1)', 'http:// or https://'],
    ['WeChatServerAddress', 'https://user:pass@host', 'without a user name and password'],
    ['MessagePusherAddress', 'https://host\\@evil', 'http:// or https://'],
    ['GroupRatio', '{}', '1 to 1000 groups'],
    ['GroupRatio', '{"default":1,"a\\r\\nb":1}', 'a group name with a control character'],
    ['Groups', '{"default":{},"a\\u0085b":{}}', 'a group name with a control character'],
    ['GroupLimits', '{broken', 'a JSON object that maps a group to its limits'],
    ['GroupLimits', '{"vip":{"rpm":-1}}', 'from 0 to 1000000000 in rpm of "vip"'],
    ['GroupLimits', '{"nobody":{"rpm":5}}', 'names the group "nobody", which is not in GroupRatio'],
    ['AddressRequestsPerMinute', '-1', 'an integer from 0'],
    ['GroupRatio', '[1]', 'a JSON object'],
    ['GroupRatio', '{"vip":-1}', 'from 0 to 1000 for "vip"'],
    ['GroupRatio', '{"vip":"2"}', 'a number'],
    ['GroupRatio', '{"a,b":1}', 'group name'],
    ['GroupRatio', '{"":1}', 'group name'],
    ['GroupRatio', '{"vip":1.0000001}', 'six decimals'],
    ['GroupRatio', '{"vip":1}', 'must name the group "default"'],
  ])('%s refuses %j', (key, value, problem) => {
    expect(change(key, value)).toEqual(expect.stringContaining(problem))
  })

  test.each(['', '   ', '********', '••••••'])('keeps a secret that is submitted as %j', { tags: 'S33' }, (blank) => {
    expect(change('SMTPToken', blank)).toEqual([])
  })

  test('marks a new secret for sealing, and empties one only on request', () => {
    expect(change('SMTPToken', 'new')).toEqual([{ key: 'SMTPToken', text: 'new', secret: true }])
    expect(changeAll([{ key: 'SMTPToken', value: '', clear: true }])).toEqual([
      { key: 'SMTPToken', text: '', secret: true },
    ])
  })

  test.each([
    ['GitHubOAuthEnabled', 'GitHubClientId', 'id'],
    ['WeChatAuthEnabled', 'WeChatServerAddress', 'https://wechat.example.com'],
  ])('%s can be on only while %s is set, in whichever order they come', (key, needed, value) => {
    expect(change(key, true)).toBe(`${key} cannot be enabled before ${needed} is set`)
    expect(change(key, true, { [needed]: value })).toHaveLength(1)
    expect(change(key, false)).toHaveLength(1)
    const both = [
      { key, value: true },
      { key: needed, value },
    ]
    expect(changeAll(both)).toHaveLength(2)
    expect(changeAll(both.toReversed())).toHaveLength(2)
    expect(change(needed, '', { [key]: true, [needed]: value })).toBe(`${needed} cannot be empty while ${key} is on`)
    expect(change('SystemName', 'Other', { [key]: true })).toHaveLength(1)
  })

  test('the bot challenge needs both of its keys, and keeps them while it is on', () => {
    const keys = { TurnstileSiteKey: 'site', TurnstileSecretKey: 'canary-secret' }
    const isOn = { ...keys, TurnstileCheckEnabled: true }
    expect(change('TurnstileCheckEnabled', true, keys)).toHaveLength(1)
    for (const key of ['TurnstileSiteKey', 'TurnstileSecretKey']) {
      expect(change('TurnstileCheckEnabled', true, { ...keys, [key]: '' })).toBe(
        `TurnstileCheckEnabled cannot be enabled before ${key} is set`,
      )
      expect(changeAll([{ key, value: '', clear: true }], isOn)).toBe(
        `${key} cannot be empty while TurnstileCheckEnabled is on`,
      )
    }
    expect(change('TurnstileSecretKey', '', isOn)).toEqual([])
  })

  test('the mail domain rule needs at least one domain', () => {
    expect(change('EmailDomainRestrictionEnabled', true, { EmailDomainWhitelist: [] })).toContain(
      'EmailDomainWhitelist',
    )
  })

  test('takes all settings of one submission or none', () => {
    const submitted = [
      { key: 'SystemName', value: 'A' },
      { key: 'RetryTimes', value: 'many' },
    ]
    expect(changeAll(submitted)).toBe('RetryTimes must be an integer from 0 to 10')
    expect(changeAll([...submitted.slice(0, 1), ...submitted.slice(0, 1)])).toBe('SystemName appears twice')
  })
})

describe('an option as text', () => {
  test.each(keys.filter((key) => !['secret', 'groups'].includes(OPTION_DEFINITIONS[key].type)))(
    '%s can be set to what it shows',
    (key) => {
      const text = optionText(key, defaults)
      const submitted = [{ key, value: text ?? '' }]
      expect(changeOptions(submitted, defaults)).toMatchObject({ changes: [{ key, text, secret: false }] })
      expect(read({ [key]: text ?? '' }).options).toEqual(defaults)
    },
  )

  test('is nothing for a secret', { tags: 'S20' }, () => {
    const secrets = keys.filter((key) => OPTION_DEFINITIONS[key].type === 'secret')
    const { options } = read(Object.fromEntries(secrets.map((key) => [key, 'sealed'])))
    expect(secrets.map((key) => options[key])).toEqual(secrets.map(() => 'plain'))
    expect(secrets.map((key) => optionText(key, options))).toEqual(secrets.map(() => undefined))
  })

  test('every key that sounds like a secret is one, and no secret is public', { tags: 'S20' }, () => {
    const all: Readonly<Record<string, OptionDefinition>> = OPTION_DEFINITIONS
    const sounding = Object.keys(all).filter((key) => /(Token|Secret|SecretKey|APIKey|Password)$/.test(key))
    expect(sounding.length).toBeGreaterThanOrEqual(8)
    for (const key of sounding) expect(all[key]).toEqual({ type: 'secret' })
  })

  test('an option that ends in Enabled is a flag', () => {
    for (const key of keys) expect(OPTION_DEFINITIONS[key].type === 'flag').toBe(key.endsWith('Enabled'))
  })
})
