import type { AuditEntry } from '@sluice/contract/audit'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('what an administrator changes, and how the audit log shows it', () => {
  let bench: ManagementBench
  let root: TestCaller
  let user: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    user = await bench.addCaller('uwe', 1)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const change = async (method: string, path: string, body?: object): Promise<AuditEntry | undefined> => {
    const reply = await bench.ask(method, path, { as: root, ...(body === undefined ? {} : { body }) })
    expect(reply, `${method} ${path}`).toMatchObject({ success: true })
    return (await bench.ask<AuditEntry[]>('GET', '/api/audit/?size=1', { as: root })).data?.[0]
  }

  it('redemption codes: made, changed, disabled, deleted, and never the code itself', async () => {
    const made = await change('POST', '/api/redemption/', { name: 'spring', count: 2, quota: 500 })
    expect(made).toMatchObject({ target_kind: 'redemption', after: { name: 'spring', count: 2, quota: 500 } })
    const renamed = await change('PUT', '/api/redemption/', { id: 1, name: 'summer', quota: 700 })
    expect(renamed).toMatchObject({ target_id: '1', before: { name: 'spring' }, after: { name: 'summer' } })
    const disabled = await change('PUT', '/api/redemption/?status_only=true', { id: 1, status: 2 })
    expect(disabled).toMatchObject({ target_id: '1', before: { status: 1 }, after: { status: 2 } })
    expect(await change('DELETE', '/api/redemption/2')).toMatchObject({ target_id: '2', before: { deleted_time: 0 } })
    const codes = await bench.database.kysely.selectFrom('redemption').select('key_sealed').execute()
    const audit = JSON.stringify(await bench.database.kysely.selectFrom('audit').selectAll().execute())
    for (const { key_sealed } of codes) {
      const opened = bench.vault.open('redemption', key_sealed)
      expect(opened.ok && audit.includes(opened.text)).toBe(false)
    }
  })

  it('several settings at once, each under its name', async () => {
    const several = [
      { key: 'SystemName', value: 'Weir' },
      { key: 'SMTPToken', value: 'canary-several' },
    ]
    const reply = await bench.ask('PUT', '/api/option/', { as: root, body: several })
    expect(reply.success).toBe(true)
    const [entry] = (await bench.ask<AuditEntry[]>('GET', '/api/audit/?size=1', { as: root })).data ?? []
    expect(entry).toMatchObject({
      target_kind: 'option',
      target_id: 'SystemName,SMTPToken',
      before: { SystemName: null, SMTPToken: null },
      after: { SystemName: 'Weir', SMTPToken: expect.stringMatching(/^\(secret [0-9a-f]{8}\)$/) },
    })
    expect(JSON.stringify(entry)).not.toContain('canary')
  })

  it('the second factor of a user, removed', async () => {
    const totp_sealed = bench.vault.seal('totp', 'JBSWY3DPEHPK3PXP')
    await bench.database.kysely.updateTable('user').set({ totp_sealed }).where('id', '=', user.id).execute()
    const entry = await change('POST', `/api/user/totp/disable/${user.id}`)
    expect(entry).toMatchObject({ target_kind: 'user', target_id: String(user.id), after: { totp: null } })
    expect(entry?.before['totp']).toMatch(/^\(secret [0-9a-f]{8}\)$/)
  })

  it('a user managed by name, under the id of the row', async () => {
    expect(await change('POST', '/api/user/manage', { username: 'uwe', action: 'promote' })).toMatchObject({
      target_kind: 'user',
      target_id: String(user.id),
      before: { role: 1 },
      after: { role: 10 },
    })
    const found = await bench.ask<AuditEntry[]>('GET', `/api/audit/?target_kind=user&target_id=${user.id}`, {
      as: root,
    })
    expect(found.data?.map(({ action }) => action)).toContain('POST /api/user/manage')
  })

  it('a new user whose name looks like an id', async () => {
    const username = `000${user.id}`
    const body = { username, password: 'a-password', display_name: 'Digits' }
    const entry = await change('POST', '/api/user/', body)
    expect(entry).toMatchObject({ before: {}, after: { username, display_name: 'Digits' } })
    const row = bench.database.kysely.selectFrom('user').select('id').where('username', '=', username)
    expect(entry?.target_id).toBe(String((await row.executeTakeFirstOrThrow()).id))
  })

  it('a password and a group', async () => {
    const entry = await change('PUT', '/api/user/', { id: user.id, password: 'another-password', group: 'default' })
    expect(Object.keys(entry?.after ?? {})).toEqual(['password'])
    expect(entry?.after['password']).toMatch(/^\(secret /)
  })

  it('a channel’s prices and its key', async () => {
    const id = await addChannel(bench.database.kysely, { base_url: 'https://api.openai.com' })
    const before = JSON.stringify({ 'gpt-4o': { ratio: 2 } })
    const entry = await change('PUT', '/api/channel/', {
      id,
      name: 'channel',
      type: 1,
      base_url: 'https://api.openai.com',
      models: 'gpt-4o',
      key: 'canary-key',
      model_configs: before,
    })
    expect(entry).toMatchObject({ target_kind: 'channel', target_id: String(id) })
    expect(Object.keys(entry?.after ?? {})).toEqual(expect.arrayContaining(['model_configs', 'key']))
    expect(JSON.stringify(entry)).not.toContain('canary-key')
  })

  it('a user, deleted', async () => {
    const gone = await bench.addCaller('gone', 1)
    expect(await change('DELETE', `/api/user/${gone.id}`)).toMatchObject({
      target_id: String(gone.id),
      action: 'DELETE /api/user/:id',
      before: { username: 'gone' },
    })
  })
})
