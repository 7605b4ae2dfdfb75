import { brokenInvariants } from '@sluice/testkit/ledger-engine'
import {
  openTestPayer,
  testCode,
  testMove,
  testRedeem,
  testRefund,
  testSettlement,
  type TestPayer,
  testTrace,
} from '@sluice/testkit/ledger-operations'
import { openLedgerOnSqlite, type LedgerOnSqlite } from '@sluice/testkit/ledger-sqlite'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { openTestLedger } from '@sluice/testkit/test-ledger'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LedgerEngine } from '../engine.ts'
import type { Ledger, SettleAnswer } from '../ledger.ts'
import { mqFromQuota } from '../units.ts'

let books: LedgerOnSqlite
let engine: LedgerEngine
let timers: ManualTimers
let payer: TestPayer
/** Every commit with this request's settlement fails. */
let poisoned: string | undefined

beforeAll(() => {
  books = openLedgerOnSqlite()
})
beforeEach(async () => {
  books.empty()
  timers = openManualTimers()
  poisoned = undefined
  const opened = books.openEngine()
  engine = {
    ...opened,
    apply: async (batch, ...rest) => {
      const isPoisoned = batch.some((each) => each.op === 'settle' && each.settlement.requestId === poisoned)
      if (isPoisoned) throw new Error('the commit fails')
      return await opened.apply(batch, ...rest)
    },
  }
  payer = await openTestPayer(opened, 'setup', { userId: 1, tokenId: 1, quota: 1_000, limit: 5_000 })
})
afterEach(async () => {
  expect(await brokenInvariants(books.read, 0)).toEqual([])
})
afterAll(() => books.close())

/** A ledger that has seen the balances, so that holds stay in the process. */
async function openKnowing(): Promise<Ledger> {
  const ledger = await openTestLedger({ engine, timers })
  await know(ledger, payer)
  return ledger
}

async function know(ledger: Ledger, of: TestPayer): Promise<void> {
  const requestId = `first-${of.userId}`
  await hold(ledger, requestId, 0, { of })
  await ledger.void(requestId, testTrace(of, requestId))
}

function hold(ledger: Ledger, requestId: string, quota: number, { durable = false, of = payer } = {}) {
  const { account, limitAccount } = of
  return ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(quota), durable })
}

/** Charges `tens` × 10 quota. */
const settle = (ledger: Ledger, requestId: string, tens: number, of = payer): Promise<SettleAnswer> =>
  ledger.settle(testSettlement(of, requestId, tens))

/** Charged quota by request, according to the tables. */
async function charged(): Promise<Record<string, number>> {
  const rows = await books.read(
    `select request_id, sum(case kind when 'refund' then -amount else amount end) as net
     from transfer where kind in ('consume', 'adjust', 'refund') group by request_id order by request_id`,
  )
  return Object.fromEntries(rows.map(({ request_id, net }) => [request_id, Number(net) / 1_000]))
}

describe('what is decided after a settlement, before that is answered', () => {
  const requestId = 'later'
  const move = { requestId, reason: '', actor: 0, mode: 'set' } as const
  it.each<[string, (ledger: Ledger) => Promise<unknown>, unknown]>([
    ['a hold that is too much with it', (ledger) => hold(ledger, requestId, 501), 'user_quota'],
    ['a hold of the rest', (ledger) => hold(ledger, requestId, 500), 'held'],
    [
      'an extension',
      async (ledger) => [await hold(ledger, requestId, 100), await ledger.extend(requestId, mqFromQuota(501))],
      ['held', 'user_quota'],
    ],
    [
      'a movement to what the account then has',
      (ledger) => ledger.move({ ...move, kind: 'admin-adjust', account: payer.account, amount: mqFromQuota(500) }),
      'unchanged',
    ],
    ['a refund', (ledger) => ledger.refund(testRefund(payer, 'a', requestId)), { refunded: mqFromQuota(500) }],
    ['a redemption', (ledger) => ledger.redeem(testRedeem(payer, 7)), { paid: mqFromQuota(5) }],
    [
      'a budget',
      async (ledger) => {
        const budgets = [{ period: 'day', amount: mqFromQuota(510) } as const]
        const set = await ledger.setBudgets({ account: payer.account, userId: 1, budgets })
        return [set, await hold(ledger, requestId, 11)]
      },
      ['set', expect.objectContaining({ reason: 'user_budget' })],
    ],
    ['the end of another request', (ledger) => ledger.void(requestId, testTrace(payer, requestId)), undefined],
  ])('finds it charged: %s', async (_, act, answer) => {
    books.add('redemption', testCode(7, 5))
    const ledger = await openKnowing()
    await hold(ledger, 'a', 10)
    const settled = settle(ledger, 'a', 50)
    expect([await act(ledger), await settled, await charged()]).toEqual([answer, 'charged', { a: 500 }])
  })
})

describe('a settlement whose commit fails again and again', () => {
  let ledger: Ledger
  let other: TestPayer
  let settled: Promise<SettleAnswer>
  beforeEach(async () => {
    ledger = await openKnowing()
    other = await openTestPayer(engine, 'setup', { userId: 2, tokenId: 2, quota: 1_000 })
    await know(ledger, other)
    await hold(ledger, 'stream', 10, { durable: true })
    await hold(ledger, 'a', 90)
    poisoned = 'a'
    settled = settle(ledger, 'a', 9)
    await timers.advance(2_000)
  })
  afterEach(async () => {
    poisoned = undefined
    await timers.advance(20_000)
    expect([await settled, await charged()]).toEqual(['charged', expect.objectContaining({ a: 90 })])
  })

  it('leaves its hold in the rows, by which others are decided', async () => {
    const [requestId, kind] = ['take', 'admin-adjust'] as const
    const take = testMove({ requestId, kind, account: payer.account, amount: mqFromQuota(-1) })
    const answers = Promise.all([hold(ledger, 'more', 920), ledger.move(take)])
    await timers.advance(6_000)
    expect(await answers).toEqual(['user_quota', 'moved'])
  })

  it('holds up its refund, and refuses to extend another hold into what it holds', async () => {
    const answers = Promise.all([
      ledger.refund(testRefund(payer, 'a', 'refund')),
      ledger.extend('stream', mqFromQuota(920)),
    ])
    await timers.advance(6_000)
    expect(await answers).toEqual(['unavailable', 'user_quota'])
  })

  it('holds up no one else', async () => {
    expect(await hold(ledger, 'elsewhere', 920, { of: other })).toBe('held')
  })
})
