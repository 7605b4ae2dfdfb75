import type { Log } from '@sluice/contract/log'
import type { ExportedCharge, PriceBook, Receipt } from '@sluice/contract/receipt'
import type { Settlement } from '@sluice/ledger/operation'
import { mq, mqFromQuota } from '@sluice/ledger/units'
import { setOption } from '@sluice/store/queries/options'
import { databaseEngines } from '@sluice/testkit/databases'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { TEST_PRICE, type TestPayer, testSettlement, testTrace } from '@sluice/testkit/ledger-operations'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe.each(databaseEngines)('receipts on %s', (engine) => {
  let bench: ManagementBench
  let root: TestCaller
  let admin: TestCaller
  let ann: TestCaller
  let payer: TestPayer
  let made = 0
  beforeAll(async () => {
    bench = await openManagementBench(engine)
    root = await bench.addCaller('root', 100)
    admin = await bench.addCaller('admin', 10)
    ann = await bench.addCaller('ann', 1)
    payer = await openPayer(ann, 1)
  })
  afterAll(async () => {
    expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  async function openPayer(caller: TestCaller, tokenId: number): Promise<TestPayer> {
    const account = Number(await bench.ledger.openAccount('user', caller.id, false))
    const limitAccount = Number(await bench.ledger.openAccount('token', tokenId, true))
    const gift = { kind: 'gift', account, mode: 'add', amount: mqFromQuota(1_000_000), actor: 0, reason: '' } as const
    await bench.ledger.move({ ...gift, requestId: `gift-${caller.id}` })
    return { userId: caller.id, tokenId, account, limitAccount }
  }

  async function charge(overrides: Partial<Settlement> = {}, by = payer) {
    const requestId = `0199f000000070008000${String(++made).padStart(12, '0')}`
    const hold = { requestId, account: by.account, limitAccount: by.limitAccount, amount: mqFromQuota(500) }
    expect(await bench.ledger.hold({ ...hold, durable: true })).toBe('held')
    const trace = { ...testTrace(by, requestId), held: mqFromQuota(500), upstreamUsage: '{"prompt_tokens":12}' }
    const settlement = testSettlement(by, requestId, 10, { trace, ...overrides })
    expect(await bench.ledger.settle(settlement)).toBe('charged')
    const row = bench.database.kysely.selectFrom('log').select('id').where('request_id', '=', requestId)
    const id = Number((await row.where('type', '=', 2).executeTakeFirst())?.id ?? 0)
    return { requestId, id, settlement }
  }

  const ask = (id: number, as = ann) => bench.ask<Receipt>('GET', `/api/log/${id}/receipt`, { as })
  const receiptOf = async (id: number, as = ann): Promise<Receipt> => {
    const { data, message } = await ask(id, as)
    if (data === undefined) throw new Error(message)
    return data
  }
  const refund = (id: number, body: object, as = admin) =>
    bench.ask<{ refunded: string }>('POST', `/api/log/${id}/refund`, { as, body })

  it('show each class, each step and everything that led to the charge', async () => {
    const tokens = { input: 1_000, cachedInput: 7, cacheWrite5m: 3, cacheWrite1h: 1, output: 20, reasoning: 8 }
    const source = 'book:2026-11-20;tier:input>=272001;window:night'
    const rates = { ...TEST_PRICE.rates, units: { image: 1_234_567n } }
    const price = { rates, groupRatio: 900_000n, source }
    // 2500 + 1.75 + 9.375 + 5 + 200 + 2 × 0.001234567 = 2716.127469134; × 0.9 = 2444.5147222206
    const { id, requestId } = await charge({
      price,
      tokens: { ...tokens, units: { image: 2 } },
      amount: mq(2_444_515n),
    })
    expect(await receiptOf(id)).toEqual({
      log_id: id,
      request_id: requestId,
      created_at: 1_763_640_000,
      username: `user ${ann.id}`,
      token_name: 'token 1',
      group: '',
      model_name: 'gpt-4o-mini',
      origin_model_name: 'gpt-4o-mini',
      movements: [
        {
          kind: 'consume',
          at: 1_763_640_000_000,
          amount: '2444.515',
          calculation: {
            lines: [
              { class: 'input', count: 1_000, rate: '2.5', amount: '2500' },
              { class: 'cached_input', count: 7, rate: '0.25', amount: '1.75' },
              { class: 'cache_write_5m', count: 3, rate: '3.125', amount: '9.375' },
              { class: 'cache_write_1h', count: 1, rate: '5', amount: '5' },
              { class: 'output', count: 20, rate: '10', amount: '200' },
              { class: 'image', count: 2, rate: '0.001234567', amount: '0.002469134' },
            ],
            list: '2716.127469134',
            group_ratio: '0.9',
            exact: '2444.5147222206',
            total: '2444.515',
            price_id: expect.any(Number),
            source: {
              kind: 'book',
              name: '2026-11-20',
              channel: 0,
              tier: 'input>=272001',
              window: 'night',
            },
          },
          reason: '',
          actor_name: '',
        },
      ],
      net: '2444.515',
      fault: '',
      held: '500',
      ended: 'complete',
      usage: { estimated: false, reasoning_tokens: 8, upstream: '{"prompt_tokens":12}' },
      missing: [],
    })
  })

  it('hide the channel from its user and show it to administrators', async () => {
    const { id } = await charge({ price: { ...TEST_PRICE, source: 'channel:14' } })
    const channelOf = (receipt: Receipt) => receipt.movements[0]?.calculation?.source
    expect(channelOf(await receiptOf(id))).toMatchObject({ kind: 'channel', channel: 0 })
    expect(channelOf(await receiptOf(id, admin))).toMatchObject({ kind: 'channel', channel: 14 })
  })

  it('of other users cannot be read, by log row or by request', { tags: 'S11' }, async () => {
    const { id, requestId } = await charge()
    const eve = await bench.addCaller(`eve${made}`, 1)
    expect(await ask(id, eve)).toMatchObject({ status: 404, code: 'receipt_not_found' })
    expect(await bench.ask('GET', `/api/receipt/${requestId}`, { as: eve })).toMatchObject({ status: 404 })
    expect(await bench.ask('GET', `/api/receipt/${requestId}`, { as: ann })).toMatchObject({ data: { log_id: id } })
    expect(await bench.ask('GET', `/api/receipt/${'f'.repeat(32)}`, { as: root })).toMatchObject({ status: 404 })
  })

  it('show a correction next to the charge that it corrects', async () => {
    const { id, settlement } = await charge()
    const tokens = { ...settlement.tokens, output: 12 }
    const later = { ...settlement, tokens, amount: mqFromQuota(120), log: { ...settlement.log, estimated: true } }
    expect(await bench.ledger.settle(later)).toBe('charged')
    const receipt = await receiptOf(id)
    expect(receipt.movements).toMatchObject([
      { kind: 'consume', amount: '100', calculation: { total: '100' } },
      { kind: 'adjust', amount: '20', calculation: { total: '120' } },
    ])
    expect(receipt).toMatchObject({ net: '120', fault: '', usage: { estimated: true } })
  })

  it('are computed from their own rows: no present setting or price changes them', async () => {
    const { id } = await charge()
    const before = await receiptOf(id)
    await setOption(bench.database.kysely, 'GroupRatio', JSON.stringify({ default: 9 }))
    await setOption(bench.database.kysely, 'QuotaPerUnit', '7')
    await bench.deps.versions.check()
    expect(await receiptOf(id)).toEqual(before)
  })

  it('say which rows are gone', async () => {
    const { id, requestId } = await charge({ price: { ...TEST_PRICE, source: 'book:gone' } })
    const db = bench.database.kysely
    const priceRow = await db
      .selectFrom('price')
      .selectAll()
      .where('source', '=', 'book:gone')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('trace').where('request_id', '=', requestId).execute()
    expect(await receiptOf(id)).toMatchObject({ missing: ['trace'], held: '', net: '100', usage: { upstream: '' } })
    const { id: _, ...log } = await db.selectFrom('log').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await db.deleteFrom('log').where('id', '=', id).execute()
    const byRequest = async () => (await bench.ask<Receipt>('GET', `/api/receipt/${requestId}`, { as: ann })).data
    expect(await byRequest()).toMatchObject({ log_id: 0, missing: ['log', 'trace'], net: '100', ended: '', fault: '' })
    expect((await byRequest())?.movements[0]?.calculation?.total).toBe('100')
    await db.updateTable('transfer').set({ price_id: null }).where('request_id', '=', requestId).execute()
    expect(await byRequest()).toMatchObject({ missing: ['price', 'log', 'trace'], net: '100', fault: '' })
    expect((await byRequest())?.movements[0]).not.toHaveProperty('calculation')
    // Restored, because the ledger is proved at the end.
    await db.updateTable('transfer').set({ price_id: priceRow.id }).where('request_id', '=', requestId).execute()
    await db.insertInto('log').values(log).execute()
  })

  it('say so when a row was changed by hand', async () => {
    const { id, requestId } = await charge()
    const db = bench.database.kysely
    const change = (amount: bigint) =>
      db.updateTable('log').set({ amount }).where('request_id', '=', requestId).where('type', '=', 2).execute()
    await change(99_000n)
    expect(await receiptOf(id)).toMatchObject({ fault: 'log_differs', net: '100' })
    await change(100_000n)
    const count = (output_tokens: number) =>
      db.updateTable('transfer').set({ output_tokens }).where('request_id', '=', requestId).execute()
    await count(11)
    expect(await receiptOf(id)).toMatchObject({ fault: 'amount' })
    await count(10)
  })

  it('of rows that are not charges do not exist', async () => {
    const { id } = await charge()
    await refund(id, { reason: 'broken' })
    const { data = [] } = await bench.ask<Log[]>('GET', '/api/log/self?type=1', { as: ann })
    expect(data[0]).toMatchObject({ content: 'Refund: broken', quota: 100, username: 'ann' })
    expect(await ask(data[0]?.id ?? 0)).toMatchObject({ status: 404, code: 'receipt_not_found' })
    expect(await ask(1_999_999_999)).toMatchObject({ status: 404 })
  })

  it('show what administrators gave back, who did it and why', async () => {
    const { id } = await charge()
    const quota = async () =>
      (await bench.ask<{ quota: number }>('GET', '/api/user/self', { as: ann })).data?.quota ?? 0
    const before = await quota()
    expect(await refund(id, { amount: '33.5', reason: ' late ' })).toMatchObject({ data: { refunded: '33.5' } })
    expect(await receiptOf(id, admin)).toMatchObject({
      net: '66.5',
      fault: '',
      movements: [{ kind: 'consume' }, { kind: 'admin-refund', amount: '-33.5', reason: 'late', actor_name: 'admin' }],
    })
    expect((await receiptOf(id)).movements[1]).toMatchObject({ reason: 'late', actor_name: '' })
    expect(await refund(id, { amount: '66.501', reason: 'x' })).toMatchObject({
      success: false,
      code: 'refund_too_large',
      message: 'At most 66.5 more quota points of this charge can be refunded.',
    })
    expect(await refund(id, { reason: 'the rest' })).toMatchObject({ data: { refunded: '66.5' } })
    expect(await refund(id, { reason: 'again' })).toMatchObject({ code: 'refund_too_large' })
    expect(await receiptOf(id)).toMatchObject({ net: '0', fault: '' })
    expect(await quota()).toBe(before + 100)
  })

  it('give back once, however many administrators press the button at the same moment', { tags: 'S23' }, async () => {
    const { id } = await charge()
    const replies = await Promise.all(Array.from({ length: 10 }, () => refund(id, { reason: 'all' })))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    const parts = await charge()
    const halves = await Promise.all(
      Array.from({ length: 10 }, () => refund(parts.id, { amount: '40', reason: 'part' })),
    )
    expect(halves.filter(({ success }) => success)).toHaveLength(2)
  })

  it('are given back by administrators only, and not to their own rank', async () => {
    const { id } = await charge()
    expect(await refund(id, { reason: 'please' }, ann)).toMatchObject({ status: 403 })
    for (const body of [
      {},
      { reason: ' ' },
      { reason: 'x', amount: '0' },
      { reason: 'x', amount: '1.2345' },
      { reason: 'x', amount: '-1' },
    ])
      expect(await refund(id, body)).toMatchObject({ success: false, code: 'invalid_body' })
    const own = await charge({}, await openPayer(admin, 2))
    expect(await refund(own.id, { reason: 'mine' })).toMatchObject({ success: false, code: 'refused' })
    expect(await refund(own.id, { reason: 'theirs' }, root)).toMatchObject({ success: true })
    expect(await refund(1_999_999_999, { reason: 'x' })).toMatchObject({ status: 404, code: 'receipt_not_found' })
  })

  it('are exported with the prices they refer to, one’s own or those of all users', async () => {
    const bob = await bench.addCaller(`bob${made}`, 1)
    const bobs = await openPayer(bob, 3)
    const one = await charge({ price: { ...TEST_PRICE, source: 'channel:9' } }, bobs)
    await refund(one.id, { amount: '1', reason: 'x' })
    interface Exported {
      readonly book: PriceBook
      readonly total: number
      readonly data?: ExportedCharge[]
    }
    const page = async (path: string, as: TestCaller) =>
      (await bench.ask<ExportedCharge[]>('GET', path, { as })) as unknown as Exported
    const own = await page('/api/log/self/charges?size=100', bob)
    const base = {
      request_id: one.requestId,
      username: `user ${bob.id}`,
      token_name: 'token 3',
      model_name: 'gpt-4o-mini',
    }
    const price_id = own.book.prices[0]?.id
    expect(own.data).toEqual([
      { ...base, at: 1_763_640_000_000, kind: 'consume', units: { output: 10 }, price_id, amount: '100' },
      { ...base, at: bench.clock.now, kind: 'admin-refund', units: {}, price_id: 0, amount: '1' },
    ])
    expect(own.total).toBe(1)
    expect(own.book).toEqual({
      format: 'sluice-price-book-1',
      prices: [
        {
          id: price_id,
          rates: { input: '2.5', cached_input: '0.25', cache_write_5m: '3.125', cache_write_1h: '5', output: '10' },
          group_ratio: '1',
          source: { kind: 'channel', name: '', channel: 0, tier: '', window: '' },
        },
      ],
    })
    expect((await page('/api/log/charges?size=100', admin)).total).toBeGreaterThan(1)
    expect((await page('/api/log/charges?token_name=token%203', admin)).book.prices[0]?.source.channel).toBe(9)
    expect(await page('/api/log/self/charges?type=3', bob)).toMatchObject({ data: [], total: 0, book: { prices: [] } })
    expect(await bench.ask('GET', '/api/log/charges', { as: bob })).toMatchObject({ status: 403 })
  })

  it('refer to a price book that administrators can read to its end', async () => {
    const book = async (query: string) =>
      (await bench.ask<PriceBook>('GET', `/api/prices/book${query}`, { as: admin })).data?.prices ?? []
    const all = await book('')
    expect(all.length).toBeGreaterThan(2)
    const first = await book('?size=1')
    expect(first).toEqual(all.slice(0, 1))
    expect(await book(`?after=${first[0]?.id}`)).toEqual(all.slice(1))
    expect(await bench.ask('GET', '/api/prices/book', { as: ann })).toMatchObject({ status: 403 })
  })

  it('of cleared logs are found only by request, and say that the row is gone', async () => {
    const { id, requestId } = await charge()
    await bench.ask('DELETE', '/api/log/?target_timestamp=1763640001', { as: root })
    expect(await ask(id)).toMatchObject({ status: 404 })
    expect(await bench.ask('GET', `/api/receipt/${requestId}`, { as: ann })).toMatchObject({
      data: { log_id: 0, net: '100', missing: ['log', 'trace'] },
    })
    await bench.settleBackground()
  })
})
