import { ROLE } from '@sluice/contract/capability'
import { setOption } from '@sluice/store/queries/options'
import { databaseEngines } from '@sluice/testkit/databases'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payGifts } from './gifts.ts'

describe.each(databaseEngines)('gifts on %s', (engine) => {
  let bench: ManagementBench
  let host: TestCaller
  let code = ''
  beforeAll(async () => {
    bench = await openManagementBench(engine)
    const db = bench.database.kysely
    await setOption(db, 'QuotaForNewUser', '100')
    await setOption(db, 'QuotaForInvitee', '20')
    await setOption(db, 'QuotaForInviter', '30')
    await bench.deps.versions.check()
    host = await bench.addCaller('host', ROLE.user)
    code = (await bench.ask<string>('GET', '/api/user/aff', { as: host })).data ?? ''
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    await bench.close()
  })

  const register = async (username: string, affCode = '') => {
    const body = { username, password: 'a good password', aff_code: affCode }
    expect(await bench.ask('POST', '/api/user/register', { body })).toMatchObject({ success: true })
    return await bench.database.kysely
      .selectFrom('user')
      .select(['id', 'inviter_id'])
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  }
  const balance = async (id: number) =>
    (
      await bench.database.kysely
        .selectFrom('account')
        .select('posted')
        .where('kind', '=', 'user')
        .where('owner_id', '=', id)
        .executeTakeFirst()
    )?.posted
  const logsOf = async (userId: number) =>
    (
      await bench.database.kysely
        .selectFrom('log')
        .select(['type', 'content', 'amount'])
        .where('user_id', '=', userId)
        .orderBy('content')
        .execute()
    ).map(({ type, content, amount }) => [type, content, amount])
  const promised = () => bench.database.kysely.selectFrom('pending_gift').selectAll().execute()

  it('go to the newcomer and to who invited them, each with a log row', async () => {
    expect(code).toMatch(/^[\w-]{8}$/)
    expect((await bench.ask('GET', '/api/user/aff', { as: host })).data).toBe(code)
    const ann = await register('ann', ` ${code} `)
    expect(ann.inviter_id).toBe(host.id)
    expect([await balance(ann.id), await balance(host.id)]).toEqual([120_000n, 30_000n])
    expect(await logsOf(ann.id)).toEqual([
      [4, 'Gift for a new user: 100 quota', 100_000n],
      [4, 'Gift for using an invitation code: 20 quota', 20_000n],
    ])
    expect(await logsOf(host.id)).toEqual([[4, 'Gift for inviting a user: 30 quota', 30_000n]])
    expect(await promised()).toEqual([])
  })

  it('are given once when the process died before it forgot them, and when two processes pay', async () => {
    const bob = await register('bob')
    const moved = await bench.database.kysely
      .selectFrom('transfer')
      .innerJoin('account', 'account.id', 'transfer.credit')
      .select('request_id')
      .where('account.owner_id', '=', bob.id)
      .where('transfer.kind', '=', 'gift')
      .executeTakeFirstOrThrow()
    await bench.database.kysely
      .insertInto('pending_gift')
      .values({ ...moved, kind: 'gift', user_id: bob.id, username: 'bob', quota: 100, content: 'again' })
      .execute()
    await Promise.all([payGifts(bench.deps), payGifts(bench.deps)])
    expect(await balance(bob.id)).toBe(100_000n)
    expect(await promised()).toEqual([])
  })

  it('wait for a ledger that does not answer, and are paid later', async () => {
    const unavailable = { openAccount: async () => 'unavailable' as const, move: async () => 'unavailable' as const }
    const cid = await bench.addCaller('cid', ROLE.user)
    await bench.database.kysely
      .insertInto('pending_gift')
      .values({
        request_id: bench.deps.newId(),
        kind: 'gift',
        user_id: cid.id,
        username: 'cid',
        quota: 7,
        content: 'x',
      })
      .execute()
    await payGifts({ ...bench.deps, ledger: { ...bench.deps.ledger, ...unavailable } })
    expect(await promised()).toHaveLength(1)
    await payGifts(bench.deps)
    expect([await balance(cid.id), await promised()]).toEqual([7_000n, []])
  })
})
