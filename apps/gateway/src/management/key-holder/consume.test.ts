// @module-tag slow
import type { Token } from '@sluice/contract/token'
import { decodeProgress } from '@sluice/ledger/progress'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

interface Balance {
  readonly remain_quota: number
  readonly used_quota: number
}

describe('quota charged by other programs', () => {
  let bench: ManagementBench
  let ann: TestCaller
  let key: string
  beforeEach(async () => {
    bench = await openManagementBench()
    const root = await bench.addCaller('root', 100)
    ann = await bench.addCaller('ann', 1)
    await bench.ask('POST', '/api/topup', { as: root, body: { user_id: ann.id, quota: 1_000 } })
    const body = { name: 'jobs', remain_quota: 500 }
    key = (await bench.ask<{ key: string }>('POST', '/api/token/', { as: ann, body })).data?.key ?? ''
  })
  afterEach(async () => {
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const headers = () => ({ authorization: `Bearer ${key}` })
  const consume = (body: object) => bench.ask<Balance>('POST', '/api/token/consume', { headers: headers(), body })
  const balance = async () =>
    (await bench.ask<Balance>('GET', '/api/token/balance', { headers: headers() })).data?.remain_quota
  const users = async () => {
    const { data } = await bench.ask<{ quota: number; used_quota: number }>('GET', '/api/user/self', { as: ann })
    return [data?.quota, data?.used_quota]
  }

  it('is charged in one step, with a log row that says for what', async () => {
    const reply = await consume({ add_used_quota: 120, add_reason: 'a picture', elapsed_time_ms: 900 })
    expect(reply).toMatchObject({
      success: true,
      data: { name: 'jobs', remain_quota: 380, used_quota: 120, unlimited_quota: false },
      transaction: { status: 2, pre_quota: 120, final_quota: 120, reason: 'a picture', auto_confirmed: false },
    })
    expect(await users()).toEqual([880, 120])
    const logs = await bench.ask('GET', '/api/token/logs', { headers: headers() })
    expect(logs).toMatchObject({
      total: 1,
      data: [
        { type: 2, quota: 120, content: 'a picture', model_name: 'external', elapsed_time: 900, token_name: 'jobs' },
      ],
    })
  })

  it('is reserved, then charged by its outcome; repeated, nothing more happens', async () => {
    expect(await consume({ phase: 'pre', add_used_quota: 200, transaction_id: 'job-1' })).toMatchObject({
      data: { remain_quota: 300 },
      transaction: { transaction_id: 'job-1', status: 1, final_quota: null },
    })
    expect(await users()).toEqual([1_000, 0])
    const post = { phase: 'post', transaction_id: 'job-1', final_used_quota: 150 }
    for (let i = 0; i < 2; i++) {
      expect(await consume(post)).toMatchObject({
        data: { remain_quota: 350 },
        transaction: { status: 2, final_quota: 150 },
      })
    }
    expect(await users()).toEqual([850, 150])
    expect(await consume({ ...post, final_used_quota: 1 })).toMatchObject({ success: false, code: 'refused' })
    expect(await consume({ phase: 'cancel', transaction_id: 'job-1' })).toMatchObject({
      success: false,
      code: 'refused',
    })
    expect(await users()).toEqual([850, 150])
  })

  it('can turn out dearer than reserved, as far as there is quota', async () => {
    await consume({ phase: 'pre', add_used_quota: 300, transaction_id: 'big' })
    expect(await consume({ phase: 'post', transaction_id: 'big', final_used_quota: 420 })).toMatchObject({
      data: { remain_quota: 80 },
      transaction: { status: 2, pre_quota: 300, final_quota: 420 },
    })
    expect(await users()).toEqual([580, 420])
  })

  it('cannot be confirmed beyond the limit of the key or the quota of its owner', { tags: 'S25' }, async () => {
    await consume({ phase: 'pre', add_used_quota: 0, transaction_id: 'x' })
    const post = { phase: 'post', transaction_id: 'x' }
    const code = 'pre_consume_token_quota_failed'
    expect(await consume({ ...post, final_used_quota: 9_000_000_000 })).toMatchObject({
      code: 'insufficient_user_quota',
    })
    expect(await consume({ ...post, final_used_quota: 501 })).toMatchObject({ code })
    expect(await users()).toEqual([1_000, 0])
    expect(await balance()).toBe(500)
    expect(await consume({ ...post, final_used_quota: 500 })).toMatchObject({ transaction: { final_quota: 500 } })
    expect(await consume({ ...post, final_used_quota: 500 })).toMatchObject({ success: true })
    expect(await users()).toEqual([500, 500])
    expect(await consume({ add_used_quota: 1 })).toMatchObject({ code })
  })

  it(
    'cannot be confirmed beyond a budget, not even when the reservation was charged by a recovery',
    { tags: 'S25' },
    async () => {
      const [token] = (await bench.ask<Token[]>('GET', '/api/token/', { as: ann })).data ?? []
      if (token === undefined) throw new Error('no token')
      await bench.ask('PUT', '/api/token/', { as: ann, body: { ...token, budgets: [{ period: 'month', quota: 200 }] } })
      const code = 'token_budget_exhausted'
      await consume({ phase: 'pre', add_used_quota: 60, transaction_id: 'x' })
      expect(await consume({ phase: 'post', transaction_id: 'x', final_used_quota: 201 })).toMatchObject({ code })
      expect(await consume({ phase: 'post', transaction_id: 'x', final_used_quota: 100 })).toMatchObject({
        success: true,
      })
      expect(await consume({ add_used_quota: 101 })).toMatchObject({ code })

      await consume({ phase: 'pre', add_used_quota: 60, transaction_id: 'y' })
      const hold = await bench.database.kysely.selectFrom('hold').selectAll().executeTakeFirstOrThrow()
      const recovered = decodeProgress(hold.progress ?? '')
      if (recovered === undefined) throw new Error('the hold does not know what to charge')
      await bench.ledger.settle(recovered)
      expect(await consume({ phase: 'post', transaction_id: 'y', final_used_quota: 101 })).toMatchObject({ code })
      expect(await consume({ phase: 'post', transaction_id: 'y', final_used_quota: 100 })).toMatchObject({
        success: true,
      })
      expect(await users()).toEqual([800, 200])
    },
  )

  it('is given back when the work is cancelled', async () => {
    await consume({ phase: 'pre', add_used_quota: 200, transaction_id: 'job-2' })
    for (let i = 0; i < 2; i++) {
      expect(await consume({ phase: 'cancel', transaction_id: 'job-2' })).toMatchObject({
        data: { remain_quota: 500 },
        transaction: { status: 4, final_quota: 0 },
      })
    }
    expect(await users()).toEqual([1_000, 0])
  })

  it('is charged as reserved when no one reports how it ended', async () => {
    await consume({ phase: 'pre', add_used_quota: 200, transaction_id: 'lost', timeout_seconds: 60 })
    bench.clock.now += 59_000
    expect(await balance()).toBe(300)
    expect(await users()).toEqual([1_000, 0])
    bench.clock.now += 1_000
    expect(await balance()).toBe(300)
    expect(await users()).toEqual([800, 200])
    expect(await consume({ phase: 'post', transaction_id: 'lost', final_used_quota: 10 })).toMatchObject({
      code: 'refused',
    })
    expect(await bench.ask('GET', '/api/token/transactions', { headers: headers() })).toMatchObject({
      total: 1,
      data: [{ transaction_id: 'lost', status: 3, auto_confirmed: true, final_quota: 200 }],
    })
  })

  it(
    'many confirmed at once take no more than there is, not even when a recovery charged their reservations',
    { tags: ['S23', 'S25'] },
    async () => {
      const names = ['a', 'b', 'c', 'd']
      for (const transaction_id of names) await consume({ phase: 'pre', add_used_quota: 100, transaction_id })
      for (const { progress } of await bench.database.kysely.selectFrom('hold').select('progress').execute()) {
        const recovered = decodeProgress(progress ?? '')
        if (recovered === undefined) throw new Error('the hold does not know what to charge')
        await bench.ledger.settle(recovered)
      }
      expect(await balance()).toBe(100)
      const posts = names.map((transaction_id) => consume({ phase: 'post', transaction_id, final_used_quota: 190 }))
      const confirmed = (await Promise.all(posts)).filter(({ success }) => success)
      expect(confirmed).toHaveLength(1)
      expect(await balance()).toBe(10)
      expect(await bench.database.kysely.selectFrom('hold').selectAll().execute()).toEqual([])
    },
  )

  it('is refused with a reason, and a refusal leaves nothing behind', async () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ phase: 'pre' }, /^add_used_quota: is required to reserve quota/],
      [{}, /^add_used_quota: is required to charge quota/],
      [{ phase: 'post' }, /^transaction_id: is required with the phase post/],
      [{ phase: 'cancel', transaction_id: 'none' }, /^Transaction not found/],
      [{ phase: 'later' }, /^phase: must be pre, post, cancel or single/],
      [{ add_used_quota: -1 }, /^add_used_quota: Quota must be non-negative/],
      [{ add_used_quota: 1, timeout_seconds: 3_601 }, /^timeout_seconds: must be at most 3600/],
      [{ phase: 'pre', add_used_quota: 501 }, /token’s quota is too low/],
    ]
    for (const [body, message] of cases) {
      const reply = await consume(body)
      expect(reply).toMatchObject({ status: 200, success: false })
      expect(reply.message).toMatch(message)
    }
    expect(await balance()).toBe(500)
    await consume({ phase: 'pre', add_used_quota: 1, transaction_id: 'twice' })
    expect(await consume({ phase: 'pre', add_used_quota: 1, transaction_id: 'twice' })).toMatchObject({
      message: 'A transaction with this name already exists.',
    })
    expect((await bench.database.kysely.selectFrom('hold').selectAll().execute()).length).toBe(1)
  })

  it('many reservations at once never hold more than there is', { tags: 'S23' }, async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => consume({ phase: 'pre', add_used_quota: 50 })))
    expect(replies.filter(({ success }) => success)).toHaveLength(10)
    expect(await balance()).toBe(0)
  })

  it('ends once, however many calls report its end', { tags: 'S23' }, async () => {
    await consume({ phase: 'pre', add_used_quota: 100, transaction_id: 'race' })
    const ends = Array.from({ length: 20 }, (_, i) =>
      consume(
        i % 2 === 0
          ? { phase: 'cancel', transaction_id: 'race' }
          : { phase: 'post', transaction_id: 'race', final_used_quota: i },
      ),
    )
    const successes = (await Promise.all(ends)).filter(({ success }) => success)
    expect(successes.length).toBeGreaterThan(0)
    const [quota, used] = await users()
    expect((quota ?? 0) + (used ?? 0)).toBe(1_000)
  })

  it('is open at most a thousand times per token', { tags: 'S27' }, async () => {
    const [{ id } = { id: 0 }] = await bench.database.kysely.selectFrom('token').select('id').execute()
    const row = {
      token_id: id,
      user_id: ann.id,
      status: 1,
      pre_quota: 0,
      final_quota: null,
      reason: '',
      created_time: 1,
    }
    await bench.database.kysely
      .insertInto('token_transaction')
      .values(
        Array.from({ length: 1_000 }, (_, i) => ({
          ...row,
          transaction_id: `open-${i}`,
          request_id: `open-${i}`,
          expires_time: 9_999_999_999,
          finished_time: 0,
          settled: 0,
          elapsed_ms: 0,
        })),
      )
      .execute()
    expect(await consume({ phase: 'pre', add_used_quota: 0 })).toMatchObject({
      message: 'A token is limited to 1000 open transactions.',
    })
    expect(await consume({ phase: 'cancel', transaction_id: 'open-7' })).toMatchObject({ success: true })
    expect(await consume({ phase: 'pre', add_used_quota: 0 })).toMatchObject({ success: true })
  })

  it('leaves nothing held when its time was over before it was open', async () => {
    const hold = bench.ledger.hold.bind(bench.ledger)
    bench.ledger.hold = async (request) => {
      bench.clock.now += 60_000
      await balance()
      return await hold(request)
    }
    expect(await consume({ phase: 'pre', add_used_quota: 50, timeout_seconds: 1 })).toMatchObject({ code: 'refused' })
    expect(await balance()).toBe(500)
    expect(await bench.database.kysely.selectFrom('hold').selectAll().execute()).toEqual([])
  })

  it('leaves no log row when rows of charges are switched off, and the ledger stays provable', async () => {
    const root = await bench.addCaller('other-root', 100)
    await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'LogConsumeEnabled', value: false } })
    await consume({ add_used_quota: 5 })
    expect(await bench.ask('GET', '/api/token/logs', { headers: headers() })).toMatchObject({ total: 0, data: [] })
    expect(await users()).toEqual([995, 5])
  })

  it('another user’s transactions do not exist', { tags: 'S11' }, async () => {
    await consume({ phase: 'pre', add_used_quota: 100, transaction_id: 'mine' })
    const bob = await bench.addCaller('bob', 1)
    const body = { name: 'theirs', unlimited_quota: true }
    const other = (await bench.ask<{ key: string }>('POST', '/api/token/', { as: bob, body })).data?.key ?? ''
    const as = { authorization: `Bearer ${other}` }
    const twin = { name: 'jobs', unlimited_quota: true }
    const namesake = (await bench.ask<{ key: string }>('POST', '/api/token/', { as: ann, body: twin })).data?.key ?? ''
    await consume({ add_used_quota: 3 })
    const byNamesake = { authorization: `Bearer ${namesake}` }
    expect(await bench.ask('GET', '/api/token/logs', { headers: byNamesake })).toMatchObject({ total: 0, data: [] })
    expect(await bench.ask('GET', '/api/token/logs', { headers: headers() })).toMatchObject({ total: 1 })
    const cancel = { phase: 'cancel', transaction_id: 'mine' }
    expect(await bench.ask('POST', '/api/token/consume', { headers: as, body: cancel })).toMatchObject({
      code: 'not_found',
    })
    expect(await bench.ask('GET', '/api/token/transactions', { headers: as })).toMatchObject({ total: 0 })
  })
})
