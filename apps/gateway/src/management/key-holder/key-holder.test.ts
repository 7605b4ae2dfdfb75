import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('what an API key can call', () => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  let key: string
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    ann = await bench.addCaller('ann', 1)
    await bench.ask('POST', '/api/topup', { as: root, body: { user_id: ann.id, quota: 5_000_000 } })
    key = await addKey({ name: 'chat', remain_quota: 1_000_000, expired_time: 2_000_000_000, models: 'gpt-4o,o3' })
    await bench.ask('POST', '/api/token/consume', { headers: bearer(key), body: { add_used_quota: 250_000 } })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const addKey = async (body: object): Promise<string> =>
    (await bench.ask<{ key: string }>('POST', '/api/token/', { as: ann, body })).data?.key ?? ''
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const set = (name: string, value: unknown) =>
    bench.ask('PUT', '/api/option/', { as: root, body: { key: name, value } })
  const raw = async (path: string, headers: Record<string, string> = bearer(key)) => {
    const response = await bench.fetch(new Request(`http://localhost:3000${path}`, { headers }))
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }

  it.each(['/dashboard/billing', '/v1/dashboard/billing'])('%s answers in OpenAI’s shape', async (root) => {
    expect(await raw(`${root}/subscription`)).toMatchObject({
      status: 200,
      body: {
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: 2,
        hard_limit_usd: 2,
        system_hard_limit_usd: 2,
        access_until: 2_000_000_000,
      },
    })
    expect(await raw(`${root}/usage?start_date=2026-01-01&end_date=2026-12-31`)).toMatchObject({
      body: { object: 'list', total_usage: 50 },
    })
  })

  it('counts the account instead of the token, or quota instead of currency, as the options say', async () => {
    await set('DisplayTokenStatEnabled', false)
    expect((await raw('/dashboard/billing/subscription')).body).toMatchObject({ hard_limit_usd: 10, access_until: 0 })
    await set('DisplayInCurrencyEnabled', false)
    expect((await raw('/dashboard/billing/subscription')).body).toMatchObject({ hard_limit_usd: 5_000_000 })
    expect((await raw('/dashboard/billing/usage')).body).toMatchObject({ total_usage: 25_000_000 })
    await set('DisplayTokenStatEnabled', true)
    await set('DisplayInCurrencyEnabled', true)
    await set('QuotaPerUnit', 1_000)
    expect((await raw('/dashboard/billing/subscription')).body).toMatchObject({ hard_limit_usd: 1_000 })
    await set('QuotaPerUnit', 500_000)
    const unlimited = await addKey({ name: 'free', unlimited_quota: true })
    expect((await raw('/dashboard/billing/subscription', bearer(unlimited))).body).toMatchObject({
      hard_limit_usd: 100_000_000,
      access_until: 0,
    })
  })

  it('gives programs of New API the same in their own shape', async () => {
    const data = {
      object: 'token_usage',
      name: 'chat',
      total_granted: 1_000_000,
      total_used: 250_000,
      total_available: 750_000,
      unlimited_quota: false,
      model_limits: { 'gpt-4o': true, o3: true },
      model_limits_enabled: true,
      expires_at: 2_000_000_000,
    }
    for (const path of ['/api/usage/token', '/api/usage/token/'])
      expect((await raw(path)).body).toEqual({ code: true, message: 'ok', data })
    const open = await addKey({ name: 'open', unlimited_quota: true })
    expect((await raw('/api/usage/token/', bearer(open))).body).toMatchObject({
      data: { unlimited_quota: true, model_limits: {}, model_limits_enabled: false, expires_at: 0 },
    })
    expect(await raw('/api/usage/token/', {})).toMatchObject({ status: 401, body: { error: { code: 'missing_key' } } })
  })

  it('gives cc-switch dollars and budgets in the shape of sub2api, on every address of the calls', async () => {
    expect(await raw('/v1/usage')).toMatchObject({
      status: 200,
      body: { isValid: true, remaining: 1.5, used: 0.5, total: 2, unit: 'USD', subscription: { resets_at: null } },
    })
    const held = { name: 'held', unlimited_quota: true, budgets: [{ period: 'day', quota: 50_000 }] }
    const { body } = await raw('/v1/usage', bearer(await addKey(held)))
    expect(body).toMatchObject({
      remaining: 0.1,
      used: 0,
      total: 0.1,
      subscription: {
        daily_usage_usd: 0,
        daily_limit_usd: 0.1,
        weekly_limit_usd: null,
        resets_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT00:00:00\.000Z$/),
      },
    })
    const open = await addKey({ name: 'open', unlimited_quota: true })
    expect((await raw('/v1/usage', bearer(open))).body).toMatchObject({ remaining: 9.5, used: 0, total: 9.5 })
    for (const [headers, code] of [
      [{}, 'missing_key'],
      [bearer('sk-none'), 'invalid_key'],
    ] as const) {
      expect(await raw('/v1/usage', headers)).toMatchObject({ status: 401, body: { error: { code } } })
    }
  })

  it('shows what a request cost to the key that paid for it, and to no one else', { tags: 'S11' }, async () => {
    const { body } = await raw('/api/token/logs')
    const [{ id, request_id, created_at }] = body['data'] as [{ id: number; request_id: string; created_at: number }]
    const path = `/api/cost/request/${request_id}`
    expect(await raw(path)).toMatchObject({
      status: 200,
      body: { id, created_time: created_at, user_id: ann.id, request_id, quota: 250_000, cost_usd: 0.5 },
    })
    const sibling = await addKey({ name: 'chat', unlimited_quota: true })
    const hidden = await raw(path, bearer(sibling))
    expect(hidden).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    const unknown = await raw(`/api/cost/request/${'0'.repeat(32)}`, bearer(sibling))
    expect([unknown.status, unknown.body]).toEqual([hidden.status, hidden.body])
    for (const headers of [{}, { cookie: ann.cookie }]) {
      expect(await raw(path, headers)).toMatchObject({ status: 401, body: { error: { code: 'missing_key' } } })
    }
    expect(await raw('/api/cost/request/x')).toEqual(await raw(`/api/cost/request/${'0'.repeat(32)}`))
  })

  it('gives pages of New API the log of the key, also where the key is in the query', { tags: 'S11' }, async () => {
    const { headers, body } = await raw('/api/log/token')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const [row] = body['data'] as [{ other: string }]
    expect(body).toMatchObject({ success: true, message: '' })
    expect(row).toMatchObject({ token_name: 'chat', quota: 250_000, use_time: 0, channel: 0, channel_name: '' })
    expect(JSON.parse(row.other)).toEqual({ cache_tokens: 0, cache_creation_tokens: 0 })
    expect((await raw(`/api/log/token?key=${key}`, {})).body).toEqual(body)
    const sibling = await addKey({ name: 'chat', unlimited_quota: true })
    expect((await raw(`/api/log/token/?key=${sibling}`, {})).body).toMatchObject({ success: true, data: [] })
    for (const path of ['/api/log/token', '/api/log/token?key=sk-none', `/api/usage/token/?key=${key}`])
      expect([path, (await raw(path, {})).status]).toEqual([path, 401])
  })

  it('answers a bad key in OpenAI’s shape, with its status', async () => {
    expect(await raw('/dashboard/billing/usage', bearer('sk-none'))).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_key', type: 'authentication_error', param: null, message: expect.any(String) } },
    })
    expect(await raw('/v1/dashboard/billing/usage', {})).toMatchObject({
      status: 401,
      body: { error: { code: 'missing_key' } },
    })
    expect(await raw('/api/token/balance', {})).toMatchObject({
      status: 401,
      body: { success: false, code: 'missing_key' },
    })
  })

  it('lets pages of any origin read the balance of a key they have, without cookies', { tags: 'S21' }, async () => {
    const { headers } = await raw('/dashboard/billing/usage', { ...bearer(key), origin: 'https://chat.example' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
    const preflight = new Request('http://localhost:3000/v1/dashboard/billing/subscription', {
      method: 'OPTIONS',
      headers: { origin: 'https://chat.example', 'access-control-request-headers': 'authorization' },
    })
    const reply = await bench.fetch(preflight)
    expect([reply.status, reply.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'Authorization, Content-Type',
    ])
  })

  it('returns the balance, the owner and the models of the key', async () => {
    const channel = { name: 'c', type: 1, key: 'k', models: 'gpt-4o,gpt-4.1', group: 'default' }
    await bench.ask('POST', '/api/channel/', { as: root, body: channel })
    expect(await raw('/api/token/balance')).toMatchObject({
      body: {
        success: true,
        data: { name: 'chat', remain_quota: 750_000, used_quota: 250_000, unlimited_quota: false },
      },
    })
    const owner = await raw('/api/user/get-by-token')
    expect(owner.body).toMatchObject({ data: { id: ann.id, username: 'ann', role: 1, quota: 4_750_000 } })
    expect(JSON.stringify(owner.body)).not.toMatch(/email|password|access_token/)
    expect(await raw('/api/available_models')).toMatchObject({
      body: { data: { available: ['gpt-4o'], enabled: true } },
    })
    const open = await addKey({ name: 'open', unlimited_quota: true })
    expect(await raw('/api/available_models', bearer(open))).toMatchObject({
      body: { data: { available: ['gpt-4.1', 'gpt-4o'], enabled: false } },
    })
  })

  it('follows the rules of the relay: status, time, address and owner', { tags: 'S25' }, async () => {
    const gone = async (body: object, code: string, more: Record<string, string> = {}) => {
      const made = await addKey({ name: 'x', unlimited_quota: true, ...body })
      bench.clock.now += 2_000
      expect(await raw('/api/token/balance', { ...bearer(made), ...more })).toMatchObject({ body: { code } })
    }
    await gone({ expired_time: Math.floor(bench.clock.now / 1_000) + 1 }, 'token_expired')
    await gone({ subnet: '10.0.0.0/8' }, 'subnet_not_allowed', { 'x-test-address': '192.0.2.1' })
    const empty = await addKey({ name: 'empty', remain_quota: 0 })
    expect(await raw('/api/token/balance', bearer(empty))).toMatchObject({
      status: 200,
      body: { data: { remain_quota: 0 } },
    })
    expect((await raw('/api/token/balance', { cookie: ann.cookie })).status).toBe(401)
    await bench.ask('PUT', '/api/user/?status_only=1', { as: root, body: { id: ann.id, status: 2 } })
    expect(await raw('/api/token/balance')).toMatchObject({ status: 403, body: { code: 'user_disabled' } })
  })

  it('shows no noise of floating-point numbers', async () => {
    const bob = await bench.addCaller('bob', 1)
    await bench.ask('POST', '/api/topup', { as: root, body: { user_id: bob.id, quota: 10 } })
    const made = await bench.ask<{ key: string }>('POST', '/api/token/', {
      as: bob,
      body: { name: 'small', remain_quota: 10 },
    })
    const small = made.data?.key ?? ''
    await bench.ask('POST', '/api/token/consume', { headers: bearer(small), body: { add_used_quota: 1 } })
    expect((await raw('/dashboard/billing/usage', bearer(small))).body).toMatchObject({ total_usage: 0.0002 })
  })
})
