// @module-tag slow
import type { Log, Trace } from '@sluice/contract/log'
import { setOption } from '@sluice/store/queries/options'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addLog, addTrace, addTransfer } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const DAY = 24 * 3600

describe('logs', () => {
  let bench: ManagementBench
  let admin: TestCaller
  let ann: TestCaller
  let now: number
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
    ann = await bench.addCaller('ann', 1)
  })
  beforeEach(async () => {
    await bench.settleBackground()
    for (const table of ['log', 'log_daily', 'log_daily_model', 'log_daily_token', 'trace'] as const) {
      await bench.database.kysely.deleteFrom(table).execute()
    }
    await bench.database.kysely.deleteFrom('option').execute()
    await bench.deps.versions.check()
    now = Math.floor(bench.clock.now / 1_000)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const add = (values: Partial<Parameters<typeof addLog>[1]>) =>
    addLog(bench.database.kysely, { created_at: now - 10, user_id: ann.id, username: 'ann', ...values })
  const list = (query = '', as = admin) => bench.ask<Log[]>('GET', `/api/log/${query}`, { as })
  const contents = async (query: string, as = admin) => (await list(query, as)).data?.map((row) => row.content)

  it('show a charge exactly, with everything that belongs to it', async () => {
    await add({
      amount: 1_234_567n,
      request_id: 'ab12',
      cache_write_5m_tokens: 3,
      cache_write_1h_tokens: 0,
      reasoning_tokens: 7,
      estimated: 1,
      is_stream: 1,
      ended: 'client_gone',
      cached_prompt_tokens: 2,
      elapsed_ms: 2_500,
      content: 'why',
      channel_id: 4,
      channel_name: 'main',
      model_name: 'gpt-4o-2024',
      origin_model_name: 'gpt-4o',
    })
    const { data, total } = await list()
    expect(total).toBe(1)
    expect(data).toEqual([
      {
        id: expect.any(Number),
        created_at: now - 10,
        type: 2,
        user_id: ann.id,
        username: 'ann',
        token_name: 'token',
        model_name: 'gpt-4o-2024',
        origin_model_name: 'gpt-4o',
        quota: 1_235,
        quota_exact: '1234.567',
        prompt_tokens: 10,
        completion_tokens: 5,
        cached_prompt_tokens: 2,
        cached_completion_tokens: 0,
        channel: 4,
        channel_name: 'main',
        request_id: 'ab12',
        trace_id: 'ab12',
        elapsed_time: 2_500,
        is_stream: true,
        content: 'why',
        metadata: {
          cache_write_tokens: { ephemeral_5m: 3 },
          reasoning_tokens: 7,
          usage_estimated: true,
          ended: 'client_gone',
        },
      },
    ])
  })

  it('are filtered by each field, newest first, and summed under the same filters', async () => {
    await add({ content: 'a', created_at: now - 3 * DAY, model_name: 'o3', amount: 1_500n })
    await add({ content: 'b', created_at: now - 2 * DAY, token_name: 'ci', channel_id: 9, amount: 2_000n })
    await add({ content: 'c', created_at: now - 1 * DAY, user_id: admin.id, username: 'admin', amount: 4_999n })
    await add({ content: 'd', type: 3, amount: 77_000n })
    expect(await contents('')).toEqual(['d', 'c', 'b', 'a'])
    expect(await contents('?type=3')).toEqual(['d'])
    expect(await contents('?model_name=o3')).toEqual(['a'])
    expect(await contents('?token_name=ci')).toEqual(['b'])
    expect(await contents('?channel=9')).toEqual(['b'])
    expect(await contents('?username=admin')).toEqual(['c'])
    expect(await contents(`?start_timestamp=${now - 2 * DAY}&end_timestamp=${now - DAY}`)).toEqual(['c', 'b'])
    expect(await contents('?type=0&channel=&username=&p=1&size=3')).toEqual(['a'])
    expect(await contents('?sort=created_at&order=asc&size=1')).toEqual(['a'])
    const stat = async (query: string) => (await bench.ask('GET', `/api/log/stat${query}`, { as: admin })).data
    // Rounded up once; the rows show 2 + 2 + 5.
    expect(await stat('')).toEqual({ quota: 9, quota_exact: '8.499' })
    expect(await stat('?username=ann')).toEqual({ quota: 4, quota_exact: '3.5' })
    expect(await stat('?type=3')).toEqual({ quota: 9, quota_exact: '8.499' })
  })

  it('are summed over time under the same filters, only their own for users, and without cleared ones', async () => {
    const hour = Math.floor(now / 3_600) * 3_600
    await add({ created_at: hour, amount: 1_500n, model_name: 'o3' })
    await add({ created_at: hour, amount: 2_000n })
    await add({ created_at: hour, user_id: admin.id, username: 'admin', amount: 4_999n })
    interface Histogram {
      readonly bucket_seconds: number
      readonly buckets: readonly { readonly start: number; readonly entries: number; readonly quota: number }[]
    }
    const window = `start_timestamp=${hour - 168 * 3_600}&end_timestamp=${hour + 1}`
    const histogram = async (path: string, query: string, as: TestCaller) =>
      (await bench.ask<Histogram>('GET', `/api/log/${path}?${window}${query}`, { as })).data
    const inOne = (entries: number, exact: number) => ({
      bucket_seconds: 7_200,
      buckets: [
        { start: Math.floor(hour / 7_200) * 7_200, entries, quota: Math.ceil(exact), quota_exact: String(exact) },
      ],
    })
    expect(await histogram('histogram', '', admin)).toEqual(inOne(3, 8.499))
    expect(await histogram('histogram', '&username=ann', admin)).toEqual(inOne(2, 3.5))
    expect(await histogram('histogram', '&model_name=o3', admin)).toEqual(inOne(1, 1.5))
    expect(await histogram('self/histogram', '&username=admin', ann)).toEqual(inOne(2, 3.5))
    expect(await bench.ask('GET', `/api/log/histogram?${window}`, { as: ann })).toMatchObject({ success: false })
    await setOption(bench.database.kysely, 'LogClearedBefore', String(hour + 1))
    await bench.deps.versions.check()
    expect((await histogram('histogram', '', admin))?.buckets).toEqual([])
  })

  it('follow a user through a new name, and are found by the old one when the user no longer exists', async () => {
    await add({ content: 'before', username: 'annabel' })
    await add({ content: 'after' })
    await add({ content: 'gone', user_id: 999, username: 'departed' })
    expect(await contents('?username=ann')).toEqual(['after', 'before'])
    expect(await contents('?username=departed')).toEqual(['gone'])
    expect(await contents('?username=nobody')).toEqual([])
  })

  it('are sorted by every column of the specification without a time range', async () => {
    await add({ content: 'cheap', amount: 1n, created_at: now - 400 * DAY, model_name: 'b', channel_id: 2, type: 2 })
    await add({
      content: 'dear',
      amount: 9n,
      prompt_tokens: 99,
      completion_tokens: 99,
      elapsed_ms: 999,
      token_name: 'u',
    })
    await add({
      content: 'top-up',
      type: 1,
      amount: 0n,
      user_id: admin.id,
      username: 'admin',
      token_name: '',
      model_name: '',
    })
    for (const [sort, expected] of [
      ['quota', ['dear', 'cheap', 'top-up']],
      ['prompt_tokens', ['dear', 'top-up', 'cheap']],
      ['completion_tokens', ['dear', 'top-up', 'cheap']],
      ['elapsed_time', ['dear', 'top-up', 'cheap']],
      ['id', ['top-up', 'dear', 'cheap']],
      ['type', ['dear', 'cheap', 'top-up']],
      ['model_name', ['dear', 'cheap', 'top-up']],
      ['token_name', ['dear', 'cheap', 'top-up']],
      ['username', ['dear', 'cheap', 'top-up']],
      ['channel', ['cheap', 'top-up', 'dear']],
      ['unknown', ['top-up', 'dear', 'cheap']],
    ] as const) {
      expect(await contents(`?sort=${sort}&order=desc`), sort).toEqual(expected)
      const aYear = `start_timestamp=${now - 365 * DAY}&end_timestamp=${now + 3_600}`
      expect(await contents(`?sort=${sort}&order=desc&${aYear}`), sort).toEqual(
        expected.filter((each) => each !== 'cheap'),
      )
    }
  })

  it('are not sorted by channel for users, who do not see channels', { tags: 'S11' }, async () => {
    await add({ content: 'older', channel_id: 9, created_at: now - 20 })
    await add({ content: 'newer', channel_id: 1 })
    expect(await contents('?sort=channel&order=desc')).toEqual(['older', 'newer'])
    expect(await contents('self?sort=channel&order=desc', ann)).toEqual(['newer', 'older'])
  })

  it('are searched by text, model, token, user or request id', async () => {
    await add({ content: 'the quick fox', model_name: 'gpt-4o', request_id: '0199f000000070008000000000000001' })
    await add({ content: 'lazy', model_name: 'o3', token_name: 'ci-bot' })
    const search = async (keyword: string) =>
      (
        await bench.ask<Log[]>('GET', `/api/log/search?keyword=${encodeURIComponent(keyword)}`, { as: admin })
      ).data?.map((row) => row.content)
    expect(await search('Quick')).toEqual(['the quick fox'])
    expect(await search('o3')).toEqual(['lazy'])
    expect(await search('ci-')).toEqual(['lazy'])
    expect(await search('0199f000000070008000000000000001')).toEqual(['the quick fox'])
    expect(await bench.ask('GET', '/api/log/search?keyword=x', { as: admin })).toMatchObject({
      message: 'keyword: type at least 2 characters to search.',
    })
    expect(await search('')).toEqual(['lazy', 'the quick fox'])
  })

  it('are cleared at once for every reader, and the rows are deleted in the background', async () => {
    for (let i = 0; i < 2_500; i++) {
      await add({ created_at: now - 40 * DAY + i, content: 'old' })
    }
    await addTrace(bench.database.kysely, {
      request_id: `${((now - 40 * DAY) * 1_000).toString(16).padStart(12, '0')}70008000000000000000`,
      received_ms: 1,
    })
    await add({ content: 'new' })
    const before = now - 30 * DAY
    const cleared = await bench.ask('DELETE', `/api/log?target_timestamp=${before}`, { as: admin })
    expect(cleared).toMatchObject({ success: true, data: 2_500 })
    expect((await list(`?end_timestamp=${before}`)).total).toBe(0)
    await bench.settleBackground()
    const left = await bench.database.kysely.selectFrom('log').select('content').execute()
    expect(left.map((row) => row.content)).toEqual([
      'new',
      expect.stringMatching(/^Logs created before 2026-10-21T12:00:00.000Z cleared \(2500 rows\), by admin/),
    ])
    expect(await bench.database.kysely.selectFrom('trace').selectAll().execute()).toEqual([])

    await bench.ask('DELETE', `/api/log/?target_timestamp=${before - DAY}`, { as: admin })
    expect(bench.deps.options().LogClearedBefore).toBe(before)
    expect(await bench.ask('DELETE', '/api/log/', { as: admin })).toMatchObject({ code: 'invalid_body' })
  })

  it('are cleared only up to now when the end of the window is in the future', async () => {
    await add({ created_at: now - 1, content: 'old' })
    await add({ created_at: now, content: 'of this second' })
    const ahead = await bench.ask('DELETE', `/api/log?target_timestamp=${now + 3_600}`, { as: admin })
    expect(ahead).toMatchObject({ success: true, data: 1 })
    expect(bench.deps.options().LogClearedBefore).toBe(now)
    expect(await contents('')).toEqual([expect.stringMatching(/^Logs created before /), 'of this second'])
  })

  it(
    'are shown again when a clock that was a year ahead has cleared everything up to its own now',
    { tags: 'S45' },
    async () => {
      await add({ content: 'charged since', created_at: now - 9, request_id: 'ab', amount: 7_000n })
      await setOption(bench.database.kysely, 'LogClearedBefore', String(now + 365 * DAY))
      await bench.deps.versions.check()
      expect(await contents('')).toEqual(['charged since'])
      expect(await contents('search?keyword=since')).toEqual(['charged since'])
      expect(await bench.ask('GET', '/api/log/stat', { as: admin })).toMatchObject({ data: { quota: 7 } })
      expect(await bench.ask('DELETE', `/api/log/?target_timestamp=${now}`, { as: admin })).toMatchObject({ data: 1 })
      await bench.settleBackground()
      expect(await contents('')).toEqual([expect.stringMatching(/^Logs created before /)])
    },
  )

  it('that were cleared but are still being deleted are not shown by any call', async () => {
    await add({ content: 'old row', created_at: now - 10, request_id: 'old', amount: 5_000n })
    await addTrace(bench.database.kysely, { request_id: 'old', received_ms: 1 })
    await add({ content: 'new row', created_at: now - 9, amount: 7_000n })
    const { id } = await bench.database.kysely.selectFrom('log').select('id').orderBy('id').executeTakeFirstOrThrow()
    await setOption(bench.database.kysely, 'LogClearedBefore', String(now - 9))
    await bench.deps.versions.check()
    expect(await contents('')).toEqual(['new row'])
    expect(await contents(`?start_timestamp=${now - 100}`)).toEqual(['new row'])
    expect(await contents('search?keyword=row')).toEqual(['new row'])
    expect(await contents('self', ann)).toEqual(['new row'])
    expect(await bench.ask('GET', '/api/log/stat', { as: admin })).toMatchObject({ data: { quota: 7 } })
    expect(await bench.ask('GET', `/api/trace/log/${id}`, { as: admin })).toMatchObject({ status: 404 })
  })

  it('lead to the timeline of their request', async () => {
    const requestId = '0199f000000070008000000000000002'
    await add({ request_id: requestId, content: 'served' })
    await addTransfer(bench.database.kysely, { request_id: requestId, at_ms: (now - 10) * 1_000 })
    const attempts = [{ channel: 4, channel_name: 'main', started: 5, ended: 310, status: 200, error: '' }]
    await addTrace(bench.database.kysely, {
      request_id: requestId,
      received_ms: 1_000,
      user_id: ann.id,
      upstream_completed_ms: 0,
      attempts: JSON.stringify(attempts),
    })
    const { id } = await bench.database.kysely.selectFrom('log').select('id').executeTakeFirstOrThrow()
    const trace = async (as: TestCaller) => (await bench.ask<Trace>('GET', `/api/trace/log/${id}`, { as })).data
    expect(await trace(admin)).toEqual({
      trace_id: requestId,
      url: '/v1/chat/completions',
      method: 'POST',
      status: 200,
      body_size: 120,
      created_at: 1_000,
      timestamps: {
        request_received: 1_000,
        request_forwarded: 1_005,
        first_upstream_response: 1_105,
        first_client_response: 1_106,
        request_completed: 1_310,
      },
      durations: { processing_time: 5, upstream_response_time: 100, response_processing_time: 1, total_time: 310 },
      attempts,
      log: { id: Number(id), username: 'ann', type: 2, content: 'served' },
    })
    expect((await trace(ann))?.attempts).toMatchObject([{ channel: 0, channel_name: '', status: 200 }])
    const byRequest = async (as: TestCaller) => (await bench.ask<Trace>('GET', `/api/trace/${requestId}/`, { as })).data
    expect(await byRequest(admin)).toEqual(await trace(admin))
    expect(await byRequest(ann)).toEqual(await trace(ann))
  })

  it('finds the timeline of a request that failed and has no row, for its owner and for administrators', async () => {
    const requestId = '0199f000000070008000000000000004'
    const lane = { channel: 7, channel_name: 'ours', key: 1, keys: 1, model: 'm', priority: 0, weight: 0, order: 1 }
    const routing = { by: 'weight', lanes: [lane] }
    const attempt = { channel: 7, channel_name: 'ours', started: 1, ended: 2, status: 503, error: 'upstream_failed' }
    await addTrace(bench.database.kysely, {
      request_id: requestId,
      received_ms: now * 1_000,
      user_id: ann.id,
      status: 503,
      attempts: JSON.stringify([attempt]),
      routing: JSON.stringify(routing),
    })
    const ask = async (as: TestCaller) => await bench.ask<Trace>('GET', `/api/trace/${requestId}`, { as })
    const seen = { status: 503, log: { id: 0, username: ann.username, type: 0, content: '' } }
    expect((await ask(admin)).data).toMatchObject({ ...seen, routing, attempts: [attempt] })
    const own = (await ask(ann)).data
    expect(own).toMatchObject({ ...seen, attempts: [{ channel: 0, channel_name: '', status: 503 }] })
    expect(own).not.toHaveProperty('routing')
    expect(await ask(await bench.addCaller('somebody', 1))).toMatchObject({ status: 404, code: 'trace_not_found' })
  })

  it('of other users do not give away their timeline by its trace id', { tags: 'S11' }, async () => {
    const requestId = '0199f000000070008000000000000003'
    await add({ request_id: requestId, user_id: admin.id })
    await addTransfer(bench.database.kysely, { request_id: requestId, at_ms: (now - 10) * 1_000 })
    await addTrace(bench.database.kysely, { request_id: requestId, received_ms: 1_000, user_id: ann.id })
    const ask = async (id: string, as: TestCaller) => await bench.ask('GET', `/api/trace/${id}`, { as })
    expect(await ask(requestId, admin)).toMatchObject({ success: true })
    const absent = await ask('0'.repeat(32), ann)
    expect(absent).toMatchObject({ status: 404, code: 'trace_not_found' })
    expect(await ask(requestId, ann)).toMatchObject({ status: 404, code: 'trace_not_found', message: absent.message })
    await setOption(bench.database.kysely, 'LogClearedBefore', String(now))
    await bench.deps.versions.check()
    expect(await ask(requestId, admin)).toMatchObject({ status: 404, code: 'trace_not_found' })
  })

  it.each(['7', 'x', '0199F000000070008000000000000003', '0'.repeat(31), '0'.repeat(33), '%27'])(
    'have no timeline under %s',
    async (id) => {
      expect(await bench.ask('GET', `/api/trace/${id}`, { as: admin })).toMatchObject({
        status: 404,
        code: 'unknown_path',
      })
    },
  )

  it('of other users are neither listed, summed, searched nor filtered into sight', { tags: 'S11' }, async () => {
    await add({ content: 'my own row', amount: 5_000n, channel_id: 4, channel_name: 'main' })
    await add({ content: 'foreign row', user_id: admin.id, username: 'admin', amount: 9_000n })
    const requested = [
      '/api/log/self',
      '/api/log/self?username=admin',
      `/api/log/self?user_id=${admin.id}`,
      '/api/log/self?channel=4',
      '/api/log/self/search?keyword=row',
    ]
    for (const path of requested) {
      const { data, total } = await bench.ask<Log[]>('GET', path, { as: ann })
      expect([path, total, data?.map((row) => [row.content, row.channel, row.channel_name])]).toEqual([
        path,
        1,
        [['my own row', 0, '']],
      ])
    }
    expect(await bench.ask('GET', '/api/log/self/stat?username=admin', { as: ann })).toMatchObject({
      data: { quota: 5 },
    })
  })
})
