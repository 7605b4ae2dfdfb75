import type { Dashboard } from '@sluice/contract/dashboard'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addToken, addUsage } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const TODAY = Date.UTC(2026, 10, 20) / 86_400_000

describe('the dashboard', () => {
  let bench: ManagementBench
  let admin: TestCaller
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
    ann = await bench.addCaller('ann', 1)
    const db = bench.database.kysely
    const token = await addToken(db, { user_id: ann.id, name: 'laptop' })
    await addUsage(db, { day: TODAY, user_id: ann.id, token_id: token, model: 'o3', amount: 1_234_567n, requests: 2 })
    await addUsage(db, { day: TODAY - 6, user_id: ann.id, token_id: 99, model: 'gpt-4o', amount: 500n })
    await addUsage(db, { day: TODAY - 7, user_id: ann.id, token_id: token, model: 'early', amount: 1n })
    await addUsage(db, { day: TODAY - 100, user_id: admin.id, token_id: 98, model: 'o3', amount: 1_000n })
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const ask = (query: string, as: TestCaller) => bench.ask<Dashboard>('GET', `/api/user/dashboard${query}`, { as })

  it('shows users the last seven days of their own usage by default', async () => {
    const { data } = await ask('', ann)
    expect(data).toEqual({
      logs: [
        {
          Day: '2026-11-14',
          ModelName: 'gpt-4o',
          RequestCount: 1,
          Quota: 1,
          QuotaExact: '0.5',
          PromptTokens: 10,
          CompletionTokens: 5,
        },
        {
          Day: '2026-11-20',
          ModelName: 'o3',
          RequestCount: 2,
          Quota: 1_235,
          QuotaExact: '1234.567',
          PromptTokens: 10,
          CompletionTokens: 5,
        },
      ],
      user_logs: [
        {
          Day: '2026-11-14',
          Username: 'ann',
          UserId: ann.id,
          RequestCount: 1,
          Quota: 1,
          QuotaExact: '0.5',
          PromptTokens: 10,
          CompletionTokens: 5,
        },
        {
          Day: '2026-11-20',
          Username: 'ann',
          UserId: ann.id,
          RequestCount: 2,
          Quota: 1_235,
          QuotaExact: '1234.567',
          PromptTokens: 10,
          CompletionTokens: 5,
        },
      ],
      token_logs: [
        {
          Day: '2026-11-14',
          TokenName: '',
          Username: 'ann',
          UserId: ann.id,
          RequestCount: 1,
          Quota: 1,
          QuotaExact: '0.5',
          PromptTokens: 10,
          CompletionTokens: 5,
        },
        {
          Day: '2026-11-20',
          TokenName: 'laptop',
          Username: 'ann',
          UserId: ann.id,
          RequestCount: 2,
          Quota: 1_235,
          QuotaExact: '1234.567',
          PromptTokens: 10,
          CompletionTokens: 5,
        },
      ],
      total_quota: 0,
      total_quota_exact: '0',
      used_quota: 0,
      used_quota_exact: '0',
      status: 'Active',
    })
  })

  it('shows an administrator all users, or one, for up to a year', async () => {
    const year = '?from_date=2026-08-01&to_date=2026-11-20'
    const all = (await ask(`${year}&user_id=all`, admin)).data
    expect(all?.logs.map((row) => row.ModelName)).toEqual(['o3', 'early', 'gpt-4o', 'o3'])
    expect(all?.status).toBe('All Active')
    expect((await ask(year, admin)).data).toEqual(all)
    const one = (await ask(`${year}&user_id=${admin.id}`, admin)).data
    expect(one?.user_logs).toMatchObject([{ Day: '2026-08-12', Username: 'admin' }])
    expect(await ask('?user_id=999', admin)).toMatchObject({ success: false, code: 'invalid_body' })
    expect(await ask('?user_id=1%20or%201', admin)).toMatchObject({ success: false })
    const users = await bench.ask('GET', '/api/user/dashboard/users', { as: admin })
    expect(users.data).toEqual([
      { id: admin.id, username: 'admin', display_name: 'admin' },
      { id: ann.id, username: 'ann', display_name: 'ann' },
    ])
  })

  it('shows an ordinary user no one else, in words that do not sign the console out', { tags: 'S11' }, async () => {
    for (const user of ['all', String(admin.id), '0', 'x']) {
      const reply = await ask(`?user_id=${user}`, ann)
      expect(reply).toMatchObject({ status: 200, success: false, message: 'You can see only your own usage.' })
    }
    expect(await ask(`?user_id=${ann.id}`, ann)).toMatchObject({ success: true })
  })

  it('sums users with little spending in one row a day, so that the reply stays small', async () => {
    const day = TODAY - 200
    for (let id = 1_001; id <= 1_060; id++) {
      await addUsage(bench.database.kysely, { day, user_id: id, token_id: id, amount: BigInt(id) * 1_000n })
    }
    const { data } = await ask('?from_date=2026-05-01&to_date=2026-05-10', admin)
    expect(data?.user_logs).toHaveLength(51)
    const rest = {
      Day: '2026-05-04',
      RequestCount: 10,
      Quota: 10_055,
      QuotaExact: '10055',
      PromptTokens: 100,
      CompletionTokens: 50,
    }
    expect(data?.user_logs[0]).toEqual({ ...rest, Username: 'Others', UserId: 0 })
    expect(data?.token_logs[0]).toEqual({ ...rest, TokenName: 'Others', Username: 'Others', UserId: 0 })
  })

  it('refuses ranges in the words of the console', async () => {
    const cases: readonly (readonly [TestCaller, string, string, string])[] = [
      [ann, '2026-11-20', '2026-11-19', 'From date must be before or equal to To date'],
      [ann, '2026-11-20', '2026-11-23', 'To date cannot be in the future'],
      [ann, '2026-11-01', '2026-11-02', 'From date cannot be more than 7 days ago'],
      [ann, '2026-11-13', '2026-11-20', 'Date range cannot exceed 7 days'],
      [admin, '2025-01-01', '2025-02-01', 'From date cannot be more than 1 year ago'],
      [admin, '2025-11-20', '2026-11-20', 'Date range cannot exceed 1 year'],
      [ann, '2026-02-30', '2026-11-20', 'From date must be a date in the form YYYY-MM-DD'],
      [ann, '2026-11-20', 'today', 'To date must be a date in the form YYYY-MM-DD'],
    ]
    for (const [as, from, to, message] of cases) {
      expect(await ask(`?from_date=${from}&to_date=${to}`, as)).toMatchObject({ success: false, message })
    }
    expect(await ask('?from_date=2026-11-14&to_date=2026-11-20', ann)).toMatchObject({ success: true })
    expect(await ask('?from_date=2025-11-21&to_date=2026-11-20', admin)).toMatchObject({ success: true })
  })

  it('takes “today” to be the caller’s, wherever they are', async () => {
    expect(await ask('?from_date=2026-11-21&to_date=2026-11-21', ann)).toMatchObject({ success: true })
    bench.clock.now = Date.UTC(2026, 10, 20, 9)
    expect(await ask('?from_date=2026-11-21&to_date=2026-11-21', ann)).toMatchObject({ success: false })
  })
})
