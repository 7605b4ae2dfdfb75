import type { AuditEntry } from '@sluice/contract/audit'
import type { Token } from '@sluice/contract/token'
import type { User } from '@sluice/contract/user'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { TEST_PRICE, testSettlement } from '@sluice/testkit/ledger-operations'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Friday, 2026-11-20 noon. */
const NOW = Date.UTC(2026, 10, 20, 12)
const RESETS = {
  day: Date.UTC(2026, 10, 21) / 1_000,
  week: Date.UTC(2026, 10, 23) / 1_000,
  month: Date.UTC(2026, 11, 1) / 1_000,
}

describe('budgets', () => {
  let bench: ManagementBench
  let admin: TestCaller
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
    ann = await bench.addCaller('ann', 1)
  })
  afterAll(async () => {
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const made = async (body: object): Promise<Token> => {
    const { data, message } = await bench.ask<Token>('POST', '/api/token/', { as: ann, body: { name: 'a', ...body } })
    if (data === undefined) throw new Error(message)
    return data
  }
  const put = (body: object) => bench.ask<Token>('PUT', '/api/token/', { as: ann, body })
  const tokenOf = async (id: number) => (await bench.ask<Token>('GET', `/api/token/${id}`, { as: ann })).data
  const userOf = async (id: number) => (await bench.ask<User>('GET', `/api/user/${id}`, { as: admin })).data
  const change = (body: object, as = admin) => bench.ask('PUT', '/api/user/', { as, body: { id: ann.id, ...body } })
  /** Charges 10 quota per output token. */
  const charge = async (token: Token, requestId: string, output: number) => {
    const account = await bench.ledger.openAccount('user', ann.id, false)
    const limitAccount = await bench.ledger.openAccount('token', token.id, token.unlimited_quota)
    if (account === 'unavailable' || limitAccount === 'unavailable') throw new Error('no ledger')
    const payer = { userId: ann.id, tokenId: token.id, account, limitAccount }
    const settlement = testSettlement(payer, requestId, output, { price: TEST_PRICE })
    const createdAt = Math.floor(bench.clock.now / 1_000)
    await bench.ledger.settle({ ...settlement, log: { ...settlement.log, createdAt } })
  }

  it('of a token are set when it is created, and shown with what is used and when they reset', async () => {
    const budgets = [
      { period: 'month', quota: 900 },
      { period: 'day', quota: 100 },
    ]
    const token = await made({ unlimited_quota: true, budgets })
    const shown = [
      { period: 'day', quota: 100, used_quota: 0, resets_time: RESETS.day },
      { period: 'month', quota: 900, used_quota: 0, resets_time: RESETS.month },
    ]
    expect(token.budgets).toEqual(shown)
    await charge(token, 'used', 3)
    const used = shown.map((each) => ({ ...each, used_quota: 30 }))
    expect((await tokenOf(token.id))?.budgets).toEqual(used)
    const [listed] = (await bench.ask<Token[]>('GET', '/api/token/', { as: ann })).data ?? []
    expect(listed?.budgets).toEqual(used)
    const [foreign] = (await bench.ask<Token[]>('GET', '/api/admin/tokens/', { as: admin })).data ?? []
    expect(foreign?.budgets).toEqual(used)
  })

  it('show nothing used once their window is over', async () => {
    const token = await made({ unlimited_quota: true, budgets: [{ period: 'day', quota: 100 }] })
    await charge(token, 'yesterday', 3)
    bench.clock.now = NOW + 86_400_000
    const resets = RESETS.day + 86_400
    expect((await tokenOf(token.id))?.budgets).toEqual([
      { period: 'day', quota: 100, used_quota: 0, resets_time: resets },
    ])
    bench.clock.now = NOW
  })

  it('are kept by clients that do not know them; can be sent back as shown, changed, and removed', async () => {
    const token = await made({ remain_quota: 5, budgets: [{ period: 'week', quota: 50 }] })
    const { budgets, ...unknowing } = token
    expect((await put({ ...unknowing, name: 'b' })).data).toMatchObject({ name: 'b', budgets })
    expect((await put({ ...token, name: 'c' })).data).toMatchObject({ name: 'c', budgets })
    const changed = await put({
      ...token,
      budgets: [
        { period: 'week', quota: 60 },
        { period: 'day', quota: 0 },
      ],
    })
    expect(changed.data?.budgets).toMatchObject([
      { period: 'day', quota: 0 },
      { period: 'week', quota: 60, resets_time: RESETS.week },
    ])
    expect((await put({ ...token, budgets: [] })).data?.budgets).toEqual([])
  })

  it('are refused by name when they make no sense', async () => {
    const day = { period: 'day', quota: 1 }
    const cases: readonly (readonly [unknown, string])[] = [
      [[{ period: 'hour', quota: 1 }], 'budgets.0.period: must be one of day, week, month.'],
      [[{ period: 'day', quota: -1 }], 'budgets.0.quota: Quota must be non-negative.'],
      [[{ period: 'day', quota: 0.5 }], 'budgets.0.quota: Quota must be a whole number.'],
      [[day, day], 'budgets: must contain at most one budget per period.'],
    ]
    for (const [budgets, message] of cases) {
      const body = { name: 'a', budgets }
      expect(await bench.ask('POST', '/api/token/', { as: ann, body })).toMatchObject({ code: 'invalid_body', message })
    }
  })

  it('of a user are set by administrators, at creation and later, and shown to the user', async () => {
    const budgets = [{ period: 'day', quota: 10 }]
    const body = { username: 'newcomer', password: 'long enough', budgets }
    expect(await bench.ask('POST', '/api/user/', { as: admin, body })).toMatchObject({ success: true })
    const [newcomer] = (await bench.ask<User[]>('GET', '/api/user/search?keyword=newcomer', { as: admin })).data ?? []
    expect(newcomer?.budgets).toMatchObject(budgets)

    expect(await change({ budgets: [{ period: 'month', quota: 1_000 }] })).toMatchObject({ success: true })
    expect(await change({ display_name: 'Ann' })).toMatchObject({ success: true })
    expect((await userOf(ann.id))?.budgets).toMatchObject([{ period: 'month', quota: 1_000 }])
    const self = await bench.ask<User>('GET', '/api/user/self', { as: ann })
    expect(self.data?.budgets).toMatchObject([{ period: 'month', quota: 1_000 }])
    expect(await change({ budgets: [] })).toMatchObject({ success: true })
    expect((await userOf(ann.id))?.budgets).toEqual([])
  })

  it('of a user are recorded before and after the change', async () => {
    const root = await bench.addCaller('root', 100)
    await change({ budgets: [{ period: 'day', quota: 10 }] })
    await change({
      budgets: [
        { period: 'day', quota: 20 },
        { period: 'week', quota: 90 },
      ],
    })
    await change({ budgets: [] })
    const { data } = await bench.ask<AuditEntry[]>('GET', '/api/audit/?size=3', { as: root })
    expect(data?.map(({ before, after }) => [before['budgets_mq'], after['budgets_mq']])).toEqual([
      ['day 20000, week 90000', ''],
      ['day 10000', 'day 20000, week 90000'],
      ['', 'day 10000'],
    ])
  })

  it(
    'of a user cannot be set by that user, and those of another user’s token do not exist',
    { tags: ['S10', 'S11'] },
    async () => {
      await change({ budgets: [{ period: 'day', quota: 7 }] })
      expect((await change({ budgets: [] }, ann)).status).toBe(403)
      await bench.ask('PUT', '/api/user/self', { as: ann, body: { budgets: [], display_name: 'A' } })
      expect((await userOf(ann.id))?.budgets).toMatchObject([{ period: 'day', quota: 7 }])
      await change({ budgets: [] })

      const token = await made({ budgets: [{ period: 'day', quota: 7 }] })
      expect(await bench.ask('PUT', '/api/token/', { as: admin, body: { ...token, budgets: [] } })).toMatchObject({
        code: 'not_found',
      })
      expect((await tokenOf(token.id))?.budgets).toMatchObject([{ quota: 7 }])
    },
  )

  it('that are set in the middle of a window include what the window has already used', async () => {
    const token = await made({ unlimited_quota: true })
    await charge(token, 'before', 4)
    const { data } = await put({ ...token, budgets: [{ period: 'day', quota: 100 }] })
    expect(data?.budgets).toMatchObject([{ used_quota: 40 }])
  })
})
