import type { ChartRow } from '@sluice/contract/dashboard'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addLog, addUsage } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const DAY = 86_400
const MIDNIGHT = Date.UTC(2026, 10, 20) / 1_000

describe('the charts of New API', () => {
  let bench: ManagementBench
  let admin: TestCaller
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
    ann = await bench.addCaller('ann', 1)
    const db = bench.database.kysely
    const use = async (user_id: number, at: number, model: string, amount: bigint) => {
      await addLog(db, { created_at: at, user_id, model_name: model, amount })
      await addUsage(db, { day: Math.floor(at / DAY), user_id, token_id: user_id, model, amount })
    }
    await use(ann.id, MIDNIGHT - DAY, 'o3', 1_500n)
    await use(ann.id, MIDNIGHT + 3_700, 'o3', 2_000n)
    await use(admin.id, MIDNIGHT + 3_800, 'gpt-4o', 500n)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const ask = (path: string, as: TestCaller) => bench.ask<ChartRow[]>('GET', `/api/data/${path}`, { as })
  const between = (from: number, to: number) => `start_timestamp=${from}&end_timestamp=${to}`

  it('show users their own usage, by day and by the hour of a day that has begun', { tags: 'S11' }, async () => {
    expect((await ask(`self?${between(MIDNIGHT - DAY, MIDNIGHT + 7_200)}`, ann)).data).toEqual([
      {
        id: 0,
        user_id: ann.id,
        username: 'ann',
        model_name: 'o3',
        created_at: MIDNIGHT - DAY,
        token_used: 15,
        count: 1,
        quota: 2,
        quota_exact: '1.5',
      },
      expect.objectContaining({ model_name: 'o3', created_at: MIDNIGHT + 3_600, quota: 2 }),
    ])
    expect((await ask('self', ann)).data).toHaveLength(2)
    expect(await ask('?username=admin', ann)).toMatchObject({ success: false, code: 'insufficient_permissions' })
  })

  it('show administrators the usage of everyone, or of one user', async () => {
    const today = between(MIDNIGHT, MIDNIGHT + DAY - 1)
    const all = await ask(`?${today}`, admin)
    expect(all.data).toMatchObject([
      { user_id: 0, username: '', model_name: 'gpt-4o', created_at: MIDNIGHT, quota: 1 },
      { user_id: 0, username: '', model_name: 'o3', created_at: MIDNIGHT, quota: 2 },
    ])
    expect((await ask(`?${today}&username=ann`, admin)).data).toMatchObject([{ username: 'ann', model_name: 'o3' }])
    expect((await ask(`?${today}&username=nobody`, admin)).data).toEqual([])
  })

  it('are bounded', async () => {
    const end = MIDNIGHT
    expect(await ask(`self?${between(end - 33 * DAY, end)}`, ann)).toMatchObject({
      success: false,
      message: 'start_timestamp: must be at most 31 days before end_timestamp.',
    })
    expect(await ask(`?${between(end - 33 * DAY, end)}`, admin)).toMatchObject({ success: true })
    expect(await ask(`?${between(1, end)}`, admin)).toMatchObject({ success: false })
    expect(await ask(`self?${between(end, end - 1)}`, ann)).toMatchObject({ success: true, data: [] })
  })
})
