import { verifyAudit } from '@sluice/store/verify-audit'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

let bench: ManagementBench
beforeEach(async () => {
  bench = await openManagementBench()
})
afterEach(() => bench.close())

const stored = async (): Promise<string> => {
  const tables = ['audit', 'audit_call'].map((name) =>
    sql.raw<object>(`select * from ${name}`).execute(bench.database.kysely),
  )
  return JSON.stringify((await Promise.all(tables)).map(({ rows }) => rows))
}

test('no secret is recorded', { tags: 'S20' }, async () => {
  const root = await bench.addCaller('root', 100)
  const channel = { name: 'c', type: 1, models: 'gpt-4o', base_url: 'https://api.openai.com' }
  const { data: ids = [] } = await bench.ask<number[]>('POST', '/api/channel/', {
    as: root,
    body: { ...channel, key: 'canary-channel' },
  })
  await bench.ask('PUT', '/api/channel/', { as: root, body: { ...channel, id: ids[0], key: 'canary-changed' } })
  await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'SMTPToken', value: 'canary-option' } })
  await bench.ask('POST', '/api/user/', { as: root, body: { username: 'u', password: 'canary-password' } })
  await bench.ask('PUT', '/api/user/self', { as: root, body: { password: 'canary-own-password' } })
  // Refused calls also record their input.
  await bench.ask('POST', '/api/user/', { as: root, body: { username: 'u', password: 'canary-refused' } })
  const text = await stored()
  expect(text).toContain('/api/channel/')
  expect(text).toContain('(secret ')
  expect(text).not.toContain('canary')
})

test('a changed secret shows as changed', { tags: 'S20' }, async () => {
  const root = await bench.addCaller('root', 100)
  for (const value of ['one', 'two']) {
    await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'SMTPToken', value } })
  }
  const { data = [] } = await bench.ask<{ before: { value: string }; after: { value: string } }[]>(
    'GET',
    '/api/audit/',
    {
      as: root,
    },
  )
  expect(data[0]?.before.value).toBe(data[1]?.after.value)
  expect(data[0]?.after.value).not.toBe(data[0]?.before.value)
})

test('only root reads the audit log', { tags: 'S11' }, async () => {
  for (const [name, role] of [
    ['ann', 10],
    ['uwe', 1],
  ] as const) {
    const caller = await bench.addCaller(name, role)
    expect(await bench.ask('GET', '/api/audit/', { as: caller })).toMatchObject({ status: 403, success: false })
  }
  expect(await bench.ask('GET', '/api/audit/')).toMatchObject({ status: 401, success: false })
})

test('nothing in the API changes the audit log', { tags: 'S10' }, async () => {
  const root = await bench.addCaller('root', 100)
  await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'SystemName', value: 'A' } })
  for (const method of ['POST', 'PUT', 'DELETE']) {
    for (const path of ['/api/audit/', '/api/audit/1']) {
      expect((await bench.ask(method, path, { as: root, body: {} })).success).toBe(false)
    }
  }
  expect(await verifyAudit(bench.database.kysely, bench.vault)).toEqual({ rows: 1, open: 0 })
})

test('a change that cannot be recorded is not made', { tags: 'S20' }, async () => {
  const root = await bench.addCaller('root', 100)
  await sql`drop table audit_call`.execute(bench.database.kysely)
  const reply = await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'SystemName', value: 'Lost' } })
  expect(reply).toMatchObject({ success: false, code: 'internal' })
  expect((await bench.database.kysely.selectFrom('option').selectAll().execute()).map((row) => row.key)).not.toContain(
    'SystemName',
  )
})

test('a change whose row cannot be written stays recorded as open', { tags: 'S20' }, async () => {
  const root = await bench.addCaller('root', 100)
  await sql`drop table audit`.execute(bench.database.kysely)
  const reply = await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'SystemName', value: 'Kept' } })
  expect(reply.success).toBe(true)
  expect(bench.reported).toHaveLength(1)
  const open = await bench.database.kysely.selectFrom('audit_call').select('entry').execute()
  expect(open).toHaveLength(1)
  expect(open[0]?.entry).toContain('SystemName')
})
