import type { AuditEntry } from '@sluice/contract/audit'
import { changesSomething, needsSession } from '@sluice/contract/route'
import { ROUTES } from '@sluice/contract/routes/all'
import { AUDIT_SUBJECTS } from '@sluice/store/queries/audit/audit-subjects'
import { verifyAudit } from '@sluice/store/verify-audit'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { targetOf } from './subjects.ts'

let bench: ManagementBench
let root: TestCaller
let admin: TestCaller
let user: TestCaller
beforeAll(async () => {
  bench = await openManagementBench()
  root = await bench.addCaller('root', 100)
  admin = await bench.addCaller('ann', 10)
  user = await bench.addCaller('uwe', 1)
})
afterAll(async () => {
  expect(bench.reported).toEqual([])
  expect(await verifyAudit(bench.database.kysely, bench.vault)).toMatchObject({ open: 0 })
  await bench.close()
})

const list = async (query = '') => bench.ask<AuditEntry[]>('GET', `/api/audit/?${query}`, { as: root })
const newest = async () => (await list('size=1')).data?.[0]

describe('the audit log', () => {
  test('shows what a change did, before and after', async () => {
    await bench.ask('PUT', '/api/user/?status_only=true', {
      as: admin,
      body: { id: user.id, status: 2 },
      headers: { 'x-test-address': '203.0.113.7' },
    })
    expect(await newest()).toMatchObject({
      actor_id: admin.id,
      actor_name: 'ann',
      actor_role: 10,
      address: '203.0.113.7',
      action: 'PUT /api/user/',
      outcome: 'done',
      target_kind: 'user',
      target_id: String(user.id),
      before: { status: 1 },
      after: { status: 2 },
      created_at: Math.floor(bench.clock.now / 1_000),
    })
  })

  test('shows a change of role and of quota', async () => {
    await bench.ask('PUT', '/api/user/', { as: root, body: { id: user.id, role: 10, quota: 500 } })
    expect(await newest()).toMatchObject({
      before: { role: 1, balance_mq: '0' },
      after: { role: 10, balance_mq: '500000' },
    })
    await bench.ask('PUT', '/api/user/', { as: root, body: { id: user.id, role: 1 } })
    await bench.ask('POST', '/api/topup', { as: admin, body: { user_id: user.id, quota: 7 } })
    expect(await newest()).toMatchObject({
      target_kind: 'user',
      target_id: String(user.id),
      before: { balance_mq: '500000' },
      after: { balance_mq: '507000' },
    })
  })

  test('shows a setting with both values', async () => {
    await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'SystemName', value: 'Weir' } })
    expect(await newest()).toMatchObject({
      action: 'PUT /api/option/',
      target_kind: 'option',
      target_id: 'SystemName',
      before: { value: null },
      after: { value: 'Weir' },
    })
  })

  test('shows what was created and what was deleted', async () => {
    const body = { name: 'first', type: 1, key: 'canary-key', models: 'gpt-4o', base_url: 'https://api.openai.com' }
    const { data: ids = [] } = await bench.ask<number[]>('POST', '/api/channel/', { as: admin, body })
    const id = ids[0] ?? 0
    expect(await newest()).toMatchObject({ target_id: String(id), before: {}, after: { name: 'first', status: 1 } })
    await bench.ask('DELETE', `/api/channel/${id}`, { as: admin })
    expect(await newest()).toMatchObject({
      action: 'DELETE /api/channel/:id',
      before: { name: 'first' },
      after: {},
    })
    await bench.ask('POST', '/api/user/', { as: admin, body: { username: 'newbie', password: 'canary-password' } })
    const row = bench.database.kysely.selectFrom('user').select('id').where('username', '=', 'newbie')
    const { id: userId } = await row.executeTakeFirstOrThrow()
    expect(await newest()).toMatchObject({ target_id: String(userId), after: { username: 'newbie', role: 1 } })
  })

  test('shows the input of a call that touches many rows', async () => {
    await bench.ask('DELETE', '/api/log/?target_timestamp=1000', { as: admin })
    expect(await newest()).toMatchObject({
      action: 'DELETE /api/log/',
      target_kind: 'log',
      after: { target_timestamp: 1_000, answer: 0 },
    })
    await bench.ask('DELETE', '/api/channel/disabled', { as: admin })
    expect(await newest()).toMatchObject({ target_kind: 'channel', target_id: '', after: { answer: 0 } })
  })

  test('shows a refused change with its reason', async () => {
    await bench.ask('PUT', '/api/user/', { as: admin, body: { id: root.id, role: 1 } })
    expect(await newest()).toMatchObject({
      actor_name: 'ann',
      outcome: 'refused',
      target_id: String(root.id),
      before: {},
      after: { refused: 'refused', role: 1 },
    })
  })

  test('shows what a call changed before it was refused', async () => {
    const rich = await bench.addCaller('rich', 1)
    const most = 1_000_000_000_000_000
    // Fills the ledger until it has no room for more quota.
    while ((await bench.ask('POST', '/api/topup', { as: root, body: { user_id: rich.id, quota: most } })).success);
    const poor = await bench.addCaller('poor', 1)
    const body = { id: poor.id, role: 10, quota: most }
    expect(await bench.ask('PUT', '/api/user/', { as: root, body })).toMatchObject({ success: false })
    expect(await newest()).toMatchObject({
      outcome: 'refused',
      before: { role: 1 },
      after: { role: 10, quota: most, refused: 'refused' },
    })
  })

  test('records what an administrator does to their own account', async () => {
    await bench.ask('PUT', '/api/user/self', { as: admin, body: { display_name: 'Ann' } })
    expect(await newest()).toMatchObject({
      target_kind: 'user',
      target_id: String(admin.id),
      after: { display_name: 'Ann' },
    })
  })

  test('leaves out reading, and what users do with their own objects', async () => {
    const { total } = await list()
    await bench.ask('GET', '/api/user/', { as: admin })
    await bench.ask('GET', '/api/option/', { as: root })
    const other = await bench.addCaller('otto', 1)
    await bench.ask('POST', '/api/token/', { as: other, body: { name: 'mine' } })
    await bench.ask('PUT', '/api/user/', { as: other, body: { id: user.id, role: 100 } })
    expect((await list()).total).toBe(total)
  })

  test('is paged and filtered', async () => {
    const { total = 0, data = [] } = await list('size=2')
    expect(data.map((entry) => entry.id)).toEqual([total, total - 1])
    expect((await list('p=1&size=2')).data?.[0]?.id).toBe(total - 2)
    expect((await list('actor=root')).data?.every((entry) => entry.actor_name === 'root')).toBe(true)
    expect((await list('target_kind=option&target_id=SystemName')).total).toBe(1)
    expect((await list(`action=${encodeURIComponent('DELETE /api/log/')}`)).total).toBe(1)
    const now = Math.floor(bench.clock.now / 1_000)
    expect((await list(`start_timestamp=${now + 1}`)).total).toBe(0)
    expect((await list(`start_timestamp=${now}&end_timestamp=${now}`)).total).toBe(total)
  })

  test('records a call that fails unexpectedly', async () => {
    const { testChannel } = bench
    bench.testChannel = () => Promise.reject(new Error('a bug'))
    const { data: ids = [] } = await bench.ask<number[]>('POST', '/api/channel/', {
      as: admin,
      body: { name: 'x', type: 1, key: 'k', models: 'gpt-4o', base_url: 'https://api.openai.com' },
    })
    await bench.ask('GET', `/api/channel/test/${ids[0]}`, { as: admin })
    bench.testChannel = testChannel
    expect(await newest()).toMatchObject({ action: 'GET /api/channel/test/:id', outcome: 'failed' })
    bench.reported.splice(0)
  })
})

test('every changing call of administrators is about a kind of object that is known by name', () => {
  // No row of log or ledger changes, an import changes too much for one entry, and a configuration file has its own entries.
  const known = new Set([...Object.keys(AUDIT_SUBJECTS), 'option', 'log', 'ledger', 'import', 'config', 'doctor'])
  const call = {
    caller: undefined,
    holder: undefined,
    query: {},
    body: {},
    statusOnly: false,
    id: 0,
    params: {},
    context: undefined as never,
  }
  const strange = ROUTES.filter(
    ({ spec }) => changesSomething(spec) && needsSession(spec.access) && !known.has(targetOf(spec, call).kind),
  )
  expect(strange.map(({ spec }) => `${spec.method} ${spec.path}`)).toEqual([])
})
