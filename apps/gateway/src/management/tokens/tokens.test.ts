import type { Token } from '@sluice/contract/token'
import { mq } from '@sluice/ledger/units'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { testSettlement } from '@sluice/testkit/ledger-operations'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyHash } from './token-key.ts'

describe('tokens', () => {
  let bench: ManagementBench
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    ann = await bench.addCaller('ann', 1)
  })
  afterAll(async () => {
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const now = () => Math.floor(bench.clock.now / 1_000)
  const create = (body: object) => bench.ask<Token>('POST', '/api/token/', { as: ann, body })
  const made = async (body: object): Promise<Token> => {
    const { data, message } = await create(body)
    if (data === undefined) throw new Error(message)
    return data
  }
  const put = (body: object) => bench.ask<Token>('PUT', '/api/token/', { as: ann, body })
  const setStatus = (id: number, status: number) =>
    bench.ask<Token>('PUT', '/api/token/?status_only=1', { as: ann, body: { id, status } })

  /** Charges a token for this many answer tokens, at 10 points each. */
  const spend = async (id: number, answered: number) => {
    const { ledger } = bench
    const account = await ledger.openAccount('user', ann.id, false)
    const limitAccount = await ledger.openAccount('token', id, false)
    if (account === 'unavailable' || limitAccount === 'unavailable') throw new Error('no ledger')
    const requestId = bench.deps.newId()
    const settlement = testSettlement({ userId: ann.id, tokenId: id, account, limitAccount }, requestId, answered)
    const { amount } = settlement
    const funding = { requestId: bench.deps.newId(), kind: 'fund', mode: 'add', actor: 0, reason: 'test' } as const
    await ledger.move({ ...funding, account, amount })
    await ledger.hold({ requestId, account, limitAccount, amount, durable: true })
    expect(await ledger.settle(settlement)).toBe('charged')
  }

  it('are created with the full key, which every later answer shows again', async () => {
    const token = await made({
      name: 'laptop',
      remain_quota: 500,
      models: ' gpt-4o , ,o3,gpt-4o',
      subnet: '10.0.0.0/8, ::1',
    })
    expect(token).toMatchObject({
      name: 'laptop',
      status: 1,
      remain_quota: 500,
      used_quota: 0,
      unlimited_quota: false,
      created_time: now(),
      accessed_time: now(),
      expired_time: -1,
      models: 'gpt-4o,o3',
      subnet: '10.0.0.0/8,::1',
    })
    expect(token.key).toMatch(/^sk-[0-9A-Za-z]{16}([0-9A-F][0-9a-f]){16}$/)
    expect(await bench.ask('GET', `/api/token/${token.id}`, { as: ann })).toMatchObject({ data: token })
    const [listed] = (await bench.ask<Token[]>('GET', '/api/token/?p=0&size=5', { as: ann })).data ?? []
    expect(listed).toEqual(token)
    const stored = await bench.database.kysely
      .selectFrom('token')
      .selectAll()
      .where('id', '=', token.id)
      .executeTakeFirstOrThrow()
    expect(stored.key_hash).toBe(keyHash(token.key.slice(3)))
    for (const value of Object.values(stored)) expect(String(value)).not.toContain(token.key.slice(3))
  })

  it('refuse what their form refuses', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ name: '' }, 'name: Token name is required.'],
      [{ name: 'x'.repeat(31) }, 'name: Token name is limited to 30 characters.'],
      [{ name: 'a', remain_quota: -1 }, 'remain_quota: Quota must be non-negative.'],
      [{ name: 'a', expired_time: -2 }, 'expired_time: Expiration must be a unix time in seconds, or -1 for never.'],
      [
        { name: 'a', subnet: '10.0.0.1,10.0.0.0/33' },
        'subnet: "10.0.0.0/33" is neither an IP address nor a CIDR range.',
      ],
    ]
    for (const [body, message] of cases)
      expect(await create(body)).toMatchObject({ success: false, code: 'invalid_body', message })
  })

  it('become expired and exhausted by themselves, and leave these states when saved with a reason to', async () => {
    const soon = await made({ name: 'soon', remain_quota: 5, expired_time: now() + 60 })
    bench.clock.now += 60_000
    expect((await bench.ask<Token>('GET', `/api/token/${soon.id}`, { as: ann })).data?.status).toBe(3)
    expect((await put({ ...soon, status: 3, expired_time: now() + 5 })).data?.status).toBe(1)
    bench.clock.now += 5_000
    expect((await put({ ...soon, status: 3, expired_time: -1 })).data?.status).toBe(1)

    const empty = await made({ name: 'empty', remain_quota: 0 })
    expect(empty.status).toBe(4)
    expect((await put({ ...empty, unlimited_quota: true })).data?.status).toBe(1)
    expect((await put({ ...empty, unlimited_quota: false })).data?.status).toBe(4)
    expect((await put({ ...empty, remain_quota: 1 })).data).toMatchObject({ status: 1, remain_quota: 1 })
    expect((await made({ name: 'zero', unlimited_quota: true, expired_time: 0 })).expired_time).toBe(-1)
  })

  it('become unlimited with whatever quota the form still holds', async () => {
    const overdrawn = await made({ name: 'overdrawn', remain_quota: 5 })
    const account = await bench.ledger.openAccount('token', overdrawn.id, false)
    if (account === 'unavailable') throw new Error('no ledger')
    const move = { kind: 'limit-set', mode: 'add', actor: 0, reason: 'test', account } as const
    await bench.ledger.move({ ...move, requestId: bench.deps.newId(), amount: mq(-9_000n) })
    const shown = (await bench.ask<Token>('GET', `/api/token/${overdrawn.id}`, { as: ann })).data
    expect(shown).toMatchObject({ remain_quota: -4, status: 4 })
    expect(await put({ ...shown })).toMatchObject({ message: 'remain_quota: Quota must be non-negative.' })
    expect((await put({ ...shown, unlimited_quota: true })).data).toMatchObject({ remain_quota: 0, status: 1 })
    expect(await made({ name: 'family', unlimited_quota: true, remain_quota: -1 })).toMatchObject({ remain_quota: 0 })
  })

  it('are switched by status alone, but not on while they could not work', async () => {
    const token = await made({ name: 'switch', remain_quota: 5, expired_time: now() + 60 })
    expect((await setStatus(token.id, 2)).data).toMatchObject({ status: 2, name: 'switch', remain_quota: 5 })
    expect((await put({ ...token, status: 2, name: 'renamed' })).data).toMatchObject({ status: 2, name: 'renamed' })
    expect((await setStatus(token.id, 1)).data?.status).toBe(1)
    await setStatus(token.id, 2)
    bench.clock.now += 60_000
    expect(await setStatus(token.id, 1)).toMatchObject({
      success: false,
      message: expect.stringContaining('has expired'),
    })
    const empty = await made({ name: 'nothing', remain_quota: 0 })
    await setStatus(empty.id, 2)
    expect(await setStatus(empty.id, 1)).toMatchObject({
      success: false,
      message: expect.stringContaining('no quota left'),
    })
    expect(await setStatus(empty.id, 3)).toMatchObject({ code: 'invalid_body' })
  })

  it('keep the quota that an update does not name', async () => {
    const token = await made({ name: 'untouched', remain_quota: 100 })
    expect((await put({ id: token.id, name: 'renamed' })).data).toMatchObject({ name: 'renamed', remain_quota: 100 })
    const unlimited = { id: token.id, name: 'renamed', unlimited_quota: true }
    expect((await put(unlimited)).data).toMatchObject({ unlimited_quota: true, remain_quota: 100 })
    expect((await put({ ...unlimited, unlimited_quota: false })).data).toMatchObject({
      unlimited_quota: false,
      remain_quota: 100,
    })
  })

  it('keep what was spent meanwhile when a form is saved with the quota it was given', async () => {
    const token = await made({ name: 'spending', remain_quota: 100 })
    const account = await bench.ledger.openAccount('token', token.id, false)
    if (account === 'unavailable') throw new Error('no ledger')
    const move = { kind: 'limit-set', mode: 'add', actor: 0, reason: 'test', account } as const
    await bench.ledger.move({ ...move, requestId: bench.deps.newId(), amount: mq(-500n) })
    const shown = (await bench.ask<Token>('GET', `/api/token/${token.id}`, { as: ann })).data
    expect(shown?.remain_quota).toBe(99)
    await put({ ...shown, name: 'saved' })
    await put({ ...shown, name: 'saved', remain_quota: 100, remain_quota_seen: 100 })
    const { posted } = await bench.database.kysely
      .selectFrom('account')
      .select('posted')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    expect(posted).toBe(99_500n)
  })

  it('keep what was spent when an older copy is saved, whole or as the family knows it, and an edit adds to what was seen', async () => {
    const copy = await made({ name: 'copied', remain_quota: 1_000 })
    const { remain_quota_exact: _exact, used_quota_exact: _used, ...ofFamily } = copy
    await spend(copy.id, 20)
    const left = async () => (await bench.ask<Token>('GET', `/api/token/${copy.id}`, { as: ann })).data?.remain_quota
    expect(await left()).toBe(800)
    for (const body of [copy, ofFamily]) {
      expect((await put({ ...body, name: 'renamed' })).data).toMatchObject({ name: 'renamed', remain_quota: 800 })
    }
    // 100 more than the 1,000 shown, by each kind of copy and by the form.
    await put({ ...copy, remain_quota: 1_100 })
    expect(await left()).toBe(900)
    await put({ id: copy.id, name: 'renamed', remain_quota: 1_100, remain_quota_seen: 1_000 })
    expect(await left()).toBe(1_000)
    // Since the limit was changed here, remaining and used add up to 1,200.
    await put({ ...ofFamily, remain_quota: 1_300 })
    expect(await left()).toBe(1_100)
    // At most 500, and no more than what is left.
    await put({ ...copy, remain_quota: 500 })
    expect(await left()).toBe(500)
    await spend(copy.id, 10)
    await put({ ...copy, remain_quota: 500 })
    expect(await left()).toBe(400)
    // The body does not show what its sender had seen, so the value is set.
    await put({ id: copy.id, name: 'renamed', remain_quota: 700 })
    expect(await left()).toBe(700)
  })

  it('are searched by the start of their name, sorted and counted', async () => {
    await made({ name: 'Zeta-1', remain_quota: 9_000_000 })
    await made({ name: 'zeta-2', unlimited_quota: true })
    const found = await bench.ask<Token[]>('GET', '/api/token/search?keyword=zeta&sort=name&order=asc', { as: ann })
    expect(found.data?.map((token) => token.name)).toEqual(['Zeta-1', 'zeta-2'])
    expect(found.total).toBe(2)
    const rich = await bench.ask<Token[]>('GET', '/api/token/?sort=remain_quota&size=1', { as: ann })
    expect(rich.data).toMatchObject([{ name: 'Zeta-1' }])
  })

  it('are deleted', async () => {
    const { id } = await made({ name: 'gone' })
    expect(await bench.ask('DELETE', `/api/token/${id}`, { as: ann })).toMatchObject({ success: true })
    expect(await bench.ask('DELETE', `/api/token/${id}`, { as: ann })).toMatchObject({
      code: 'not_found',
      message: 'Token not found.',
    })
  })

  it('of other users do not exist, not even for administrators', { tags: 'S11' }, async () => {
    const mine = await made({ name: 'mine', remain_quota: 5 })
    for (const other of [await bench.addCaller('other', 1), await bench.addCaller('boss', 100)]) {
      const replies = [
        await bench.ask('GET', `/api/token/${mine.id}`, { as: other }),
        await bench.ask('PUT', '/api/token/', { as: other, body: { ...mine, name: 'theirs', remain_quota: 1 } }),
        await bench.ask('PUT', '/api/token/?status_only=1', { as: other, body: { id: mine.id, status: 2 } }),
        await bench.ask('DELETE', `/api/token/${mine.id}`, { as: other }),
      ]
      for (const reply of replies) expect(reply).toMatchObject({ status: 200, success: false, code: 'not_found' })
      expect((await bench.ask('GET', '/api/token/', { as: other })).data).toEqual([])
    }
    expect((await bench.ask('GET', `/api/token/${mine.id}`, { as: ann })).data).toEqual(mine)
  })

  it('key, owner and spending cannot be set', { tags: 'S10' }, async () => {
    const token = await made({
      name: 'a',
      remain_quota: 5,
      key: 'sk-mine',
      user_id: 1,
      used_quota: -5,
      created_time: 1,
      id: 7,
    })
    expect(token.key).not.toBe('sk-mine')
    const saved = (await put({ ...token, key: 'sk-mine', used_quota: 99, created_time: 1, accessed_time: 1 })).data
    expect(saved).toEqual(token)
  })
})
