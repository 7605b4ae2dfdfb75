// @module-tag slow
import type { Log } from '@sluice/contract/log'
import type { UsageSession } from '@sluice/contract/routes/usage-sessions'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addLog } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const id = (letter: string) => letter.repeat(22)

describe('sessions', () => {
  let bench: ManagementBench
  let admin: TestCaller
  let ann: TestCaller
  let bob: TestCaller
  let now: number
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
    ann = await bench.addCaller('ann', 1)
    bob = await bench.addCaller('bob', 1)
    now = Math.floor(bench.clock.now / 1_000)
    const add = (letter: string, ago: number, values: Partial<Parameters<typeof addLog>[1]>) =>
      addLog(bench.database.kysely, { created_at: now - ago, session: id(letter), client: 'codex', ...values })
    const mine = { user_id: ann.id, username: 'ann', token_id: 1 }
    await add('a', 500, { ...mine, amount: 1_234_567n, saved: 1_999n, cached_prompt_tokens: 4, elapsed_ms: 20_000 })
    await add('a', 100, { ...mine, amount: 1n, model_name: 'o3' })
    await add('b', 50, { ...mine, amount: 5_000n })
    await add('c', 70, { user_id: bob.id, username: 'bob', token_id: 2, token_name: 'laptop' })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const ask = (query: string, as: TestCaller, path = '/api/log/self/session') =>
    bench.ask<UsageSession[]>('GET', `${path}${query}`, { as })
  const names = async (query: string, as = ann, path?: string) =>
    (await ask(query, as, path)).data?.map(({ session }) => session[0]).join('')
  const all = '/api/log/session'

  it('show exactly what their calls cost and saved', async () => {
    const { data } = await ask(`?session=${id('a')}`, ann)
    expect(data).toEqual([
      {
        session: id('a'),
        token_id: 1,
        token_name: 'token',
        user_id: ann.id,
        username: 'ann',
        client: 'codex',
        models: ['gpt-4o', 'o3'],
        first_at: now - 520,
        last_at: now - 100,
        calls: 2,
        quota: 1_235,
        quota_exact: '1234.568',
        saved_quota: 1,
        saved_quota_exact: '1.999',
        prompt_tokens: 20,
        cached_prompt_tokens: 4,
        cache_write_5m_tokens: 0,
        cache_write_1h_tokens: 0,
        completion_tokens: 10,
        reasoning_tokens: 0,
      },
    ])
  })

  it('S11: are those of the caller, whatever is asked for; of everyone for administrators alone', async () => {
    expect(await names('')).toBe('ba')
    expect(await names('', bob)).toBe('c')
    expect(await names(`?session=${id('a')}`, bob)).toBe('')
    expect(await names('?username=ann', bob)).toBe('c')
    expect(await names('', admin, all)).toBe('bca')
    expect(await names('?username=ann', admin, all)).toBe('ba')
    expect(await names('?token_name=laptop', admin, all)).toBe('c')
    expect((await ask('', ann, all)).success).toBe(false)
    const theirs = await bench.ask<Log[]>('GET', `/api/log/self?session=${id('a')}`, { as: bob })
    expect(theirs.data).toEqual([])
  })

  it('come in the requested order, page by page', async () => {
    expect(await names('?sort=quota')).toBe('ab')
    expect(await names('?sort=duration&order=asc')).toBe('ba')
    const first = await ask('?sort=quota&size=1', ann)
    const { next } = first as unknown as { next: string }
    expect(first.data).toHaveLength(1)
    expect(await names(`?sort=quota&size=1&after=${next}`)).toBe('b')
    expect(await ask(`?sort=quota&size=1&after=${next}`, ann)).not.toHaveProperty('next')
  })

  it.each([
    '1',
    'x.1.1.a',
    `99999999999999999999.1.1.${id('a')}`,
    `9223372036854775808.1.1.${id('a')}`,
    `1.1.9999999999.${id('a')}`,
    "1.1.1.' or 1=1",
  ])('refuse %s as the place where a page begins, by the name of the field', async (after) => {
    const reply = await ask(`?after=${encodeURIComponent(after)}`, ann)
    expect(reply).toMatchObject({ success: false, message: expect.stringContaining('after') })
  })

  it('refuse an id that no session can have', async () => {
    const reply = await bench.ask<Log[]>('GET', '/api/log/self?session=short', { as: ann })
    expect(reply).toMatchObject({ success: false, message: expect.stringContaining('session') })
  })

  it('have their calls in the log, which names session and client', async () => {
    const { data, total } = await bench.ask<Log[]>('GET', `/api/log/self?session=${id('a')}`, { as: ann })
    expect(total).toBe(2)
    expect(data?.[0]?.metadata).toMatchObject({ session: id('a'), client: 'codex' })
    const stat = await bench.ask<{ quota_exact: string }>('GET', `/api/log/self/stat?session=${id('a')}`, { as: ann })
    expect(stat.data?.quota_exact).toBe('1234.568')
  })
})
