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

  const set = (key: string, value: unknown) => bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
  const all = async (): Promise<ReadonlyMap<string, string>> => {
    const { data = [] } = await bench.ask<Option[]>('GET', '/api/option/', { as: root })
    return new Map(data.map((option) => [option.key, option.value]))
  }

  it('have defaults, take new values, and reach the public status with the next call', async () => {
    expect((await all()).get('SystemName')).toBe('Sluice')
    expect(await set('SystemName', 'Ours')).toMatchObject({ success: true, message: '' })
    await set('DisplayInCurrencyEnabled', false)
    await set('QuotaPerUnit', 1_000)
    expect((await all()).get('DisplayInCurrencyEnabled')).toBe('false')
    const status = await bench.ask('GET', '/api/status')
    expect(status).toMatchObject({
      status: 200,
      data: {
        system_name: 'Ours',
        display_in_currency: false,
        quota_per_unit: 1_000,
        version: '0.0.0-test',
        start_time: 1_763_600_000,
        github_oauth: false,
        register_enabled: true,
      },
    })
  })

  it('hold the public pages', async () => {
    for (const [key, path] of [
      ['Notice', 'notice'],
      ['About', 'about'],
      ['HomePageContent', 'home_page_content'],
    ] as const) {
      expect(await bench.ask('GET', `/api/${path}`)).toMatchObject({ success: true, data: '' })
      await set(key, `# ${key}`)
      expect(await bench.ask('GET', `/api/${path}`)).toMatchObject({ success: true, data: `# ${key}` })
    }
  })

  it('refuse what does not fit, and keep what was there', async () => {
    const before = await all()
    const cases: readonly (readonly [string, unknown, RegExp])[] = [
      ['Unknown', 'x', /"Unknown" is not an option/],
      ['__proto__', 'x', /is not an option/],
      ['RetryTimes', 'many', /must be an integer/],
      ['RetryTimes', -1, /from 0 to/],
      ['GroupRatio', '{"default":', /must be a JSON object/],
      ['RegisterEnabled', 'yes', /must be true or false/],
      ['GitHubOAuthEnabled', true, /cannot be switched on before GitHubClientId is set/],
      ['ServerAddress', 'javascript:alert(1)', /must be an http/],
      ['Theme', 'neon', /must be one of/],
      ['LogClearedBefore', 5, /is not set by hand/],
      ['ModelRatio', '{}', /is not used/],
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

  it('S20 S33 keep secrets sealed, answer them never, and survive a blank submission', async () => {
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

  it('are described by a document that lists every call', async () => {
    const response = await bench.fetch(new Request('http://localhost:3000/api/openapi.json'))
    expect(response.status).toBe(200)
    const document = (await response.json()) as { openapi: string; paths: Record<string, object> }
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths['/api/token/{id}']).toHaveProperty('delete')
  })
})
