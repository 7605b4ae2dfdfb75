import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, expect, it } from 'vitest'

let bench: ManagementBench
let root: TestCaller
let ann: TestCaller
let bob: TestCaller

beforeEach(async () => {
  bench = await openManagementBench()
  root = await bench.addCaller('root', 100)
  ann = await bench.addCaller('ann', 1)
  bob = await bench.addCaller('bob', 1)
})
afterEach(async () => {
  expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
  expect(bench.reported).toEqual([])
  await bench.close()
})

const newCode = async (quota: number): Promise<string> => {
  const body = { name: 'paid', quota, count: 1 }
  const { data = [] } = await bench.ask<string[]>('POST', '/api/redemption/', { as: root, body })
  return data[0] ?? ''
}
const redeem = (as: TestCaller, key: unknown) => bench.ask<number>('POST', '/api/user/topup', { as, body: { key } })
const quotaOf = async (as: TestCaller) =>
  (await bench.ask<{ quota: number }>('GET', '/api/user/self', { as })).data?.quota
const movements = () => bench.database.kysely.selectFrom('transfer').selectAll().execute()

/** Paths at which programs of this family listen for "this order has been paid". */
const CALLBACKS = [
  '/api/stripe/webhook',
  '/api/payment/stripe/webhook',
  '/api/payment/notify',
  '/api/payment/webhook',
  '/api/user/epay/notify',
  '/api/user/topup/stripe',
  '/api/user/pay',
  '/api/user/creem/webhook',
  '/api/subscription/epay/notify',
]

it(
  'no address accepts a message that an order has been paid, whether unsigned or signed by anyone',
  { tags: 'S12' },
  async () => {
    const event = {
      type: 'checkout.session.completed',
      data: { object: { client_reference_id: ann.id, amount_total: 1 } },
    }
    const order = { out_trade_no: '1', trade_status: 'TRADE_SUCCESS', money: '9999', sign: '', user_id: ann.id }
    for (const path of CALLBACKS) {
      for (const as of [undefined, ann]) {
        for (const body of [event, order]) {
          const headers = { 'stripe-signature': 't=1,v1=', 'webhook-secret': '' }
          const reply = await bench.ask('POST', path, { body, headers, ...(as && { as }) })
          expect([path, reply.status, reply.success]).toEqual([path, 404, false])
        }
      }
      const link = await bench.ask('GET', `${path}?trade_status=TRADE_SUCCESS&money=9999&user_id=${ann.id}`, {})
      expect([path, link.status]).toEqual([path, 404])
    }
    expect(await movements()).toEqual([])
  },
)

it('a code that is changed in one character, or is not a text, pays nothing', { tags: 'S12' }, async () => {
  const code = await newCode(500)
  const flipped = code
    .split('')
    .map((letter, at) => code.slice(0, at) + (letter === 'a' ? 'b' : 'a') + code.slice(at + 1))
  const forged = [...flipped, code.slice(1), `${code}0`, '%', '_'.repeat(code.length), "' or 1=1 --", code + code]
  for (const key of [...forged.filter((each) => each !== code), null, 1, [code], { key: code }]) {
    bench.clock.now += 600_000
    expect((await redeem(ann, key)).success).toBe(false)
  }
  expect(await movements()).toEqual([])
  bench.clock.now += 600_000
  expect(await redeem(ann, code)).toMatchObject({ success: true, data: 500 })
})

it(
  'a code that has paid never pays again: repeated, enabled again, made larger, or once its payer is gone',
  { tags: 'S12' },
  async () => {
    const code = await newCode(500)
    expect(await redeem(ann, code)).toMatchObject({ success: true, data: 500 })
    const { id } = await bench.database.kysely.selectFrom('redemption').select('id').executeTakeFirstOrThrow()
    const again = [
      await bench.ask('PUT', '/api/redemption/?status_only=1', { as: root, body: { id, status: 1 } }),
      await bench.ask('PUT', '/api/redemption/', { as: root, body: { id, name: 'paid', quota: 900 } }),
    ]
    for (const reply of again) expect(reply.success).toBe(false)
    await bench.ask('DELETE', `/api/user/${ann.id}`, { as: root })
    const repeated = await Promise.all(Array.from({ length: 5 }, () => redeem(bob, code)))
    expect(repeated.map(({ success }) => success)).toEqual([false, false, false, false, false])
    expect(await quotaOf(bob)).toBe(0)
    expect(await movements()).toHaveLength(1)
  },
)

it('only an administrator can top an account up, and a wrong amount does nothing', { tags: 'S12' }, async () => {
  const topUp = (as: TestCaller, quota: unknown) =>
    bench.ask('POST', '/api/topup', { as, body: { user_id: ann.id, quota } })
  expect(await topUp(ann, 500)).toMatchObject({ status: 403, success: false })
  for (const quota of ['500', 1.5, 1e30, null, [500], Number.MAX_SAFE_INTEGER + 2]) {
    expect((await topUp(root, quota)).success).toBe(false)
  }
  expect(await movements()).toEqual([])
  expect((await topUp(root, 500)).success).toBe(true)
  expect(await quotaOf(ann)).toBe(500)
})

it(
  'work that another program confirmed is charged once, however often it confirms, and a confirmation gives nothing back',
  { tags: 'S12' },
  async () => {
    await bench.ask('POST', '/api/topup', { as: root, body: { user_id: ann.id, quota: 1_000 } })
    const token = { name: 'jobs', remain_quota: 500 }
    const key = (await bench.ask<{ key: string }>('POST', '/api/token/', { as: ann, body: token })).data?.key ?? ''
    const headers = { authorization: `Bearer ${key}` }
    const consume = (body: object) => bench.ask('POST', '/api/token/consume', { headers, body })
    const opened = await consume({ phase: 'pre', add_used_quota: 100, add_reason: 'a film' })
    const transaction = (opened as { transaction?: { transaction_id?: string } }).transaction?.transaction_id
    const confirm = { phase: 'post', transaction_id: transaction, add_reason: 'a film' }
    await Promise.all(Array.from({ length: 20 }, () => consume({ ...confirm, final_used_quota: 40 })))
    await consume({ ...confirm, final_used_quota: 0 })
    await consume({ phase: 'cancel', transaction_id: transaction, add_reason: 'a film' })
    expect((await consume({ add_used_quota: -50, add_reason: 'a present' })).success).toBe(false)
    expect(await quotaOf(ann)).toBe(960)
  },
)
