import type { User } from '@sluice/contract/user'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { testSettlement } from '@sluice/testkit/ledger-operations'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('users', () => {
  let bench: ManagementBench
  let root: TestCaller
  let admin: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    admin = await bench.addCaller('admin', 10)
  })
  afterAll(async () => {
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const create = (body: object) =>
    bench.ask('POST', '/api/user/', { as: admin, body: { password: 'password-1', ...body } })
  const search = (keyword: string) =>
    bench.ask<User[]>('GET', `/api/user/search?keyword=${encodeURIComponent(keyword)}`, { as: admin })
  const named = async (username: string): Promise<User> => {
    const user = (await search(username)).data?.find((found) => found.username === username)
    if (user === undefined) throw new Error(`no user ${username}`)
    return user
  }
  const update = (body: object) => bench.ask('PUT', '/api/user/', { as: admin, body })
  const logsOf = async (id: number) =>
    await bench.database.kysely
      .selectFrom('log')
      .select(['type', 'content', 'amount'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute()

  it('are created as ordinary users with the quota given, and can sign in', async () => {
    expect(await create({ username: 'ann', email: 'ann@example.org', quota: 5_000, group: 'vip' })).toMatchObject({
      success: true,
      message: '',
    })
    const ann = await named('ann')
    expect(ann).toMatchObject({ role: 1, status: 1, display_name: 'ann', quota: 5_000, used_quota: 0, group: 'vip' })
    const body = { username: 'ann', password: 'password-1' }
    expect(await bench.ask('POST', '/api/user/login', { body })).toMatchObject({ success: true, data: { id: ann.id } })
    expect(await logsOf(ann.id)).toEqual([
      { type: 3, content: `Created with 5000 quota, by admin (id ${admin.id})`, amount: 5_000_000n },
    ])
  })

  it('get the gift for new users when no quota is given', async () => {
    await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'QuotaForNewUser', value: 700 } })
    await create({ username: 'gifted', display_name: 'Gifted' })
    const user = await named('gifted')
    expect(user).toMatchObject({ quota: 700, display_name: 'Gifted' })
    expect(await logsOf(user.id)).toMatchObject([{ type: 4, amount: 700_000n }])
  })

  it('are refused with a taken name, an unknown group, or what the form would refuse', async () => {
    await create({ username: 'taken' })
    expect(await create({ username: 'taken' })).toMatchObject({
      success: false,
      code: 'name_taken',
      message: 'Username already exists.',
    })
    expect(await create({ username: 'grouped', group: 'nobody' })).toMatchObject({
      message: 'group: there is no group "nobody".',
    })
    const cases: readonly (readonly [object, string])[] = [
      [{ username: ' ' }, 'username: Username is required.'],
      [{ username: 'short', password: '12345' }, 'password: Password must be at least 6 characters.'],
      [{ username: 'long', password: 'ä'.repeat(40) }, 'password: Password is limited to 72 bytes.'],
      [{ username: 'mailed', email: 'nowhere' }, 'email: Valid email is required.'],
      [{ username: 'poor', quota: -1 }, 'quota: Quota must be non-negative.'],
      [{ username: 'half', quota: 0.5 }, 'quota: Quota must be a whole number.'],
      [{ username: 'deleted_5' }, 'username: This username is reserved.'],
    ]
    for (const [body, message] of cases) expect((await create(body)).message).toBe(message)
  })

  it('may get a shorter name and first password than people choose for themselves', async () => {
    expect(await create({ username: 'x', password: '123456' })).toMatchObject({ success: true })
    expect(await bench.ask('POST', '/api/user/login', { body: { username: 'x', password: '123456' } })).toMatchObject({
      success: true,
    })
    expect(await bench.ask('DELETE', `/api/user/${(await named('x')).id}`, { as: admin })).toMatchObject({
      success: true,
    })
  })

  it('keep a short name while other fields are saved, but cannot take a new one', async () => {
    await create({ username: 'y', password: '123456' })
    const { id } = await named('y')
    const as = (await bench.ask('POST', '/api/user/login', { body: { username: 'y', password: '123456' } })).headers
      .getSetCookie()[0]
      ?.replace(/;.*$/, '')
    const own = (body: object) => bench.ask('PUT', '/api/user/self', { as: as ?? '', body })
    const theirs = (body: object) => bench.ask('PUT', '/api/user/', { as: admin, body: { id, ...body } })
    for (const save of [own, theirs]) {
      expect(await save({ username: 'y', display_name: 'Y' })).toMatchObject({ success: true })
      expect((await save({ username: 'z' })).message).toBe('username: Username must be at least 3 characters.')
    }
    await bench.ask('DELETE', `/api/user/${id}`, { as: admin })
  })

  it('are listed newest first, paged, sorted and searched', async () => {
    const page = await bench.ask<User[]>('GET', '/api/user/?p=0&size=2', { as: admin })
    expect(page.data).toHaveLength(2)
    expect(page.total).toBeGreaterThan(2)
    const ids = page.data?.map((user) => user.id) ?? []
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    const rich = await bench.ask<User[]>('GET', '/api/user?sort=quota&order=desc&size=1', { as: admin })
    expect(rich.data).toMatchObject([{ username: 'ann' }])
    expect((await search('ann')).data).toMatchObject([{ username: 'ann' }])
    expect((await search('ann@')).total).toBe(1)
    expect(
      (await bench.ask<User[]>('GET', '/api/user/?sort=password_hash', { as: admin })).data?.[0],
    ).not.toHaveProperty('password_hash')
  })

  it('are changed field by field; what is absent or unchanged stays', async () => {
    await create({ username: 'bob', quota: 100 })
    const { id } = await named('bob')
    const as = (
      await bench.ask('POST', '/api/user/login', { body: { username: 'bob', password: 'password-1' } })
    ).headers
      .getSetCookie()[0]
      ?.replace(/;.*$/, '')
    expect(await update({ id, display_name: 'Bobby', role: 1, status: 1, quota: 100, password: '' })).toMatchObject({
      success: true,
    })
    expect(await named('bob')).toMatchObject({ display_name: 'Bobby', quota: 100, role: 1 })
    expect((await bench.ask('GET', '/api/user/self', { as: as ?? '' })).status).toBe(200)
    expect((await logsOf(id)).filter((row) => row.type === 3)).toHaveLength(1)

    expect(await update({ id, username: 'robert', quota: 250 })).toMatchObject({ success: true })
    expect(await named('robert')).toMatchObject({ quota: 250, display_name: 'Bobby' })
    expect(await logsOf(id)).toContainEqual({
      type: 3,
      content: `Quota changed from 100 to 250, by admin (id ${admin.id})`,
      amount: 150_000n,
    })
    expect(await update({ id, username: 'ann' })).toMatchObject({ code: 'name_taken' })
    expect(await update({ id: 9_999, display_name: 'x' })).toMatchObject({
      code: 'not_found',
      message: 'User not found.',
    })
  })

  it('keep what was spent and what was given when an older copy is saved, and an edit adds to what was seen', async () => {
    await create({ username: 'copied', quota: 1_000 })
    const copy = await named('copied')
    const { quota_exact: _exact, used_quota_exact: _used, ...ofFamily } = copy
    const { ledger } = bench
    const account = await ledger.openAccount('user', copy.id, false)
    if (account === 'unavailable') throw new Error('no ledger')
    const limitAccount = await ledger.openAccount('token', 900, true)
    if (limitAccount === 'unavailable') throw new Error('no ledger')
    const requestId = bench.deps.newId()
    const settlement = testSettlement({ userId: copy.id, tokenId: 900, account, limitAccount }, requestId, 20)
    await ledger.hold({ requestId, account, limitAccount, amount: settlement.amount, durable: true })
    expect(await ledger.settle(settlement)).toBe('charged')
    const quota = async () => (await named('copied')).quota
    expect(await quota()).toBe(800)
    for (const body of [copy, ofFamily]) {
      expect(await update({ ...body, display_name: 'renamed' })).toMatchObject({ success: true })
      expect(await quota()).toBe(800)
    }
    expect((await logsOf(copy.id)).filter(({ content }) => content.startsWith('Quota changed'))).toEqual([])
    // A gift between reading and saving is kept.
    await bench.ask('POST', '/api/topup', { as: admin, body: { user_id: copy.id, quota: 50 } })
    await update({ ...copy, display_name: 'again' })
    expect(await quota()).toBe(850)
    await update({ id: copy.id, quota: 1_100, quota_seen: 1_000 })
    expect(await quota()).toBe(950)
    await update({ ...copy, quota: 900 })
    expect(await quota()).toBe(900)
    await update({ ...copy, quota: 950 })
    expect(await quota()).toBe(900)
    await update({ id: copy.id, quota: 2_000 })
    expect(await quota()).toBe(2_000)
  })

  it('are switched off and on by status alone, signed out by the former, and it is logged', async () => {
    await create({ username: 'cid' })
    const { id } = await named('cid')
    const signIn = () => bench.ask('POST', '/api/user/login', { body: { username: 'cid', password: 'password-1' } })
    const as = (await signIn()).headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''
    const set = (status: number) => bench.ask('PUT', '/api/user/?status_only=true', { as: admin, body: { id, status } })
    expect(await set(2)).toMatchObject({ success: true })
    expect((await bench.ask('GET', '/api/user/self', { as })).status).toBe(401)
    expect(await signIn()).toMatchObject({ code: 'bad_credentials' })
    expect(await set(1)).toMatchObject({ success: true })
    expect(await signIn()).toMatchObject({ success: true })
    expect(await set(3)).toMatchObject({ code: 'invalid_body' })
    const acts = (await logsOf(id)).map((row) => row.content)
    expect(acts).toContain(`User disabled, by admin (id ${admin.id})`)
    expect(acts).toContain(`User enabled, by admin (id ${admin.id})`)
  })

  it('are topped up, with a row in their log', async () => {
    await create({ username: 'dan', quota: 10 })
    const { id } = await named('dan')
    const topUp = (body: object) => bench.ask('POST', '/api/topup', { as: admin, body })
    expect(await topUp({ user_id: id, quota: 500, remark: 'thanks' })).toMatchObject({ success: true })
    expect(await topUp({ user_id: id, quota: 1 })).toMatchObject({ success: true })
    expect(await named('dan')).toMatchObject({ quota: 511 })
    expect((await logsOf(id)).filter((row) => row.type === 1)).toEqual([
      { type: 1, content: 'thanks', amount: 500_000n },
      { type: 1, content: 'Topped up with 1 quota by an administrator', amount: 1_000n },
    ])
    expect(await topUp({ user_id: id, quota: -5 })).toMatchObject({ message: 'quota: Quota must be non-negative.' })
    expect(await topUp({ user_id: 9_999, quota: 5 })).toMatchObject({ code: 'not_found' })
  })

  it('share an email with no one, however it is written', { tags: 'S10' }, async () => {
    await create({ username: 'mail1', email: 'same@example.org' })
    const taken = { success: false, code: 'email_taken' }
    expect(await create({ username: 'mail2', email: 'Same@example.org' })).toMatchObject(taken)
    await create({ username: 'mail2' })
    const { id } = await named('mail2')
    expect(await update({ id, email: 'same@example.org' })).toMatchObject(taken)
    expect(await update({ id, email: 'other@example.org' })).toMatchObject({ success: true })
    expect(await update({ id, email: 'other@example.org', display_name: 'M' })).toMatchObject({ success: true })
    expect(await update({ id, email: '' })).toMatchObject({ success: true })
  })

  it('are managed by name with the family’s actions', async () => {
    const manage = (username: string, action: string, as = admin) =>
      bench.ask('POST', '/api/user/manage', { as, body: { username, action } })
    await create({ username: 'fay' })
    expect(await manage('fay', 'disable')).toMatchObject({ success: true, data: { role: 1, status: 2 } })
    expect(await manage('fay', 'enable')).toMatchObject({ data: { role: 1, status: 1 } })
    expect(await manage('fay', 'promote')).toMatchObject({ code: 'refused' })
    expect(await manage('fay', 'promote', root)).toMatchObject({ data: { role: 10, status: 1 } })
    expect(await manage('fay', 'disable')).toMatchObject({ code: 'refused' })
    expect(await manage('fay', 'demote', root)).toMatchObject({ data: { role: 1, status: 1 } })
    expect(await manage('fay', 'delete')).toMatchObject({ data: { status: 3 } })
    expect(await manage('fay', 'enable')).toMatchObject({ code: 'not_found', message: 'User not found.' })
    for (const action of ['disable', 'delete', 'demote'])
      expect([action, (await manage('root', action, root)).success]).toEqual([action, false])
    expect(await manage('', 'disable')).toMatchObject({ message: 'username: Username is required.' })
    expect(await manage('ann', 'explode')).toMatchObject({
      message: 'action: must be one of enable, disable, delete, promote, demote.',
    })
  })

  it('take their keys with them when they are deleted', async () => {
    const gil = await bench.addCaller('gil', 1)
    const body = { name: 'key', unlimited_quota: true }
    const { data } = await bench.ask<{ key: string }>('POST', '/api/token/', { as: gil, body })
    const ask = () => bench.ask('GET', '/api/token/balance', { headers: { authorization: `Bearer ${data?.key}` } })
    expect((await ask()).success).toBe(true)
    await bench.ask('DELETE', `/api/user/${gil.id}`, { as: admin })
    expect(await ask()).toMatchObject({ status: 401, code: 'invalid_key' })
    expect((await bench.ask('GET', '/api/user/self', { as: gil })).status).toBe(401)
  })

  it('are deleted: gone from the list, name free, sessions ended', async () => {
    await create({ username: 'eve' })
    const { id } = await named('eve')
    expect(await bench.ask('DELETE', `/api/user/${id}`, { as: admin })).toMatchObject({ success: true })
    expect((await search('eve')).data).toEqual([])
    expect(await bench.ask('GET', `/api/user/${id}`, { as: admin })).toMatchObject({ code: 'not_found' })
    expect(await create({ username: 'eve' })).toMatchObject({ success: true })
  })

  it('belong to groups, which are listed by name', async () => {
    expect(await bench.ask('GET', '/api/group/', { as: admin })).toMatchObject({ data: ['default', 'svip', 'vip'] })
  })
})
