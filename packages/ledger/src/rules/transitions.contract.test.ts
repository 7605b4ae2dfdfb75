import { databaseEngines } from '@sluice/testkit/databases'
import {
  openTestPayer,
  type TestPayer,
  testHold,
  testRefund,
  testSettle,
  testSettlement,
} from '@sluice/testkit/ledger-operations'
import { useLedger } from '@sluice/testkit/ledger-suite'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../operation.ts'
import { mqFromQuota } from '../units.ts'
import { type RequestOperation, type RequestState, TRANSITIONS } from './transitions.ts'

const STATES = Object.keys(TRANSITIONS) as RequestState[]
const OPERATIONS: readonly RequestOperation[] = ['hold', 'extend', 'renew', 'settle', 'void', 'recover', 'refund']
const CELLS = STATES.flatMap((state) => OPERATIONS.map((operation) => ({ state, operation })))

describe.each(databaseEngines)('one request on %s', (name) => {
  const suite = useLedger(name)
  const openPayer = () => openTestPayer(suite.engine, 'r1', { userId: 1, tokenId: 1, quota: 1_000 })

  const bring = async (payer: TestPayer, state: RequestState): Promise<void> => {
    const steps: Record<RequestState, readonly Operation[]> = {
      absent: [],
      open: [testHold(payer, 'a', 100)],
      charged: [testSettle(payer, 'a', 10)],
      corrected: [testSettle(payer, 'a', 10), testSettle(payer, 'a', 8)],
      refunded: [testSettle(payer, 'a', 10), testRefund(payer, 'a', 'first', 30)],
    }
    if (steps[state].length > 0) await suite.apply(...steps[state])
  }
  const perform = async (payer: TestPayer, operation: RequestOperation): Promise<string> => {
    if (operation === 'recover') {
      return (await suite.engine.recover({ deadAfterMs: 60_000, dead: ['r1'] })) > 0 ? 'done' : 'stale'
    }
    const progress = testSettlement(payer, 'a', 6)
    const operations: Record<Exclude<RequestOperation, 'recover'>, Operation> = {
      hold: testHold(payer, 'a', 50, 2),
      extend: { op: 'extend', requestId: 'a', amount: mqFromQuota(200), at: 2 },
      renew: { op: 'renew', requestId: 'a', progress, at: 2 },
      settle: { op: 'settle', settlement: progress },
      void: { op: 'void', requestId: 'a' },
      refund: testRefund(payer, 'a', 'second', 20),
    }
    return (await suite.apply(operations[operation])).join()
  }
  /** What the rows say, without the rules. */
  const stateNow = async (): Promise<RequestState> => {
    const [row] = await suite.read(`select (select count(*) from hold) as holds,
      (select count(*) from transfer where kind = 'consume') as charges,
      (select count(*) from transfer where kind in ('adjust', 'refund')) as corrections,
      (select count(*) from transfer where kind = 'admin-refund') as refunds`)
    const has = (column: string): boolean => Number(row?.[column]) > 0
    if (has('holds')) return 'open'
    return has('refunds') ? 'refunded' : has('corrections') ? 'corrected' : has('charges') ? 'charged' : 'absent'
  }
  const allRows = async () =>
    JSON.stringify(
      await Promise.all(
        ['account', 'hold', 'transfer', 'log', 'usage_daily'].map((table) =>
          suite.read(`select * from ${table} order by 1, 2`),
        ),
      ),
      (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
    )

  it.each(CELLS)('that is $state takes $operation as the table says', async ({ state, operation }) => {
    const payer = await openPayer()
    await bring(payer, state)
    expect(await stateNow()).toBe(state)
    const before = await allRows()
    const outcome = await perform(payer, operation)
    const next = TRANSITIONS[state][operation]
    if (next === undefined) {
      expect(outcome).toBe('stale')
      expect(await allRows()).toBe(before)
    } else {
      expect(outcome).toBe(operation === 'refund' ? 'refunded' : 'done')
      expect(next).toContain(await stateNow())
    }
  })

  it('that is open is charged its progress by recovery', async () => {
    const payer = await openPayer()
    await bring(payer, 'open')
    await perform(payer, 'renew')
    await perform(payer, 'recover')
    expect(await stateNow()).toBe('charged')
  })

  it('that is charged stays so when a late settlement asks the same', async () => {
    const payer = await openPayer()
    await bring(payer, 'charged')
    expect(await suite.apply(testSettle(payer, 'a', 10))).toEqual(['done'])
    expect(await stateNow()).toBe('charged')
  })
})
