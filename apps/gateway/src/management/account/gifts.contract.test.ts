import { ROLE } from '@sluice/contract/capability'
import { setOption } from '@sluice/store/queries/options'
import { databaseEngines } from '@sluice/testkit/databases'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { openManualTimers } from '@sluice/testkit/manual-timers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGiftPayments, payGifts } from './gifts.ts'

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
    await setOption(db, 'SMTPServer', 'smtp.example.org')
    await setOption(db, 'SMTPFrom', 'sluice@example.org')
    await bench.deps.versions.check()
    host = await bench.addCaller('host', ROLE.user)
    code = (await bench.ask<string>('GET', '/api/user/aff', { as: host })).data ?? ''
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    await bench.close()
  })

  let network = 0
  /** Signs up from a different network at each call. */
  const register = async (username: string, affCode = '', email = '') => {
    const headers = { 'x-test-address': `198.51.100.${(network += 1)}` }
    if (email !== '') await bench.ask('GET', `/api/verification?email=${encodeURIComponent(email)}`, { headers })
    const code = /\b[2-9A-HJ-NP-Z]{6}\b/.exec((await bench.mails()).at(-1)?.text ?? '')?.[0] ?? ''
    const body = { username, password: 'a good password', aff_code: affCode, email, verification_code: code }
    expect(await bench.ask('POST', '/api/user/register', { body, headers })).toMatchObject({ success: true })
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

  const charge = async (username: string, quota: number) => {
    const as = await signedIn(username)
    const { data } = await bench.ask<{ key: string }[]>('GET', '/api/token/', { as })
    const headers = { authorization: `Bearer ${data?.[0]?.key ?? ''}` }
    const body = { add_used_quota: quota, add_reason: 'a film' }
    expect(await bench.ask('POST', '/api/token/consume', { headers, body })).toMatchObject({ success: true })
  }
  const signedIn = async (username: string) => {
    const body = { username, password: 'a good password' }
    const reply = await bench.ask('POST', '/api/user/login', { body })
    return reply.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? ''
  }

  it('go to the newcomer at once, and to the inviter after a first charge, each with a log row', async () => {
    expect(code).toMatch(/^[\w-]{8}$/)
    expect((await bench.ask('GET', '/api/user/aff', { as: host })).data).toBe(code)
    const ann = await register('ann', ` ${code} `)
    expect(ann.inviter_id).toBe(host.id)
    await payGifts(bench.deps)
    expect([await balance(ann.id), await balance(host.id)]).toEqual([120_000n, 0n])
    await charge('ann', 1)
    const timers = openManualTimers()
    const payments = openGiftPayments({ ...bench.deps, timers, onError: (error) => bench.reported.push(error) })
    await timers.advance(60_000)
    await payments.close()
    expect([await balance(ann.id), await balance(host.id)]).toEqual([119_000n, 30_000n])
    await charge('ann', 1)
    await payGifts(bench.deps)
    expect(await balance(host.id)).toBe(30_000n)
    expect((await logsOf(ann.id)).filter(([type]) => type === 4)).toEqual([
      [4, 'Gift for a new user: 100 quota', 100_000n],
      [4, 'Gift for using an invitation code: 20 quota', 20_000n],
    ])
    expect(await logsOf(host.id)).toEqual([[4, 'Gift for inviting a user: 30 quota', 30_000n]])
    expect(await promised()).toEqual([])
  })

  it('go once to a mailbox, however it is written, and likewise to its inviter', { tags: 'S47' }, async () => {
    const before = await balance(host.id)
    const mailbox = ['eve@gmail.com', 'EVE@googlemail.com', 'e.v.e+again@gmail.com']
    const given: unknown[] = []
    for (const [at, email] of mailbox.entries()) {
      const { id } = await register(`eve${at}`, code, email)
      given.push((await balance(id)) ?? 0n)
      if (at === 0) await charge(`eve${at}`, 1)
      await payGifts(bench.deps)
      await bench.ask('DELETE', '/api/user/self', { as: await signedIn(`eve${at}`) })
    }
    expect(given).toEqual([120_000n, 0n, 0n])
    expect(await balance(host.id)).toBe((before ?? 0n) + 30_000n)
    expect(await promised()).toEqual([])
    const kept = JSON.stringify(await bench.database.kysely.selectFrom('gift_receiver').selectAll().execute())
    expect(kept).toMatch(/^\[\{"digest":"[0-9a-f]{64}"\}\]$/)
  })

  it('are not paid for inviting a user that left, or was never charged', { tags: 'S47' }, async () => {
    const before = await balance(host.id)
    await register('gus', code, 'gus@example.org')
    expect(await promised()).toMatchObject([{ user_id: host.id, quota: 30 }])
    await bench.ask('DELETE', '/api/user/self', { as: await signedIn('gus') })
    expect(await promised()).toEqual([])
    await payGifts(bench.deps)
    expect(await balance(host.id)).toBe(before)
  })

  it('are given once when the process died before it deleted them, and when two processes pay', async () => {
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
