import { reportAlarms, replaceAlarms } from '@sluice/store/queries/ledger/alarms'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, expect, test } from 'vitest'

let bench: ManagementBench
let admin: TestCaller
beforeEach(async () => {
  bench = await openManagementBench()
  admin = await bench.addCaller('admin', 10)
  await reportAlarms(bench.database.kysely, [
    { kind: 'unpriced_model', subject: 'new-model', channelId: 3, occurrences: 2, firstSeen: 1_000, lastSeen: 2_000 },
  ])
})
afterEach(() => bench.close())

const list = (as: TestCaller) => bench.ask<readonly { readonly id: number }[]>('GET', '/api/alarm/', { as })

test('administrators see what needs attention, and take it off the list', async () => {
  const { data, total } = await list(admin)
  expect(total).toBe(1)
  expect(data).toEqual([
    {
      id: expect.any(Number),
      kind: 'unpriced_model',
      subject: 'new-model',
      channel_id: 3,
      channel_name: '',
      first_seen_ms: 1_000,
      last_seen_ms: 2_000,
      count: 2,
    },
  ])
  const dismiss = `/api/alarm/${data?.[0]?.id}/dismiss`
  expect(await bench.ask('POST', dismiss, { as: admin })).toMatchObject({ success: true })
  expect(await list(admin)).toMatchObject({ data: [], total: 0 })
  expect(await bench.ask('POST', dismiss, { as: admin })).toMatchObject({ success: false, code: 'not_found' })
})

test('drift of a configuration file is for root only', { tags: 'S11' }, async () => {
  const db = bench.database.kysely
  await replaceAlarms(db, 'configuration_drift', [{ subject: 'RetryTimes', channelId: 0 }], 3_000)
  const root = await bench.addCaller('root', 100)
  const [drift, ...others] = (await list(root)).data ?? []
  expect(drift).toMatchObject({ kind: 'configuration_drift', subject: 'RetryTimes', channel_id: 0, count: 0 })
  expect(others).toHaveLength(1)
  expect((await list(admin)).data).toEqual(others)
  const dismiss = `/api/alarm/${drift?.id}/dismiss`
  expect(await bench.ask('POST', dismiss, { as: admin })).toMatchObject({ success: false, code: 'not_found' })
  expect(await bench.ask('POST', dismiss, { as: root })).toMatchObject({ success: true })
  expect((await list(root)).data).toEqual(others)
})

test('users see no alarms', async () => {
  const ann = await bench.addCaller('ann', 1)
  expect(await list(ann)).toMatchObject({ status: 403 })
  expect(await bench.ask('POST', '/api/alarm/1/dismiss', { as: ann })).toMatchObject({ status: 403 })
})
