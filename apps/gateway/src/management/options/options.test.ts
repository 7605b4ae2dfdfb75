import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Option {
  readonly key: string
  readonly value: string
}

describe('settings', () => {
  let bench: ManagementBench
  let root: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const put = (body: unknown) => bench.ask('PUT', '/api/option/', { as: root, body })
  const set = (key: string, value: unknown) => put({ key, value })
  const all = async (): Promise<ReadonlyMap<string, string>> => {
    const { data = [] } = await bench.ask<Option[]>('GET', '/api/option/', { as: root })
    return new Map(data.map((option) => [option.key, option.value]))
  }

  it('refuse what does not fit, and keep what was there', async () => {
    const before = await all()
    const cases: readonly (readonly [string, unknown, RegExp])[] = [
      ['Unknown', 'x', /"Unknown" is not an option/],
      ['__proto__', 'x', /is not an option/],
      ['RetryTimes', 'many', /must be an integer/],
      ['RetryTimes', -1, /from 0 to/],
      ['GroupRatio', '{"default":', /must be a JSON object/],
      ['RegisterEnabled', 'yes', /must be true or false/],
      ['GitHubOAuthEnabled', true, /cannot be enabled before GitHubClientId is set/],
      ['ServerAddress', 'javascript:alert(1)', /must be an http/],
      ['Theme', 'neon', /must be one of/],
      ['LogClearedBefore', 5, /cannot be set manually/],
      ['ModelRatio', '{}', /is not used/],
      ['ModelPrice', '{}', /is not used: .*PriceOverrides/],
      ['PriceOverrides', '[]', /PriceOverrides must be a JSON object that maps a model to its prices/],
      ['PriceOverrides', '{"a":{"ratio":1},"b":{"ratio":-1}}', /PriceOverrides: Invalid ratio for model "b": must be/],
      ['PriceOverrides', '{"a":{"tiers":[{"ratio":"x"}]}}', /Invalid tiers\[0\].ratio for model "a"/],
      ['PriceOverrides', '{"a":{}}', /Model "a" needs at least one of/],
    ]
    for (const [key, value, message] of cases) {
      const reply = await set(key, value)
      expect([key, reply.status, reply.success]).toEqual([key, 200, false])
      expect(reply.message).toMatch(message)
    }
    expect(await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'SystemName', value: {} } })).toMatchObject({
      code: 'invalid_body',
    })
    expect(await all()).toEqual(before)
  })

  it('keep secrets sealed, never return them, and survive a blank submission', { tags: ['S20', 'S33'] }, async () => {
    expect(await set('GitHubClientSecret', 'canary-55d1')).toMatchObject({ success: true })
    expect(await set('GitHubClientSecret', '')).toMatchObject({ success: true })
    expect(bench.deps.options().GitHubClientSecret).toBe('canary-55d1')
    const shown = await all()
    for (const key of shown.keys()) expect(key).not.toMatch(/(Token|Secret|SecretKey|APIKey)$/)
    expect(JSON.stringify([...shown])).not.toContain('canary')
    expect(JSON.stringify(await bench.ask('GET', '/api/status'))).not.toContain('canary')
    const stored = await bench.database.kysely.selectFrom('option').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('canary')
  })

  it('of prices are kept as they were sent, to their largest size', async () => {
    const entry = (at: number) => [`model "${at}"`, { ratio: 1, note: 'n'.repeat(180) }]
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => entry(at))))
    expect(text.length).toBeGreaterThan(400_000)
    expect(await set('PriceOverrides', text)).toMatchObject({ success: true })
    expect((await all()).get('PriceOverrides')).toBe(text)
    expect(await set('PriceOverrides', '')).toMatchObject({ success: true })
  })

  it('show which secrets are set only to those who may set them', { tags: 'S20' }, async () => {
    const secrets = async (as: TestCaller): Promise<unknown> =>
      Reflect.get(await bench.ask('GET', '/api/option/', { as }), 'secrets_set')
    await put({ key: 'ResendAPIKey', value: '', clear: true })
    expect(await secrets(root)).not.toContain('ResendAPIKey')
    await set('ResendAPIKey', 'canary-12')
    expect(await secrets(root)).toContain('ResendAPIKey')
    expect(await secrets(await bench.addCaller('curious', 10))).toEqual([])
  })

  it('show the time before which logs were cleared, which only clearing changes', async () => {
    const before = Math.floor(bench.clock.now / 1_000) - 86_400
    expect((await all()).get('LogClearedBefore')).toBe('0')
    await bench.ask('DELETE', `/api/log/?target_timestamp=${before}`, { as: root })
    expect((await all()).get('LogClearedBefore')).toBe(String(before))
    await bench.settleBackground()
  })

  it('list the groups, which can be set only in GroupRatio', async () => {
    await set('GroupRatio', '{"vip":1,"default":1,"a":2}')
    expect((await all()).get('AvailableGroups')).toBe('a,default,vip')
    expect(await set('AvailableGroups', 'x')).toMatchObject({
      success: false,
      message: 'AvailableGroups is not used: the groups are the names in GroupRatio',
    })
  })

  it(
    'are read by administrators without what might hold a key, and changed by root alone',
    { tags: ['S19', 'S20'] },
    async () => {
      await set('MessagePusherAddress', 'https://push.example.org/canary-91?token=canary-92')
      await set('SMTPToken', 'canary-93')
      const admin = await bench.addCaller('admin', 10)
      const user = await bench.addCaller('user', 1)
      const reply = await bench.ask<Option[]>('GET', '/api/option/', { as: admin })
      const shown = (reply.data ?? []).map(({ key }) => key)
      expect(shown).toEqual(expect.arrayContaining(['AvailableGroups', 'GroupRatio', 'ServerAddress', 'QuotaPerUnit']))
      for (const key of ['MessagePusherAddress', 'WeChatServerAddress']) expect(shown).not.toContain(key)
      expect(JSON.stringify(reply)).not.toContain('canary')
      expect((await all()).get('MessagePusherAddress')).toContain('push.example.org')
      const body = { key: 'SystemName', value: 'x' }
      expect(await bench.ask('PUT', '/api/option/', { as: admin, body })).toMatchObject({ status: 403 })
      expect(await bench.ask('GET', '/api/option/', { as: user })).toMatchObject({ status: 403 })
    },
  )

  it('can be set several at once, all or none, and must then fit each other', async () => {
    const before = await all()
    expect(
      await put([
        { key: 'SystemName', value: 'Half' },
        { key: 'RetryTimes', value: 'many' },
      ]),
    ).toMatchObject({ success: false, message: 'RetryTimes must be an integer from 0 to 10' })
    expect(await all()).toEqual(before)
    expect(
      await put([
        { key: 'WeChatAuthEnabled', value: true },
        { key: 'WeChatServerAddress', value: 'https://wechat.example.com' },
        { key: 'WeChatServerToken', value: 'canary-77' },
      ]),
    ).toMatchObject({ success: true })
    expect(bench.deps.options()).toMatchObject({ WeChatAuthEnabled: true, WeChatServerToken: 'canary-77' })
    expect(await set('WeChatServerAddress', '')).toMatchObject({
      message: 'WeChatServerAddress cannot be empty while WeChatAuthEnabled is on',
    })
    expect(await put([])).toMatchObject({ code: 'invalid_body' })
  })

  it('keep a secret that comes back masked, and clear it only on request', { tags: 'S33' }, async () => {
    await set('SMTPToken', 'canary-88')
    await set('SMTPToken', '••••••••')
    await put([{ key: 'SMTPToken', value: '********' }])
    expect(bench.deps.options().SMTPToken).toBe('canary-88')
    expect(await put({ key: 'SMTPToken', value: '', clear: true })).toMatchObject({ success: true })
    expect(bench.deps.options().SMTPToken).toBe('')
  })

  it('keep every group that users belong to', { tags: 'S37' }, async () => {
    await bench.ask('POST', '/api/user/', {
      as: root,
      body: { username: 'important', password: 'password-1', group: 'vip' },
    })
    expect(await set('GroupRatio', '{"default":1}')).toMatchObject({
      message: 'GroupRatio must keep the group "vip", because users belong to it',
    })
    expect(await set('GroupRatio', '{"vip":0.5}')).toMatchObject({ success: false })
    expect(await set('GroupRatio', '{"default":1,"vip":0.5,"gold":2}')).toMatchObject({ success: true })
    expect(await bench.ask('GET', '/api/group/', { as: root })).toMatchObject({ data: ['default', 'gold', 'vip'] })
  })
})
