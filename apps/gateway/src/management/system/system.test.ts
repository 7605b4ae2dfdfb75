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

  it('have defaults, take new values, and appear in the public status with the next call', async () => {
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
        quota_display_type: 'TOKENS',
        oidc_enabled: false,
        setup: true,
        quota_per_unit: 1_000,
        version: '0.0.0-test',
        start_time: 1_763_600_000,
        github_oauth: false,
        oidc_client_id: '',
        oidc_well_known: '',
        wechat_qrcode: '',
        theme: 'modern',
        stripe_enabled: false,
        register_enabled: true,
      },
    })
  })

  it('name the notice by its text in the public status', async () => {
    const noticeId = async () => (await bench.ask<{ notice_id: string }>('GET', '/api/status')).data?.notice_id
    await set('Notice', 'Maintenance at noon')
    const first = await noticeId()
    expect(first).toMatch(/^[0-9a-f]{16}$/)
    await set('Notice', 'Maintenance at one')
    expect(await noticeId()).not.toBe(first)
    await set('Notice', 'Maintenance at noon')
    expect(await noticeId()).toBe(first)
    await set('Notice', '')
    expect(await noticeId()).toBe('')
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

  it('are described by a document that lists every call', async () => {
    const response = await bench.fetch(new Request('http://localhost:3000/api/openapi.json'))
    expect(response.status).toBe(200)
    const document = (await response.json()) as { openapi: string; paths: Record<string, object> }
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths['/api/token/{id}']).toHaveProperty('delete')
  })
})
