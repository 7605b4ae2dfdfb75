import { can, ROLE } from '@sluice/contract/capability'
import { needsSession, type RouteSpec } from '@sluice/contract/route'
import { ROUTES } from '@sluice/contract/routes/all'
import { updateUser } from '@sluice/store/queries/accounts/users'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel, addLog, addTrace } from '@sluice/testkit/rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** A body that every schema refuses, so that no case of the matrix changes anything. */
const INVALID_BODY = { id: 'x', username: 1, key: 1, name: 1, user_id: 'x', password: 1, display_name: 1 }

describe('every route for every kind of caller', { tags: ['S8', 'S11'] }, () => {
  let bench: ManagementBench
  const callers = new Map<string, { readonly as: TestCaller | string; readonly role: number | undefined }>()

  beforeAll(async () => {
    bench = await openManagementBench()
    callers.set('guest', { as: '', role: undefined })
    callers.set('made-up session', { as: `session=${'A'.repeat(43)}`, role: undefined })
    callers.set('user', { as: await bench.addCaller('user', ROLE.user), role: ROLE.user })
    callers.set('admin', { as: await bench.addCaller('admin', ROLE.admin), role: ROLE.admin })
    callers.set('root', { as: await bench.addCaller('root', ROLE.root), role: ROLE.root })
    bench.clock.now -= 8 * 24 * 3_600_000
    callers.set('expired session', { as: await bench.addCaller('away', ROLE.root), role: undefined })
    bench.clock.now += 8 * 24 * 3_600_000
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const ask = (spec: RouteSpec, as: TestCaller | string) =>
    bench.ask(spec.method, spec.path.replace(':id', '999').replace(/:\w+/, 'f'.repeat(32)), {
      as,
      ...(spec.body === undefined ? {} : { body: INVALID_BODY }),
    })

  /** Sign-out and self-deletion would end the sessions of this matrix; other tests call these routes and the bulk test. */
  const ASKED = ROUTES.filter(({ name }) => !['logout', 'deleteSelf', 'testAllChannels'].includes(name))

  it.each(ASKED.map((route) => [route.name, route.spec] as const))('%s', async (_name, spec) => {
    for (const [kind, { as, role }] of callers) {
      const { status, code } = await ask(spec, as)
      if (spec.access === 'api_key') {
        // A session does not replace a key.
        expect([kind, status]).toEqual([kind, 401])
        if (spec.bare === undefined) expect(code).toBe('missing_key')
        continue
      }
      const allowed = !needsSession(spec.access) || can(role, spec.access)
      const expected = allowed ? 'in' : role === undefined ? 'not_logged_in' : 'insufficient_permissions'
      const seen = status === 401 || status === 403 ? code : 'in'
      expect([kind, seen]).toEqual([kind, expected])
      if (status === 401) expect(code).toBe('not_logged_in')
    }
  })

  it('a bulk test needs an administrator', async () => {
    const statusOf = async (kind: string) => {
      const as = callers.get(kind)?.as ?? ''
      return (await bench.ask('GET', '/api/channel/test', { as })).status
    }
    expect(await statusOf('guest')).toBe(401)
    expect(await statusOf('user')).toBe(403)
    expect(await statusOf('admin')).toBe(200)
    await bench.settleBackground()
  })

  it('a disabled user is out with the next call, whatever the session says', async () => {
    const ann = await bench.addCaller('disabled', ROLE.root)
    await bench.database.kysely.updateTable('user').set({ status: 2 }).where('id', '=', ann.id).execute()
    expect(await bench.ask('GET', '/api/user/self', { as: ann })).toMatchObject({ status: 403, code: 'user_banned' })
    expect(await bench.ask('GET', '/api/user/self', { as: ann })).toMatchObject({ status: 401 })
  })

  it('a changed role counts from the next call on', async () => {
    const eve = await bench.addCaller('eve', ROLE.admin)
    expect((await bench.ask('GET', '/api/user/', { as: eve })).status).toBe(200)
    await bench.database.kysely.updateTable('user').set({ role: 1 }).where('id', '=', eve.id).execute()
    expect((await bench.ask('GET', '/api/user/', { as: eve })).status).toBe(403)
    await updateUser(bench.database.kysely, eve.id, { role: 10 }, undefined)
    expect((await bench.ask('GET', '/api/user/', { as: eve })).status).toBe(401)
  })

  it('what the console must not mistake for a lost session is not a 401 or 403', async () => {
    const admin = callers.get('admin')?.as ?? ''
    const root = await bench.addCaller('another-root', ROLE.root)
    const refused = [
      await bench.ask('PUT', '/api/user/', { as: admin, body: { id: root.id, display_name: 'x' } }),
      await bench.ask('DELETE', `/api/user/${root.id}`, { as: admin }),
      await bench.ask('GET', `/api/user/${root.id}`, { as: admin }),
      await bench.ask('POST', '/api/topup', { as: admin, body: { user_id: root.id, quota: 5 } }),
      await bench.ask('POST', '/api/user/login', { body: { username: 'nobody', password: 'wrong-password' } }),
    ]
    for (const reply of refused) {
      expect(reply).toMatchObject({ status: 200, success: false })
      expect(reply.message).not.toMatch(/access token is invalid|not logged in|No permission|totp/i)
    }
  })

  it('odd spellings of a path reach no other route than the one that is checked', { tags: 'S8' }, async () => {
    const user = callers.get('user')?.as ?? ''
    const spellings = [
      '/api/user%2Fself',
      '/api//user/self',
      '//api/user/self',
      '/API/user/self',
      '/api/user/self/../',
      '/api/user/./',
      '/api/option/%2e%2e/user/self',
      '/api/user/self%00',
      '/api/user;/self',
      '/api/option/?/api/status',
      '/api/option/#/api/status',
      '/api/status/../option/',
      '/api/option%2F',
      '/api/%6Fption/',
    ]
    for (const path of spellings) {
      const { status, data } = await bench.ask('GET', path, { as: user })
      expect([path, status === 403 || status === 404 || status === 401 ? 'refused' : data]).not.toEqual([
        path,
        expect.arrayContaining([expect.objectContaining({ key: 'SystemName' })]),
      ])
    }
    const hosts = ['evil.example/api/status?', 'localhost:3000/api/status#', 'localhost:3000']
    for (const host of hosts) {
      const reply = await bench.ask('GET', '/api/option/', { as: user, headers: { host } })
      expect(reply.status).toBe(403)
    }
  })

  it('a trace is shown to its owner and to administrators; for others it does not exist', { tags: 'S11' }, async () => {
    const owner = await bench.addCaller('owner', ROLE.user)
    const other = await bench.addCaller('other', ROLE.user)
    const db = bench.database.kysely
    const requestId = '0199f0000000700080000000000000aa'
    await addChannel(db)
    await addLog(db, { created_at: 1_763_000_000, user_id: owner.id, request_id: requestId })
    await addTrace(db, { request_id: requestId, received_ms: 1_763_000_000_000 })
    const id = (await db.selectFrom('log').select('id').where('request_id', '=', requestId).executeTakeFirstOrThrow())
      .id
    const trace = (as: TestCaller | string) => bench.ask('GET', `/api/trace/log/${id}`, { as })
    expect(await trace(owner)).toMatchObject({ status: 200, data: { trace_id: requestId } })
    expect(await trace(callers.get('admin')?.as ?? '')).toMatchObject({ status: 200 })
    const hidden = await trace(other)
    const missing = await bench.ask('GET', '/api/trace/log/123456789012', { as: other })
    expect(hidden).toMatchObject({ status: 404, success: false, code: 'trace_not_found' })
    expect({ ...hidden, headers: undefined }).toEqual({ ...missing, headers: undefined })
  })
})
